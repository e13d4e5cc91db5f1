"""Every message of the line protocol, version 1, as a tagged struct.

Field order is wire order. Unknown fields are ignored on both sides, so fields can be added.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, Struct, UnsetType

VERSION: Final = 1
"""The protocol version that `hello` and `ready` carry."""

NOTE_LENGTH: Final = 500
"""How many characters of a bot's note are kept."""


class Message(Struct, frozen=True, tag_field="type"):
    """A line of the protocol; `type` names the message."""


# From the referee


class StartTime(Struct, frozen=True):
    """The clocks of a match, in milliseconds; null: none."""

    turn_ms: int | None
    """The limit of one whole turn."""
    first_ms: int | None
    """The limit of the seat's first turn, in place of turn_ms."""
    bank_ms: int | None = None
    """The budget of the whole match."""
    increment_ms: int | None = None
    """What a completed turn adds to the bank."""


class ActTime(Struct, frozen=True):
    """What is left when a question is asked, in milliseconds; null: no limit."""

    turn_ms: int | None
    bank_ms: int | None


class Result(Struct, frozen=True):
    """How a match ended."""

    ranks: tuple[int, ...]
    """A rank per seat, 1 the best; those who share take the better rank."""
    scores: tuple[int, ...]
    """A score per side."""
    reason: str
    """`finished`, `limit` or `fault`."""


class Hello(Message, frozen=True, tag="hello"):
    """The first line to a bot; it answers `ready`."""

    protocol: int
    referee: str


class Start(Message, frozen=True, tag="start"):
    """A match begins. No answer."""

    match: str
    """Counts within the process: m1, m2, …"""
    game: str
    version: int
    """The version of the game's rules."""
    options: Any
    """All options of the game, an object."""
    players: int
    seat: int
    """The seat that this process plays, from 0."""
    seed: Annotated[int, Meta(ge=0, lt=2**31)]
    """For the bot's own random choices."""
    time: StartTime


class Act(Message, frozen=True, tag="act"):
    """A question: it is the seat's turn. The bot answers `action`."""

    match: str
    id: int
    """Counts up within the match; the answer echoes it."""
    seat: int
    state: Any
    """All that the seat may know, an object; its form is the game's."""
    events: Sequence[Any]
    """All that happened since the seat's last question, as this seat may see it."""
    legal: Sequence[str] | UnsetType = UNSET
    """All legal actions in a fixed order; absent for a bot that said `"legal": false`."""
    time: ActTime = ActTime(None, None)


class End(Message, frozen=True, tag="end"):
    """The match is over for this seat. No answer."""

    match: str
    result: Result | None
    """Null for a faulted seat while the others play on."""
    events: Sequence[Any]


class Error(Message, frozen=True, tag="error"):
    """The seat is faulted: what was wrong with its last answer. No answer; `end` follows."""

    match: str
    id: int
    code: str
    message: str


class Quit(Message, frozen=True, tag="quit"):
    """The process is no longer needed; it has a second to exit."""


# From a bot


class Ready(Message, frozen=True, tag="ready"):
    """The answer to `hello`."""

    protocol: int
    name: str | None = None
    version: str | None = None
    author: str | None = None
    games: list[str] | None = None
    """The games that the bot can play; absent: any."""
    legal: bool = True
    """False leaves `legal` out of every question."""


class Action(Message, frozen=True, tag="action"):
    """The answer to `act`."""

    id: int
    actions: Annotated[list[str], Meta(min_length=1)]
    """Played in order while it is still the seat's turn."""
    note: str | None = None
    """For replays, never shown to another bot."""
    value: float | None = None
    """The seat's own expected share of the win, 0 … 1."""


ToBot = Hello | Start | Act | End | Error | Quit
FromBot = Ready | Action
