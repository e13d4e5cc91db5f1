"""What a check found: a result per rule, and advice."""

from typing import Literal, TypeAlias

from msgspec import Struct

Outcome: TypeAlias = Literal["ok", "failed", "skipped"]


class Result(Struct, frozen=True, omit_defaults=True):
    """How one rule came out."""

    rule: str
    """Its name, for programs."""
    title: str
    """What the bot does that follows it."""
    outcome: Outcome
    detail: str = ""
    """What was seen; why it was skipped."""
    sent: str = ""
    """The line that the bot did not take right, escaped and cut."""
    received: str = ""
    """What it said to that."""
    mend: str = ""
    """What to do about it."""


class Advice(Struct, frozen=True):
    """Something measured that is nobody's fault."""

    name: str
    text: str
    value: float | None = None
    """In the unit that the text gives: milliseconds or MiB."""


class Report(Struct, frozen=True):
    """A whole check."""

    bot: str
    digest: str
    isolation: str
    passed: bool
    rules: tuple[Result, ...]
    untried: tuple[str, ...]
    """Rules that are tried when those before them are kept."""
    advice: tuple[Advice, ...]
