"""One Dask worker as the tournament sees it: batches go out, results come in."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

import msgspec
import trio

from arena.tournament.cluster.order import Played
from arena.tournament.farm import LIVES, Crew
from arena.tournament.job import FromWorker, Job, Void

AHEAD: Final = 2
"""Batches of each thread that are out: one is played, one waits, so that no thread waits for us."""
MOST: Final = 512
"""Matches in a batch at most."""
PAUSE_S: Final = 1.0
"""How long one whose batch failed lets others take the next ones."""

Play: TypeAlias = Callable[[Sequence[Job]], Awaitable[Played]]
"""Has a Dask worker play a batch."""

_decoder = msgspec.json.Decoder(FromWorker)


class Member:
    """A Dask worker that plays."""

    def __init__(self, threads: int, play: Play, crew: Crew, batch_s: Callable[[], float]) -> None:
        """Take a Dask worker in.

        Args:
            threads: how many it has.
            play: has it play.
            crew: has the jobs.
            batch_s: says how many seconds a batch is to take.
        """
        self._threads = threads
        self._play = play
        self._crew = crew
        self._batch_s = batch_s
        self._scope = trio.CancelScope()
        self._size = 1
        self._failures = 0
        self.matches = 0
        self.busy_s = 0.0
        """Seconds that its threads played, added up."""
        self.trouble: str | None = None
        """Why it is used no more."""

    async def work(self) -> bool:
        """Play until all is played (True), it is lost, or it fails again and again."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                for _ in range(AHEAD * self._threads):
                    nursery.start_soon(self._keep_playing)
            return True
        return False

    def give_up(self) -> None:
        """It is lost: what it has is void."""
        self._scope.cancel()

    async def _keep_playing(self) -> None:
        while (first := await self._crew.wait_for_job()) is not None:
            jobs = [first, *self._crew.take_some(self._size - 1)]
            if not await self._play_batch(jobs):
                await trio.sleep(PAUSE_S)

    async def _play_batch(self, jobs: Sequence[Job]) -> bool:
        """Have a batch played and settled; whether it was played whole."""
        results: list[FromWorker] = []
        trouble = "its worker was lost"
        try:
            played = await self._play(jobs)
            results = [_decoder.decode(line) for line in played.lines.splitlines()]
            trouble = "its worker process ended"
            self._learn(len(results), played.seconds)
        except Exception as error:  # whatever Dask or the machine has; the slots are played again
            trouble = f"{type(error).__name__}: {error}"
        finally:
            there = {result.slot for result in results}
            void = [Void(job.slot, trouble) for job in jobs if job.slot not in there]
            self._crew.settle([*results, *void])
        self._note(None if not void else trouble)
        return not void

    def _learn(self, matches: int, seconds: float) -> None:
        """Let the next batches take as long as they should; they at most double."""
        self.matches += matches
        self.busy_s += seconds
        if matches:
            fitting = int(self._batch_s() * matches / max(seconds, 1e-6))
            self._size = max(1, min(fitting, 2 * self._size, MOST))

    def _note(self, trouble: str | None) -> None:
        """Count what fails in a row; too much of it is the end."""
        self._failures = 0 if trouble is None else self._failures + 1
        if trouble is not None and self._failures >= LIVES:
            self.trouble = trouble
            self._scope.cancel()
