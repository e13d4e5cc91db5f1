"""Refereed matches between bench bots, played by the workers that a tournament has."""

import time
from collections.abc import Mapping, Sequence
from typing import Final

from arena.bench.workshop import Mode, Workshop
from arena.referee.clock import Clocks
from arena.referee.faults import HostFault
from arena.referee.sandbox import Level
from arena.store.model import Slot
from arena.tournament.farm import LocalFarm
from arena.tournament.job import Assignment, Done, Job, Player, Void
from engine.game import AnyGame, AnyTable
from engine.guarded import GameFault, Guarded
from protocol.record import decode_record

WARM_UP: Final = 0.3
"""Seconds from the first result until results count."""


class Stopwatch:
    """A docket that never runs dry until the time is over, and counts what was played in it."""

    def __init__(self, seats: int, seconds: float) -> None:
        """Plan to count for so long, after the warm-up."""
        self.seating = tuple(f"bench-{seat}" for seat in range(seats))
        """The names of the entrants."""
        self._seconds = seconds
        self._given = 0
        self._warm: float | None = None
        """When the warm-up is over; known from the first results on."""
        self._began: float | None = None
        """When the last results came that do not count."""
        self._last = 0.0
        """When the last results came that count."""
        self._matches = 0
        self._moves = 0
        self.trouble: str | None = None
        """Why a match is void; then no other is begun."""

    def take(self) -> Job | None:
        """A match on a deal that was never played."""
        if self._over():
            return None
        number = self._given
        self._given += 1
        return Job(
            slot=Slot(number, self.seating, 0),
            match=f"bench-{number}",
            deal=f"{number:032x}",
            seed=f"{number:032x}",
            seeds=tuple(range(len(self.seating))),
            seating=self.seating,
        )

    def settle(self, results: Sequence[Done | Void]) -> None:
        """Count what came, unless it came too early or too late."""
        now = time.perf_counter()
        void = [result.reason for result in results if isinstance(result, Void)]
        self.trouble = self.trouble or next(iter(void), None)
        moves = sum(_moves(result) for result in results if isinstance(result, Done))
        if self._warm is None:
            self._warm = now + WARM_UP
        elif self._began is None:
            self._began = now if now > self._warm else None
        elif not self._over():
            self._last = now
            self._matches += len(results)
            self._moves += moves

    def moves_a_second(self) -> float:
        """What was counted; chance is no move."""
        return self._moves / self._counted_for()

    def matches_a_second(self) -> float:
        """What was counted."""
        return self._matches / self._counted_for()

    def _counted_for(self) -> float:
        assert self._began is not None
        return self._last - self._began

    def _over(self) -> bool:
        """The time is over, and not without a match; or a match is void."""
        if self.trouble is not None:
            return True
        if self._began is None or not self._matches:
            return False
        return time.perf_counter() > self._began + self._seconds


def _moves(result: Done) -> int:
    return sum(entry.by >= 0 for entry in decode_record(result.record).log)


async def play(
    workshop: Workshop,
    game: AnyGame,
    table: AnyTable,
    seconds: float,
    *,
    mode: Mode = "legal",
    level: Level = Level.PROCESS,
    workers: int = 1,
) -> Stopwatch:
    """Play for so long with the default clocks, each worker on a core of its own.

    Raises:
        GameFault: an installed game is broken.
        HostFault, WorkerDied: nothing can be measured.
    """
    stopwatch = Stopwatch(table.players, seconds)
    player = Player("0" * 32, workshop.bot(mode))
    assignment = Assignment(
        game=game.name,
        options={},
        seats=table.players,
        run=None,
        clocks=Clocks(),
        isolation=level,
        players=dict.fromkeys(stopwatch.seating, player),
    )
    await LocalFarm(workers).play(assignment, stopwatch)
    if stopwatch.trouble is not None:
        raise _fault(game, stopwatch.trouble)
    return stopwatch


def _fault(game: AnyGame, reason: str) -> GameFault | HostFault:
    """Why matches are void: an installed game is taken to be at fault, else it is the host."""
    if not isinstance(game, Guarded):
        return HostFault(f"the host cannot play a match: {reason}")
    return GameFault(reason) if game.name in reason else game.fault(f"cannot be played: {reason}")


async def moves(
    workshop: Workshop,
    game: AnyGame,
    table: AnyTable,
    mode: Mode,
    level: Level,
    seconds: float,
) -> Mapping[str, float]:
    """Refereed moves on one core."""
    stopwatch = await play(workshop, game, table, seconds, mode=mode, level=level)
    return {"moves/s": stopwatch.moves_a_second()}


async def matches(
    workshop: Workshop, game: AnyGame, table: AnyTable, workers: int, seconds: float
) -> Mapping[str, float]:
    """Whole matches on some cores."""
    stopwatch = await play(workshop, game, table, seconds, workers=workers)
    return {"matches/s": stopwatch.matches_a_second()}
