"""In the Dask worker: our worker processes, and the functions that the tournament calls there.

Each thread that Dask plays batches in has a worker process of its own, the same as on one machine,
so that cores, sandboxes and the ends of process trees are looked after as they are there.
"""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Final

import msgspec
from distributed import Worker, WorkerPlugin, get_worker
from msgspec.structs import replace

from arena.tournament.cluster import bundle
from arena.tournament.cluster.order import Answer, Enlisted, Played
from arena.tournament.farm import start_worker
from arena.tournament.job import Assignment, Enough, Job

NAME: Final = "savanna-arena"
"""Of the plugin."""
IDLE_S: Final = 60.0
"""How long a process waits for another batch before it ends: nobody may be there any more."""
LEAVING_S: Final = 2.0
"""How long it may take to let its bots leave."""

_AHEAD: Final = 32
"""Jobs that a process holds at most; few enough for their lines never to fill the pipe."""
_CHUNK: Final = 1 << 16

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[Job])


class Hand:
    """One worker process, used by one thread."""

    def __init__(self, assignment: Assignment) -> None:
        self.used = time.monotonic()
        self._process = start_worker()
        self._send([assignment])

    def play(self, jobs: Sequence[Job]) -> Iterator[bytes]:
        """The lines of the results, as they come; fewer than jobs when the process ends."""
        todo, out = iter(jobs), 0
        pending = list(islice(todo, _AHEAD))
        while pending or out:
            out += len(pending)
            self._send(pending)
            chunk = self._receive()
            if not chunk:
                self.kill()  # it is at its end: nobody is to find it alive for an instant yet
                return
            yield chunk
            done = chunk.count(b"\n")
            out -= done
            pending = list(islice(todo, done))

    @property
    def alive(self) -> bool:
        """Whether the process goes on."""
        return self._process.poll() is None

    def dismiss(self) -> None:
        """Let it end with its bots, and see that it does."""
        self._send([Enough()])
        self.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVING_S)
        self.kill()

    def kill(self) -> None:
        """End it now; its bots die with it."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the pipes, which nobody may be using."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()

    def _send(self, messages: Sequence[Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it ended: the end of its output says so too
            self._process.stdin.write(b"".join(_encoder.encode(it) + b"\n" for it in messages))

    def _receive(self) -> bytes:
        assert self._process.stdout is not None
        return os.read(self._process.stdout.fileno(), _CHUNK)


class Hands(WorkerPlugin):
    """All worker processes of a Dask worker."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._assignments: dict[str, Assignment] = {}
        """By order."""
        self._hands: dict[tuple[str, int], Hand] = {}
        """By order and thread."""
        self._cores: list[int] = []
        self._core_of: dict[int, int] = {}
        """By thread."""
        self._playing: dict[str, Hand] = {}
        """By batch."""

    def setup(self, worker: Worker) -> None:
        """Keep each thread's process to a core, where there is one for each."""
        cores = sorted(os.sched_getaffinity(0))
        self._cores = cores if worker.state.nthreads == len(cores) else []
        self._tidying = asyncio.create_task(self._dismiss_idle())

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002  # Dask's signature
        """End all processes: the Dask worker ends."""
        self._tidying.cancel()
        for hand in self._hands.values():
            hand.kill()

    def transition(self, key: object, start: str, finish: str, **_: Any) -> None:
        """Dask wants a batch no more that is being played: end its matches."""
        if (start, finish) == ("executing", "released"):
            hand = self._playing.get(str(key))
            if hand is not None:
                hand.kill()

    def take_order(self, order: str, assignment: Assignment) -> None:
        """Remember what batches of an order are played with."""
        self._assignments[order] = assignment

    async def drop_order(self, order: str) -> None:
        """End what is there for an order."""
        self._assignments.pop(order, None)
        await self._dismiss([key for key in self._hands if key[0] == order])

    def play(self, batch: str, order: str, jobs: Sequence[Job]) -> Played:
        """Play a batch on this thread's process."""
        hand = self._hand(order)
        self._playing[batch] = hand
        began = time.monotonic()
        try:
            lines = b"".join(hand.play(jobs))
        finally:
            del self._playing[batch]
            hand.used = time.monotonic()
        return Played(lines, hand.used - began)

    def _hand(self, order: str) -> Hand:
        thread = threading.get_ident()
        with self._lock:
            hand = self._hands.get((order, thread))
            if hand is not None and not hand.alive:
                hand.close()
                hand = None
            if hand is None:
                given = replace(self._assignments[order], core=self._core(thread))
                hand = self._hands[order, thread] = Hand(given)
        return hand

    def _core(self, thread: int) -> int | None:
        number = self._core_of.setdefault(thread, len(self._core_of))
        return self._cores[number % len(self._cores)] if self._cores else None

    async def _dismiss_idle(self) -> None:
        while True:
            await asyncio.sleep(IDLE_S / 4)
            busy = set(self._playing.values())
            late = time.monotonic() - IDLE_S
            idle = [k for k, hand in self._hands.items() if hand not in busy and hand.used < late]
            await self._dismiss(idle)

    async def _dismiss(self, keys: Sequence[tuple[str, int]]) -> None:
        with self._lock:
            hands = [self._hands.pop(key) for key in keys]
        busy = set(self._playing.values())
        ends = [hand.kill if hand in busy else hand.dismiss for hand in hands]
        await asyncio.gather(*map(asyncio.to_thread, ends))


# What the tournament calls; each finds the Dask worker that it runs in


async def lacking(names: Sequence[str]) -> list[str]:
    """The bundles that this machine does not have."""
    return await asyncio.to_thread(bundle.missing, names)


async def receive(content: bytes, name: str) -> None:
    """Unpack a bundle.

    Raises:
        BadParcel, OSError: it cannot be unpacked.
    """
    await asyncio.to_thread(bundle.unpack, bundle.Bundle(name, content))


async def enlist(order: str, terms: bytes, dask_worker: Worker) -> bytes:
    """Have this machine mustered for an order; gives its answer as JSON."""
    if NAME not in dask_worker.plugins:
        await dask_worker.plugin_add(Hands(), NAME)
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-P", "-m", "arena.tournament.cluster.muster"],
        input=terms,
        stdout=subprocess.PIPE,
        check=True,
    )
    answer = msgspec.json.decode(done.stdout, type=Answer)
    if isinstance(answer, Enlisted):
        _hands(dask_worker).take_order(order, answer.assignment)
    return done.stdout


def play(batch: str, order: str, jobs: bytes) -> Played:
    """Play a batch; as a task of Dask.

    Raises:
        KeyError: this machine was not enlisted, or was begun anew since.
    """
    return _hands(get_worker()).play(batch, order, _decoder.decode(jobs))


async def release(order: str, dask_worker: Worker) -> None:
    """Nothing more will be played for an order."""
    if NAME in dask_worker.plugins:
        await _hands(dask_worker).drop_order(order)


def _hands(worker: Worker) -> Hands:
    hands = worker.plugins[NAME]
    assert isinstance(hands, Hands)
    return hands
