"""What an error means to a user: an exit status and one sentence."""

import re
from typing import Final

import typer

from arena.cli import NO, REFUSED, WORDS

STATUS: Final = {
    "arena.check.checker.UnknownRule": WORDS,
    "arena.ratings.RatingError": WORDS,
    "arena.tournament.cluster.link.ClusterError": REFUSED,
    "arena.tournament.config.SettingsError": WORDS,
    "arena.tournament.entry.BadName": WORDS,
    "arena.tournament.prepare.FormatError": WORDS,
    "engine.game.TableError": WORDS,
    "engine.registry.UnknownGame": WORDS,
    "arena.referee.faults.CannotStart": REFUSED,
    "arena.referee.faults.HostFault": REFUSED,
    "arena.replay.Mismatch": REFUSED,
    "arena.store.errors.StoreError": REFUSED,
    "arena.toml.TomlError": REFUSED,
    "arena.web.server.CannotServe": REFUSED,
    "arena.web.site.SiteError": REFUSED,
    "arena.tournament.farm.WorkerDied": REFUSED,
    "engine.guarded.GameFault": REFUSED,
    "protocol.record.RecordError": REFUSED,
}
"""The errors that a user can cause; by name, since importing them all would take long."""


def explained(error: Exception) -> tuple[int, str]:
    """The exit status of an error, and what to say of it.

    Raises:
        Exception: the error itself, where no user can cause it: a defect of ours.
    """
    cause = error
    while isinstance(cause, ExceptionGroup):
        cause = cause.exceptions[0]
    if isinstance(cause, typer.Abort):
        return NO, "arena: nothing was changed"
    if isinstance(cause, typer.TyperException):
        return WORDS, _of_the_words(cause)
    for kind in type(cause).__mro__:
        status = STATUS.get(f"{kind.__module__}.{kind.__qualname__}")
        if status is not None:
            return status, f"arena: {cause}"
    if isinstance(cause, OSError) and cause.strerror:
        place = cause.filename if cause.filename is not None else "the output"
        return REFUSED, f"arena: {place}: {cause.strerror}"
    raise error


def _of_the_words(error: typer.TyperException) -> str:
    """What is wrong with the words of the command, and where they are explained."""
    text = error.format_message().strip().rstrip(".")
    if text.startswith("Usage:"):
        return text
    text = re.sub(r"^Invalid value(?: for '?(.+?)'?(?: \(.*?\))?)?: ", _place, text)
    text = text.replace("a valid int range", "a whole number")
    context = getattr(error, "ctx", None)
    hint = f"; see `{context.command_path} --help`" if context is not None else ""
    return f"arena: {text[:1].lower()}{text[1:]}{hint}"


def _place(found: re.Match[str]) -> str:
    return f"{found[1]}: " if found[1] else ""
