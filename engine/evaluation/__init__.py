"""What a state is worth: for each built-in game a fixed function, fitted on self-play.

An evaluator looks at the whole state, secrets included, and says what each side can expect. It adds
up what small patterns of the board are worth, in Savanna Ten as a sum and in Herd through a small
network, so a value costs some tens of microseconds. How the weights were made, and how to make them
again, stands in docs/strength.md.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from engine.game import AnyGame, AnyTable


class Evaluator(Protocol):
    """The expected results in one game on one table."""

    def results(self, state: Any) -> Sequence[float]:
        """Each side's expected result, 0 … 1.

        A result is the share of the other sides that a side ranks ahead of, ties counted half:
        between two sides the chance to win. At the end of a game it is the result itself.
        """

    def results_of(self, states: Sequence[Any]) -> Sequence[Sequence[float]]:
        """`results` of each state, which may cost less together."""
        return [self.results(state) for state in states]


def evaluator(game: AnyGame, table: AnyTable) -> Evaluator | None:
    """The evaluator of a game, None where it has none. Its tables are read when first needed."""
    if game.name == "savanna-ten":
        from engine.evaluation.savanna_ten import SavannaEvaluator

        return SavannaEvaluator(table)
    if game.name == "herd":
        from engine.evaluation.herd import HerdEvaluator

        return HerdEvaluator(table.options.size)
    return None
