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
    logs: tuple[str | None, ...] = ()
    """Per seat what the bot wrote to stderr and the referee noted, kept of faulted seats."""
