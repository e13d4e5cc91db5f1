"""What is done about bots before they are run: building them, and warning of what is not held."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from arena.referee.sandbox import Level
    from arena.tournament.entry import Entry


def build_all(entries: "Iterable[Entry]", level: "Level", trust: bool) -> "tuple[Entry, ...]":
    """The entries, with programs that are there; it is said what the level does not hold of them.

    Raises:
        CannotStart: one cannot be built; what the compiler said is in the message.
        HostFault: the host has no means to.
    """
    ready = tuple(entry if not entry.build else _build(entry, level, trust) for entry in entries)
    warn(level, ready)
    return ready


def _build(entry: "Entry", level: "Level", trust: bool) -> "Entry":
    from arena.cli.trio_runner import run_async
    from arena.tournament.build import built

    return run_async(built, entry, level, trust, announce)


def warn(level: "Level", entries: "Iterable[Entry]") -> None:
    """Say what a level of isolation does not hold, and of which bots."""
    from arena.referee.levels import warnings

    programs = [entry.program for entry in entries if entry.program.command]
    for sentence in warnings(level, programs):
        typer.echo(sentence, err=True)


def announce(text: str) -> None:
    """Say that a build begins."""
    typer.echo(text, err=True)
