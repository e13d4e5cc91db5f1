"""What is said between the server and the referee of one table: a JSON line each."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import Raw, Struct

from arena.referee.clock import Clocks
from arena.referee.program import Program
from arena.referee.sandbox import Level
from engine.game import Effect
from protocol.messages import ActTime

# To the referee


class Chair(Struct, frozen=True):
    """Who sits where."""

    name: str
    digest: str
    program: Program | None
    """None: a person."""


class Open(Struct, frozen=True, tag="open"):
    """The first message: play this match."""

    game: str
    options: dict[str, Any]
    chairs: tuple[Chair, ...]
    """In seat order."""
    clocks: Clocks
    timed: bool
    """The clocks hold for people too."""
    level: Level
    seed: str


class Reply(Struct, frozen=True, tag="reply"):
    """A person's answer."""

    seat: int
    question: int
    actions: tuple[str, ...]


class Leave(Struct, frozen=True, tag="leave"):
    """A person gave up the seat."""

    seat: int


class Advise(Struct, frozen=True, tag="advise"):
    """A person wants to know what a bot would do in its place."""

    seat: int
    program: Program


ToReferee: TypeAlias = Open | Reply | Leave | Advise


# From the referee


class Sight(Struct, frozen=True):
    """What one seat, or a spectator, sees of a moment."""

    view: Raw
    event: Raw
    """What led to it; `null`: nothing that it may know."""


class Shown(Struct, frozen=True, tag="shown"):
    """Something happened."""

    to_act: int | None
    turn: int
    public: Sight
    own: dict[int, Sight]
    """For each person."""
    by: int | None = None
    """The seat, −1 for chance, None for the beginning."""
    effects: Sequence[Effect] = ()


class Asked(Struct, frozen=True, tag="asked"):
    """A person is to act."""

    seat: int
    question: int
    view: Raw
    legal: tuple[str, ...]
    time: ActTime


class Advice(Struct, frozen=True, tag="advice"):
    """What a bot would do."""

    seat: int
    question: int
    actions: tuple[str, ...]
    note: str = ""
    value: float | None = None
    failure: str = ""
    """Why there is none."""


class Over(Struct, frozen=True, tag="over"):
    """The match has a result."""

    record: Raw


class Void(Struct, frozen=True, tag="void"):
    """The match cannot be played."""

    reason: str


FromReferee: TypeAlias = Shown | Asked | Advice | Over | Void
