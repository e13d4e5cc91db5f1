"""What a state of Savanna Ten is worth: the points that each line and each tile is good for.

With *e* empty cells each side expects its score, plus for every line what the sides on average
still get from a line of its pattern, plus what its tiles in hand and in the pile are good for.
How surely a lead lasts depends on *e* alone.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.evaluation import Evaluator
from engine.evaluation.results import expected_results, final_results
from engine.evaluation.savanna_ten_patterns import FACES, patterns_of
from engine.evaluation.savanna_ten_stages import (
    LION_COST,
    Ahead,
    Floats,
    Weights,
    fitted_stages,
    make_stages,
    weights_key,
)
from engine.game import Table
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_course import variant_of
from engine.savanna_ten_lines import CELLS, LINES
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_wire import SavannaOptions

THROUGH: Final[Floats] = np.array(
    [[*(cell in cells for cell in range(len(CELLS))), True] for cells in LINES], np.float32
)
"""1 where a line goes through a cell; the last column is for the whole board. Shape (lines,
cells + 1)."""

_GAME: Final = SavannaTen()


class SavannaEvaluator(Evaluator):
    """The expected results on one table."""

    def __init__(self, table: Table[SavannaOptions], weights: Weights | None = None) -> None:
        self.sides = variant_of(table).sides
        """The side of each seat."""
        self._patterns = patterns_of(max(self.sides) + 1)
        fixed = make_stages(weights) if weights else fitted_stages(weights_key(table))
        self._here, self._ahead = fixed.here, fixed.ahead

    def results(self, state: SavannaState) -> Sequence[float]:
        """Each side's expected result, 0 … 1; tiles out of sight are looked at."""
        outcome = _GAME.outcome(state)
        if outcome is not None:
            return final_results(outcome, self.sides)
        stage = self._here[_empty(state)]
        side, count = self._to_move(state), self._patterns.sides
        expected = np.add.reduce(stage.lines.take(self._numbers(state, side), axis=0))
        for seat, owner in enumerate(self.sides):
            expected += stage.tiles[(owner - side) % count, state.hand(seat), state.pile(seat)]
        ahead = expected.tolist()
        scores = [now + ahead[of - side] for of, now in enumerate(_standing(state))]
        return expected_results(scores, stage.spread)

    def leads(self, state: SavannaState) -> Floats:
        """The lead over each other side to expect after each placement of the seat to act.

        A lead of x is an expected result of (1 + tanh x) / 2. Shape (sides − 1, FACES, cells): the
        others in the frame of the seat's side, every face of the game whether it is in hand or
        not, and numbers without a meaning where a tile lies.
        """
        stage = self._next(state)
        side, count = self._to_move(state), self._patterns.sides
        table = stage.lines.take(self._numbers(state, side), axis=0).T @ THROUGH
        table.shape = (count - 1, FACES + 1, len(CELLS) + 1)
        standing = _standing(state)
        own, others = standing[side], standing[side + 1 :] + standing[:side]
        common = np.array([(own - other) / stage.unit for other in others], np.float32)
        common += table[:, FACES, -1]
        for seat, owner in enumerate(self.sides):
            common += stage.tiles[(owner - side) % count, state.hand(seat), state.pile(seat)]
        faces = stage.faces[state.hand(state.step.seat)] + common[:, None]
        leads: Floats = table[:, :FACES, :-1] + faces[:, :, None]
        return leads

    def spare_tile(self, state: SavannaState) -> int:
        """The kind of tile that the seat to act misses least: the one to lay as a Lion."""
        return self._next(state).spare[state.hand(state.step.seat)]

    def _next(self, state: SavannaState) -> Ahead:
        stage = self._ahead[_empty(state)]
        assert stage is not None
        return stage

    def _to_move(self, state: SavannaState) -> int:
        """The side that is to place the next tile."""
        return self.sides[(state.step.turn - 1) % len(self.sides)]

    def _numbers(self, state: SavannaState, side: int) -> list[int]:
        return self._patterns.numbers(state.lines, side)


def _empty(state: SavannaState) -> int:
    return 1 + len(CELLS) - state.step.turn


def _standing(state: SavannaState) -> list[float]:
    """The score of each side, less what its Lions cost."""
    return [
        score - LION_COST * lions for score, lions in zip(state.scores, state.lions, strict=True)
    ]
