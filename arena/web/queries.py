"""From the words of a query to what is asked for."""

from collections.abc import Mapping
from typing import Any, Final

from arena.store.model import Filter

MOST_SEATS: Final = 99


class BadQuery(ValueError):  # noqa: N818  # reads as what is wrong
    """A page was asked for with words that mean nothing; one sentence."""


def wanted_of(words: Mapping[str, str]) -> Filter:
    """The matches that `game`, `options` as `k=v k=v`, `seats`, `run` and `bot` ask for.

    Raises:
        BadQuery: they ask for nothing that there could be.
    """
    options: dict[str, Any] = {}
    for pair in filter(None, words.get("options", "").split(" ")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadQuery(f"options are written k=v, not {pair[:40]!r}")
        options[name] = value
    return Filter(
        game=words.get("game") or None,
        options=options,
        seats=number_of(words, "seats", MOST_SEATS) if words.get("seats") else None,
        run=words.get("run") or None,
        bot=words.get("bot") or None,
    )


def number_of(words: Mapping[str, str], name: str, most: int, usual: int = 1) -> int:
    """A number from 1.

    Raises:
        BadQuery: it is none, or greater than it may be.
    """
    word = words.get(name, str(usual))
    if not (word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= most):
        raise BadQuery(f"{name} is a number from 1 to {most}, not {word[:40]!r}")
    return int(word)


def flag_of(words: Mapping[str, str], name: str) -> bool:
    """Whether a box is ticked.

    Raises:
        BadQuery: it is neither ticked nor left out.
    """
    word = words.get(name, "")
    if word not in ("", "1"):
        raise BadQuery(f"{name} is 1 or left out, not {word[:40]!r}")
    return bool(word)
