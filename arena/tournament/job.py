"""What is said between the tournament and a worker: one JSON line each."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Raw, Struct

from arena.referee.clock import Clocks
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.store.model import Run, Slot

if TYPE_CHECKING:  # a worker needs no entries, and their module takes long to import
    from arena.tournament.entry import Entry


class Player(Struct, frozen=True):
    """An entrant as a worker knows it."""

    digest: str
    program: Program
    time_handicap: float = 1.0
    """What its clocks are multiplied by."""


class Assignment(Struct, frozen=True, tag=True):
    """What holds for all matches of a worker."""

    game: str
    options: dict[str, Any]
    seats: int
    run: str | None
    clocks: Clocks
    isolation: Level
    players: dict[str, Player]
    """By the entrant's name."""
    fresh: bool = False
    """Every match gets new processes."""
    core: int | None = None
    """The core that the worker keeps to, with its bots."""
    lanes: int = 1
    """How many matches are played at a time."""


def assignment_of(
    run: Run, entries: "Iterable[Entry]", level: Level, *, fresh: bool = False
) -> Assignment:
    """What a worker is told of a run; on which core and how many at a time is the farm's to say."""
    players = {
        entry.name: Player(entry.entrant.digest, entry.program, entry.time_handicap)
        for entry in entries
    }
    return Assignment(
        game=run.game,
        options=run.options,
        seats=run.seats,
        run=run.id,
        clocks=run.clocks,
        isolation=level,
        players=players,
        fresh=fresh,
    )


class Job(Struct, frozen=True, tag=True):
    """A match to play."""

    slot: Slot
    match: str
    """Its name in the store."""
    deal: str
    seed: str
    seeds: tuple[int, ...]
    """What each seat is given in `start`."""
    seating: tuple[str, ...]
    """The name of the entrant in each seat."""


class Enough(Struct, frozen=True, tag=True):
    """No more jobs: finish, let the bots leave, end."""


class Done(Struct, frozen=True, tag=True):
    """A match was played to its result."""

    slot: Slot
    record: Raw
    logs: dict[int, str]
    """Of each faulted seat what its bot wrote to stderr and the referee noted."""


class Void(Struct, frozen=True, tag=True):
    """The host failed during a match: its slot is to be played again."""

    slot: Slot
    reason: str


ToWorker = Assignment | Job | Enough
FromWorker = Done | Void
