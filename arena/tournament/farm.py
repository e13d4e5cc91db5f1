"""Where matches are played: local worker processes, one per core.

A farm takes jobs from a docket as it has room for them and hands back results in batches.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final, Protocol

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from arena.referee import tree
from arena.referee.sandbox import Level
from arena.tournament.job import Assignment, Done, Enough, FromWorker, Job, ToWorker, Void

STOP_GRACE: Final = 1.5
"""Seconds that a worker has to end its bots when it is told to stop."""
MOST_AHEAD: Final = 256
"""Jobs that a worker holds at most."""

LIVES: Final = 3
"""How often a worker is started anew before the farm gives up."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(FromWorker)


class Docket(Protocol):
    """The matches still to play."""

    def take(self) -> Job | None:
        """The next match; None when there is none to start now."""

    def settle(self, results: Sequence[Done | Void]) -> None:
        """Hand back what became of matches; a void one may be taken again."""


class WorkerReport(Struct, frozen=True):
    """A worker of a cluster, and what it did."""

    name: str
    """As the cluster calls it."""
    address: str
    threads: int
    isolation: Level | None = None
    """None: it was not used."""
    clock_scale: float = 1.0
    matches: int = 0
    busy_s: float = 0.0
    """Seconds that its threads played, added up."""
    per_core_second: float | None = None
    """Matches in each of these seconds."""
    lost: bool = False
    """It was gone before the end."""
    refused: str | None = None
    """Why it was not used."""


class Farm(Protocol):
    """Somewhere to play matches."""

    @property
    def size(self) -> str:
        """How big it is, in words: `2 workers`."""

    @property
    def reports(self) -> Sequence[WorkerReport]:
        """What each worker did in the end, where workers may differ."""

    async def play(self, assignment: Assignment, docket: Docket) -> None:
        """Play until the docket has nothing more."""


class WorkerDied(Exception):  # noqa: N818  # reads as what happened
    """Workers end again and again without a result; the host cannot play."""


class LocalFarm:
    """Worker processes on this machine."""

    def __init__(self, workers: int | None = None, lanes: int = 1) -> None:
        """Plan the workers.

        Args:
            workers: how many; up to the number of usable cores, the default, each keeps to one.
            lanes: how many matches each plays at a time.
        """
        cores = sorted(os.sched_getaffinity(0))
        self.workers = workers or len(cores)
        self._lanes = lanes
        self._cores = cores if self.workers <= len(cores) else []

    @property
    def size(self) -> str:
        """`2 workers`."""
        return "1 worker" if self.workers == 1 else f"{self.workers:,} workers"

    @property
    def reports(self) -> Sequence[WorkerReport]:
        """None: the cores of a machine are alike."""
        return ()

    async def play(self, assignment: Assignment, docket: Docket) -> None:
        """Play until the docket has nothing more.

        Raises:
            WorkerDied: a worker ended unasked again and again.
        """
        async with trio.open_nursery() as nursery:
            crew = Crew(docket)
            for number in range(self.workers):
                core = self._cores[number] if self._cores else None
                given = replace(assignment, core=core, lanes=self._lanes)
                nursery.start_soon(_keep_working, given, crew)


class Crew:
    """What the workers of one farm share."""

    def __init__(self, docket: Docket) -> None:
        self._docket = docket
        self._out = 0
        self._kept: Job | None = None
        self.news = trio.Event()
        """Set, and replaced, whenever results came in: there may be jobs again, or none left."""

    def take(self) -> Job | None:
        """The next job, None when there is none now."""
        job = self._kept or self._docket.take()
        self._kept = None
        self._out += job is not None
        return job

    def take_some(self, most: int) -> list[Job]:
        """The next jobs, as far as there are some now."""
        jobs: list[Job] = []
        while len(jobs) < most and (job := self.take()) is not None:
            jobs.append(job)
        return jobs

    def exhausted(self) -> bool:
        """Whether all is played; a job that is found is kept for who asks next."""
        self._kept = self._kept or self._docket.take()
        return self._kept is None and self.finished()

    def settle(self, results: Sequence[Done | Void]) -> None:
        """Hand back results."""
        self._out -= len(results)
        self._docket.settle(results)
        self.news.set()
        self.news = trio.Event()

    def finished(self) -> bool:
        """No job is out, so none can come back."""
        return not self._out

    async def wait_for_job(self) -> Job | None:
        """The next job, None when all is played."""
        while (job := self.take()) is None and not self.finished():
            await self.news.wait()
        return job


async def _keep_working(assignment: Assignment, crew: Crew) -> None:
    """Run a worker once there is a job for it, and another in its place when it dies."""
    for _ in range(LIVES):
        first = await crew.wait_for_job()
        if first is None or await _LocalWorker(assignment, crew, first).run():
            return
    raise WorkerDied(f"a worker process ended {LIVES} times without being asked to")


def start_worker() -> "subprocess.Popen[bytes]":
    """A new worker process, which waits for an assignment on its stdin."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "arena.tournament.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the tournament, which tells its workers
        bufsize=0,
    )


class _LocalWorker:
    """The parent's end of one worker process."""

    def __init__(self, assignment: Assignment, crew: Crew, first: Job) -> None:
        self._assignment = assignment
        self._crew = crew
        self._first = first
        self._held = {first.slot: first}
        self._room = 2
        """How many jobs it may hold: twice what it sends back at a time, so that it never waits."""
        self._told_enough = False
        self._rest = b""

    async def run(self) -> bool:
        """Feed the worker until all is played; False: it died, and its matches are void."""
        process = start_worker()
        tree.keep(process.pid)
        stdin, stdout = _stream(process.stdin), _stream(process.stdout)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._feed, stdin)
                await self._receive(stdout)
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await stdin.aclose()
                with trio.move_on_after(STOP_GRACE):
                    await self._receive(stdout)  # what was finished is kept
                await stdout.aclose()
                process.kill()
                process.wait()
        if self._held:
            self._crew.settle([Void(slot, "its worker process ended") for slot in self._held])
        return self._told_enough

    async def _feed(self, stdin: trio.lowlevel.FdStream) -> None:
        with suppress(trio.BrokenResourceError):  # it died: the end of its output says so too
            await _send(stdin, [self._assignment, self._first])
            while not self._told_enough:
                news = self._crew.news
                await _send(stdin, self._take_jobs())
                if not self._held and self._crew.finished():
                    self._told_enough = True
                    await _send(stdin, [Enough()])
                else:
                    await news.wait()

    def _take_jobs(self) -> list[Job]:
        jobs = []
        while len(self._held) < self._room and (job := self._crew.take()) is not None:
            self._held[job.slot] = job
            jobs.append(job)
        return jobs

    async def _receive(self, stdout: trio.lowlevel.FdStream) -> None:
        async for chunk in stdout:
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            results = [_decoder.decode(line) for line in lines]
            for result in results:
                del self._held[result.slot]
            if results:
                self._room = max(2, min(MOST_AHEAD, 2 * len(results)))
                self._crew.settle(results)


async def _send(stdin: trio.lowlevel.FdStream, messages: Sequence[ToWorker]) -> None:
    if messages:
        await stdin.send_all(b"".join(_encoder.encode(message) + b"\n" for message in messages))


def _stream(pipe: IO[bytes] | None) -> trio.lowlevel.FdStream:
    assert pipe is not None
    with pipe:
        return trio.lowlevel.FdStream(os.dup(pipe.fileno()))
