"""Herd as the tree search sees it.

An action is one small step of a turn, a removal or a placement, numbered by its place on the board.
The roll that opens the next turn is chance. Herd has no secrets.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import repeat
from random import Random
from typing import Final

import numpy as np

from bots.search_tree import NEVER, Floats, Sight
from engine.evaluation.herd import HerdEvaluator
from engine.evaluation.herd_network import Weights
from engine.evaluation.results import final_results
from engine.game import CHANCE, Table
from engine.herd import ROLL_NAMES, Herd, HerdState
from engine.herd_board import board_of
from engine.herd_wire import HerdOptions, HerdView

TEMPERATURE: Final = 0.05
"""An action that looks worse by this much of a win gets e times less of the bonus."""

GAME: Final = Herd()


class HerdDomain:
    """The game on one table."""

    def __init__(self, table: Table[HerdOptions], weights: Weights | None = None) -> None:
        self._table = table
        self._evaluator = HerdEvaluator(table.options.size, weights)
        self._anything: Floats = np.zeros(len(self._evaluator.removals), np.float32)

    def sampler(self, view: HerdView, seat: int, rng: Random) -> Callable[[], HerdState]:
        """Always the one state that the view shows."""
        return repeat(GAME.sample(self._table, view, seat, rng)).__next__

    def look(self, state: HerdState) -> Sight:
        """The evaluator's view of every action, and of the best one."""
        side = (state.turn - 1) % 2
        odds, legal = self._evaluator.ahead(state)
        values: Floats = np.tanh(odds / 2) / 2 + 0.5
        values[~legal] = NEVER
        best = float(values.max())
        priors: Floats = np.exp((values - best) / TEMPERATURE)
        return Sight(side, values, priors, (1 - best, best) if side else (best, 1 - best))

    def mask(self, state: HerdState) -> Floats:  # noqa: ARG002  # all know what is legal
        """The actions of a node are always the same."""
        return self._anything

    def play(self, state: HerdState, action: int, rng: Random) -> tuple[HerdState, Hashable]:
        """Remove or place a stone; where that ends the turn the dice are rolled."""
        state = GAME.apply(state, self.name(state, action))
        if GAME.to_act(state) != CHANCE:
            return state, action
        state = GAME.apply(state, ROLL_NAMES[int(rng.random() * len(ROLL_NAMES))])
        return state, (action, *sorted(state.dice))

    def final(self, state: HerdState) -> Sequence[float] | None:
        """Each side's result at the end of the game."""
        outcome = GAME.outcome(state)
        return None if outcome is None else final_results(outcome, (0, 1))

    def name(self, state: HerdState, action: int) -> str:
        """The action as the protocol has it, for the seat to act."""
        names = self._evaluator.removals if state.remove else self._evaluator.placements
        return names[action]

    def seen(self, action: int) -> str:
        """The cell."""
        return self._evaluator.placements[action]

    def due(self, state: HerdState) -> int:
        """What is left to remove and to place."""
        return state.remove + state.place

    def turns(self, state: HerdState) -> float:
        """The fewer cells are empty, the fewer."""
        black, white = state.stones
        empty = len(board_of(state.size).cells) - black.bit_count() - white.bit_count()
        return 1 + empty / 4
