"""Words for messages: values quoted safely, lists written out."""

from collections.abc import Iterable

LONGEST_QUOTE = 60
"""Characters of a quoted value that are shown at most."""


def quoted(value: object) -> str:
    """A value as printable ASCII on one line, strings in quotes, cut where it is long."""
    if isinstance(value, str):
        value = value[: LONGEST_QUOTE + 1]
    shown = ascii(value)
    return shown if len(shown) <= LONGEST_QUOTE else f"{shown[: LONGEST_QUOTE - 4]}...{shown[-1]}"


def listed(words: Iterable[object], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; `none` where there are no words."""
    *head, tail = [str(word) for word in words] or ["none"]
    return f"{', '.join(head)} {last} {tail}" if head else tail
