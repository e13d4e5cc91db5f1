"""What people are shown: the board as text, and the effects of actions."""

import re
from collections.abc import Sequence
from typing import Final

from engine.game import Effect
from engine.testing.walks import Position, Walk, decode, encode, on_walks

COLUMNS: Final = 80
CELL: Final = re.compile(r"[A-Z][0-9]+")


@on_walks
def check_text(walk: Walk) -> None:
    """`text` gives lines of at most 80 columns for every view, without a final newline."""
    for position in walk.some(20):
        game, state = position.game, position.state
        views = [game.view(state, seat) for seat in position.audience]
        for view in (*views, game.open_view(state)):
            text = game.text(position.table, view)
            if text != game.text(position.table, decode(encode(view), game.view_type)):
                position.fail("text is the same for a view that went through JSON")
            _check_lines(position, text)


def _check_lines(position: Position, text: str) -> None:
    if not text or text.endswith("\n"):
        position.fail("text is not empty and has no final newline")
    for line in text.split("\n"):
        if len(line) > COLUMNS:
            position.fail(f"a line of text has at most {COLUMNS} columns, not {len(line)}: {line}")
        if not line.isprintable():
            position.fail(f"a line of text has no control characters, but is {line!r}")


@on_walks
def check_effects(walk: Walk) -> None:
    """`effects` gives labelled effects that name cells and sides."""
    sides = set(walk.start.game.sides(walk.start.table))
    for position in walk:
        for effect in _effects(position):
            if type(effect) is not Effect:
                position.fail(f"an effect is an Effect, but is {type(effect).__name__}")
            if not effect.label or not effect.label.isprintable():
                position.fail(f"an effect has a label, a few words, not {effect.label!a}")
            if not all(CELL.fullmatch(cell) for cell in effect.cells):
                position.fail(f"an effect's cells are of the form {CELL.pattern}: {effect.cells}")
            if not set(effect.points) <= sides:
                position.fail(f"an effect gives points to sides, but to {set(effect.points)}")


def _effects(position: Position) -> Sequence[Effect]:
    """What the action that led here brought about."""
    before = position.before
    if before is None:
        return ()
    return position.game.effects(before.state, position.action, position.state)
