"""What a Dask worker is told of a run, and what it answers."""

from collections.abc import Mapping

from msgspec import Struct

from arena.tournament.cluster.bundle import Source
from arena.tournament.job import Assignment


class Order(Struct, frozen=True):
    """A run as a machine of the cluster has to be able to play it."""

    assignment: Assignment
    """With the programs of the tournament's own machine; its isolation is not looked at."""
    game_version: int
    isolation: str
    """The level that is asked for; `auto`: the best that works there."""
    trust: bool
    """Build bots also where nothing isolates the build."""
    sources: Mapping[str, Source]
    """By the entrant's name."""


class Enlisted(Struct, frozen=True, tag=True):
    """The machine can play it."""

    assignment: Assignment
    """With its own programs, its level of isolation, and its clocks."""
    clock_scale: float
    """What all clocks are multiplied by there."""


class Refused(Struct, frozen=True, tag=True):
    """The machine cannot play it."""

    reason: str
    """One sentence, or what the compiler said."""


Answer = Enlisted | Refused


class Played(Struct, frozen=True):
    """What became of a batch."""

    lines: bytes
    """A line for each result; a match without one is void."""
    seconds: float
