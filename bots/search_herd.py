"""Herd as the tree search sees it.

An action of the tree is a whole turn: the order of its removals and placements hardly matters, so a
beam search finds the good turns of a state, and the tree weighs them by what the dice and the other
seat make of them. Herd has no secrets.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import repeat
from operator import attrgetter
from random import Random
from typing import Final

import numpy as np

from bots.search_herd_turns import Turn, good_turns, quick_turns
from bots.search_tree import Floats, Sight
from engine.evaluation.herd import HerdEvaluator, log_odds
from engine.evaluation.herd_network import Weights
from engine.evaluation.results import final_results, logistic
from engine.game import CHANCE, Table
from engine.herd import ROLLS, Herd, HerdState
from engine.herd_board import board_of
from engine.herd_wire import HerdOptions, HerdView

MOST_TURNS: Final = 16
FEWEST_TURNS: Final = 6
"""How many turns are weighed at the root of the tree at most, and on the largest boards."""
CELLS_WEIGHED: Final = 1000
"""The cells of all these turns together: what one costs grows with the board."""
TEMPERATURE: Final = 0.15
"""A turn that looks worse by this much of a win gets e times less of the bonus."""

GAME: Final = Herd()
SORTED_ROLLS: Final = [f"roll@{min(dice)},{max(dice)}" for dice in ROLLS.values()]
"""The 36 rolls: which die shows what makes no difference."""
ANY: Final[Floats] = np.zeros(1, np.float32)
"""The mask that allows everything."""


class HerdDomain:
    """The game on one table."""

    def __init__(self, table: Table[HerdOptions], weights: Weights | None = None) -> None:
        self._table = table
        self._evaluator = HerdEvaluator(table.options.size, weights)
        cells = len(board_of(table.options.size).cells)
        self.width = max(FEWEST_TURNS, min(CELLS_WEIGHED // cells, MOST_TURNS))
        """How many turns are weighed at the root of the tree."""
        self._begin(GAME.initial(table), Random(0))

    def sampler(self, view: HerdView, seat: int, rng: Random) -> Callable[[], HerdState]:
        """Always the one state that the view shows."""
        state = GAME.sample(self._table, view, seat, rng)
        self._begin(state, rng)
        return repeat(state).__next__

    def limit(self, state: HerdState, legal: Sequence[str]) -> None:
        """Only turns that begin with one of these."""
        turns = [turn for action in legal for turn in self._beginning(state, action)]
        self._turns[state] = sorted(turns, key=attrgetter("odds"), reverse=True)[: self.width]

    def look(self, state: HerdState) -> Sight:
        """The evaluator's view of the good turns, and of the best one."""
        if state not in self._turns:
            self._find(state)
        turns = self._turns[state]
        side = (state.turn - 1) % 2
        values: Floats = np.array([logistic(turn.odds) for turn in turns], np.float32)
        best = logistic(turns[0].odds)
        priors: Floats = np.exp((values - values[0]) / np.float32(TEMPERATURE))
        return Sight(side, values, priors, (1 - best, best) if side else (best, 1 - best))

    def mask(self, state: HerdState) -> Floats:  # noqa: ARG002  # all know what is legal
        """The turns of a node are always the same."""
        return ANY

    def play(
        self,
        state: HerdState,
        action: int,
        rng: Random,  # noqa: ARG002  # the rolls were shuffled beforehand
    ) -> tuple[HerdState, Hashable]:
        """The turn, and the dice of the next one.

        All turns are tried on the same dice: each on a shuffled deck of the 36 rolls, from the top.
        """
        state = self._turns[state][action].state
        if GAME.to_act(state) != CHANCE:
            return state, action
        self._rolled[state] += 1
        state = GAME.apply(state, self._rolls[self._rolled[state] % len(self._rolls)])
        return state, (action, state.dice)

    def final(self, state: HerdState) -> Sequence[float] | None:
        """Each side's result at the end of the game."""
        outcome = GAME.outcome(state)
        return None if outcome is None else final_results(outcome, (0, 1))

    def names(self, state: HerdState, action: int) -> Sequence[str]:
        """The removals and placements of a turn."""
        return self._turns[state][action].actions

    def seen(self, action: int) -> str:
        """A turn of the root, which hides nothing; a line goes no further, the dice end it."""
        return " ".join(self.names(self._root, action))

    def turns(self, state: HerdState) -> float:
        """The fewer cells are empty, the fewer."""
        black, white = state.stones
        empty = len(board_of(state.size).cells) - black.bit_count() - white.bit_count()
        return 1 + empty / 4

    def _find(self, state: HerdState) -> None:
        """Find turns of the root; of another state one, and of those like it on the way.

        All the turns of the root will meet the same dice.
        """
        if state == self._root:
            self._turns[state] = good_turns(self._evaluator, state, self.width)[: self.width]
            return
        alike = [state]
        if state.turn == self._root.turn + 1:
            roll = f"roll@{state.dice[0]},{state.dice[1]}"
            ends = (turn.state for turn in self._turns[self._root])
            alike = [GAME.apply(end, roll) for end in ends if GAME.to_act(end) == CHANCE]
        for other, turn in zip(alike, quick_turns(self._evaluator, alike), strict=True):
            self._turns[other] = [turn]

    def _beginning(self, state: HerdState, action: str) -> Sequence[Turn]:
        """The good turns that begin with an action."""
        after = GAME.apply(state, action)
        if after.turn == state.turn and after.remove + after.place:
            turns = good_turns(self._evaluator, after, self.width)
            return [turn._replace(actions=(action, *turn.actions)) for turn in turns]
        side = (state.turn - 1) % 2
        return [Turn(log_odds(self._evaluator.results(after)[side]), after, (action,))]

    def _begin(self, root: HerdState, rng: Random) -> None:
        """Forget all, for another search."""
        self._root = root
        self._turns: dict[HerdState, list[Turn]] = {}
        self._rolled: Counter[HerdState] = Counter()
        self._rolls = rng.sample(SORTED_ROLLS, len(SORTED_ROLLS))
