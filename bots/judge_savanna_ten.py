"""What a state of Savanna Ten is worth: the lead, and what the next seat can make of the board."""

from collections.abc import Mapping
from functools import cache
from math import exp, sqrt
from typing import Final

from bots.judge import lead
from engine.savanna_ten_course import VARIANTS
from engine.savanna_ten_lines import (
    INFLUENCE,
    LINE_BITS,
    LINES,
    ONE_TILE,
    SHARES,
    SIDE_BITS,
    judge,
)
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import HANDS
from engine.savanna_ten_wire import Face

CHANCES: Final[Mapping[Face, float]] = {
    "lion": 1.0,
    "monkey": 0.67,
    "zebra": 0.53,
    "giraffe": 0.38,
    "elephant": 0.2,
}
"""How likely a seat can show a face: it holds 2 tiles of a full set for 2, and a Lion always."""

REPLY: Final = 0.9
"""How much the next seat's hope counts: less than points that are made."""
LION: Final = 0.01
"""What a Lion on the board costs: it can only matter on equal scores."""
IN_HAND: Final = 0.001
"""What influence in the hand is worth: among equals the lower tile is placed."""

LINE: Final = 8 * ONE_TILE - 1
"""The bits of one packed line."""


def worth(state: SavannaState, seat: int) -> float:
    """The lead in points, less what the next seat is likely to gain on it."""
    sides = VARIANTS[state.variant].sides
    side, next_side = sides[seat], sides[(seat + 1) % len(sides)]
    hand = sum(INFLUENCE[tile] for tile in HANDS[state.hand(seat)])
    return (
        lead(state.scores, side)
        - REPLY * _reply(state, side, next_side)
        - LION * state.lions[side]
        + IN_HAND * hand
    )


def share(state: SavannaState, seat: int) -> float | None:
    """The chance to win between two sides.

    A logistic curve that was fitted to games of the greedy bot against itself.
    """
    if len(state.scores) > 2:
        return None
    return 1 / (1 + exp(-worth(state, seat) / sqrt(state.board.count(0) + 0.5)))


def _reply(state: SavannaState, side: int, next_side: int) -> float:
    """The most points that the next side can hope to gain on ours with one tile."""
    hopes: dict[int, list[tuple[float, ...]]] = {}
    for number, cells in enumerate(LINES):
        line = state.lines >> number * LINE_BITS & LINE
        if line // ONE_TILE == 3:
            gap = next(cell for cell in cells if not state.board[cell])
            hopes.setdefault(gap, []).append(line_hopes(line & SHARES, side, next_side))
    return max((max(map(sum, zip(*of_gap, strict=True))) for of_gap in hopes.values()), default=0.0)


@cache
def line_hopes(line: int, side: int, next_side: int) -> tuple[float, ...]:
    """For each face what the next side can hope to gain on ours by it in a line's last cell."""
    return tuple(
        chance * (points[next_side] - points[side])
        for face, chance in CHANCES.items()
        for points in [judge(line + (INFLUENCE[face] << next_side * SIDE_BITS), next_side)]
    )
