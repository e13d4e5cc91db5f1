"""What each level of isolation holds and what it does not, for `arena doctor` and the records."""

import os
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from arena.referee import users
from arena.referee.program import Program
from arena.referee.sandbox import Level, why_no_bwrap


class Description(Struct, frozen=True):
    """A level in words."""

    level: Level
    holds: tuple[str, ...]
    """What a bot cannot do."""
    misses: tuple[str, ...]
    """What a bot can do, and the next level holds."""
    raised_by: str | None
    """What keeps the next level from working, and the command that mends it; None: nothing."""


_TREE: Final = "processes that outlive the match, also daemons"
_LIMITS: Final = "memory, processes and file sizes over the limits"
_ENVIRONMENT: Final = "secrets in the environment, and open files of the arena"
_PEEKING: Final = "the arena's memory"
_OTHERS: Final = "signals to the arena and to other bots, and writing to their pipes"
_FILES: Final = "files of the arena, its store and other bots, to write"


def describe(level: Level) -> Description:
    """What a level holds on this machine for whoever runs the arena."""
    if level is Level.BWRAP:
        everything = (_TREE, _LIMITS, _ENVIRONMENT, _PEEKING, _OTHERS, _FILES)
        more = ("files of anybody's home to read", "the network", "shared memory", "a full disk")
        return Description(level, everything + more, ("flaws of the kernel",), None)
    if level is Level.PROCESS:
        return _process()
    return Description(
        level,
        (_TREE,),
        (_LIMITS, _ENVIRONMENT, *_process().misses),
        "run with --isolation process",
    )


def warnings(level: Level, programs: Iterable[Program]) -> Iterator[str]:
    """What is to be said before programs are played at a level."""
    if level is not Level.BWRAP:
        yield f"isolation {level} holds little: play trusted bots only"
    if level is Level.PROCESS and os.geteuid() == 0:
        names: dict[str, list[str]] = {}
        for program in programs:
            if closed := users.why_not(program):
                names.setdefault(closed, []).append(program.name)
        for closed, bots in names.items():
            yield f"run as root, with all its rights: {', '.join(bots)}, since {closed}"


def _process() -> Description:
    root = os.geteuid() == 0
    always = (_TREE, _LIMITS, _ENVIRONMENT, _PEEKING)
    apart = (_OTHERS, _FILES)
    misses = ("files that others may read", "the network", "shared memory", "a full disk")
    return Description(
        Level.PROCESS,
        always + (apart if root else ()),
        misses if root else (*apart, *misses),
        why_no_bwrap() or "run with --isolation bwrap",
    )
