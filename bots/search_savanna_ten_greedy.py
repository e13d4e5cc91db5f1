"""How a greedy player likes each placement of Savanna Ten, as quickly as the evaluator judges them.

What `bots.judge_savanna_ten` says of a state after a placement is taken apart into what the
placement changes on each line, so that a table by pattern holds it. Two things are lost: the judge
looks at the best other side and at the best gap of the whole board, the table at those of each
line. In games of the bot `greedy` among three or four sides the placement that is liked best is as
good as any to the judge in 85 of 100 turns.
"""

from functools import cache
from typing import Final

import numpy as np

from bots.judge_savanna_ten import IN_HAND, LINE, LION, line_hopes
from bots.search_tree import Floats
from engine.evaluation.savanna_ten import THROUGH
from engine.evaluation.savanna_ten_patterns import Patterns, patterns_of
from engine.savanna_ten_lines import INFLUENCE, ONE_TILE, SHARES, TILES
from engine.savanna_ten_state import SavannaState

REPLY: Final = 0.5
"""How much the next side's hope in each line counts. Less than to the judge, which counts one."""
TIE: Final[np.float32] = np.float32(IN_HAND / 2)
"""Placements that differ by less are equals."""
COSTS: Final[Floats] = np.array(
    [[IN_HAND * INFLUENCE[tile]] for tile in TILES] + [[LION + IN_HAND]], np.float32
)
"""What laying each face costs. Shape (FACES, 1)."""


class GreedyPlayer:
    """A player that takes the best it can get now, among a number of sides."""

    def __init__(self, sides: int, seed: int) -> None:
        """`seed` says which one it takes of equals."""
        self._patterns = patterns_of(sides)
        self._gains = gains_of(sides)
        self._whims = np.random.default_rng(seed)

    def likes(self, state: SavannaState, side: int) -> Floats:
        """How it likes each placement for a side to move, in points. Shape (FACES · cells,).

        Of every face, in hand or not. Where a tile lies, the number has no meaning.
        """
        gains = self._gains.take(self._patterns.numbers(state.lines, side), axis=0)
        likes: Floats = (gains.T @ THROUGH)[:, :-1] - COSTS
        likes += self._whims.random(likes.shape, np.float32) * TIE
        return likes.reshape(-1)


@cache
def gains_of(sides: int) -> Floats:
    """By pattern: the points in it for the side to move by each face, less the reply to it.

    In points over the best other side. Shape (patterns + 1, FACES).
    """
    patterns = patterns_of(sides)
    points = patterns.points
    reply = replies_of(patterns)
    gains: Floats = points[..., 0] - points[..., 1:].max(axis=-1)
    gains -= REPLY * (reply[patterns.after] - reply[:, None])
    return gains


def replies_of(patterns: Patterns) -> Floats:
    """By pattern: the most that the next side can hope to gain on us. Shape (patterns + 1,)."""
    replies = np.zeros(patterns.complete + 1, np.float32)
    for line, number in patterns.frames[0].items():
        if (line & LINE) // ONE_TILE == 3:
            replies[number] = max(line_hopes(line & SHARES, 0, 1))
    return replies
