"""What the store holds, as structs."""

from typing import Any

from msgspec import Struct

from arena.referee.clock import Clocks
from protocol.record import Record


class Entrant(Struct, frozen=True):
    """A bot under the name it was entered with in a run."""

    name: str
    digest: str
    """What its program and arguments are; name and digest together are its identity."""
    words: str
    """The BOT that was typed."""
    network: bool = False
    """It calls a service."""


class Run(Struct, frozen=True):
    """A tournament. Everything but `words` and `created` identifies it."""

    id: str
    """Follows from what identifies the run."""
    game: str
    version: int
    options: dict[str, Any]
    """Complete."""
    seats: int
    format: str
    """`round-robin`, …"""
    clocks: Clocks
    seed: str
    """The words of `--seed`."""
    words: str
    """What a command without a seed is recognised by."""
    created: str
    """UTC, ISO 8601."""
    sides: tuple[int, ...] = ()
    """The side of each seat; empty: every seat is a side of its own."""

    def seat_sides(self) -> tuple[int, ...]:
        """The side of each seat, written out."""
        return self.sides or tuple(range(self.seats))


class RunSummary(Struct, frozen=True):
    """A run, and how much of it is stored."""

    run: Run
    entrants: int
    matches: int
    planned: int | None = None
    """How many matches it has at its end, as last planned; None: that is not known."""


class Slot(Struct, frozen=True, order=True):
    """A place in the schedule of a run; slots sort in the order they are played."""

    deal: int
    """The number of the group's deal, from 0."""
    group: tuple[str, ...]
    """The names of the entrants that meet, in sorted order, one per side."""
    rotation: int
    """Which cyclic shift of the deal's order, from 0."""


class Finished(Struct, frozen=True):
    """A match that was played to its result."""

    slot: Slot
    record: Record
    logs: dict[int, str] = {}
    """By seat what the bot wrote to stderr and the referee noted, kept of faulted seats."""
    line: bytes = b""
    """The record as a line of an export, where it is at hand; else it is made."""


class SeatFault(Struct, frozen=True):
    """Which seat was faulted, and the code."""

    seat: int
    code: str


class MatchSummary(Struct, frozen=True):
    """A stored match without its log; the fields are those of `arena matches --json`."""

    match: str
    run: str
    """The run it is stored under; matches from outside a run have one per pool."""
    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    """Names in seat order."""
    ranks: tuple[int, ...]
    """A rank per seat."""
    scores: tuple[int, ...]
    """A score per side."""
    reason: str
    faults: tuple[SeatFault, ...]


class Filter(Struct, frozen=True):
    """Which matches are meant; every field that is given must fit."""

    game: str | None = None
    options: dict[str, Any] = {}
    """Some of the game's options, as JSON values or as the words of `--option`."""
    seats: int | None = None
    run: str | None = None
    """An id, or the beginning of one."""
    bot: str | None = None
    """The name of a bot that took part."""
    match: str = ""
    """How the match's id begins."""
    faulted: bool = False
    """Only matches with a fault."""


class Pool(Struct, frozen=True):
    """Runs whose matches may enter one fit: they agree in all of this."""

    game: str
    version: int
    options: dict[str, Any]
    seats: int
    runs: tuple[Run, ...]
    """In the order they were created."""


class Imported(Struct, frozen=True):
    """What an import did."""

    new: int
    known: int
    """Records that the store held already."""
