"""Every action that is not legal is refused, and in a sentence that is safe to print."""

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from engine.game import IllegalAction
from engine.testing.walks import Position, Walk, on_walks

CODE: Final = re.compile(r"[a-z]+(-[a-z]+)*")
LONGEST_DETAIL: Final = 400
FOREIGN: Final = (
    "",
    " ",
    "@",
    "x",
    "pass",
    "A1",
    "null",
    "-1",
    "e2e4",
    "x@Z0",
    "place@A1",
    "zebra/lion@A1",
    "roll@1,2",
    "roll@0,7",
    "draw@0:zebra",
    "\0",
    "\n",
    "é@A1",
    "\U0001f981",
    "\ud800",
    "x@A" + "1" * 5_000,
    "x" * 70_000,
)
"""Strings that are no action, or that of some other game."""


@on_walks
def check_refusals(walk: Walk) -> None:
    """Every action that is not legal raises IllegalAction, and nothing else."""
    rng = Random(walk.deal)
    heard: dict[str, None] = {}
    for position in walk:
        options = position.options()
        heard.update(dict.fromkeys(options))
        tried = [*FOREIGN, *_spoilt(options), *rng.sample(list(heard), min(20, len(heard)))]
        allowed = set(options)
        for action in tried:
            if action not in allowed:
                _check_refusal(position, action)


def _spoilt(actions: Sequence[str]) -> Iterator[str]:
    """An action with another case, a space, a line end, a byte too many."""
    for action in actions[:1]:
        yield from (action.upper(), action.title(), f" {action}", f"{action} ", f"{action}\n")
        yield from (f"{action}\0", f"{action}0", f"{action}@A1", f"/{action}", f"{action},{action}")


def _check_refusal(position: Position, action: str) -> None:
    shown = ascii(action[:60])
    try:
        position.game.apply(position.state, action)
    except IllegalAction as error:
        if not CODE.fullmatch(error.code):
            position.fail(f"the code for {shown} is lower-case words, but is {error.code!r}")
        detail = error.detail
        plain = detail.isascii() and detail.isprintable() and 0 < len(detail) <= LONGEST_DETAIL
        if not plain:
            position.fail(
                f"the detail for {shown} is a sentence of printable ASCII of at most"
                f" {LONGEST_DETAIL} characters, but is {detail[:LONGEST_DETAIL]!a}"
            )
    except Exception as error:  # whatever a game's method may raise
        position.fail(f"{shown} only raises IllegalAction, but raised {error!r}")
    else:
        position.fail(f"{shown} is refused, because it is not legal")
