"""What a state of Herd is worth: the chance to win, by a small network fitted on self-play."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from engine.evaluation.herd_cells import (
    IS_ENEMY,
    IS_OPEN,
    IS_PREY,
    Array,
    Flags,
    Ints,
    grid_of,
)
from engine.evaluation.herd_network import (
    PLACING,
    REMOVING,
    ROLLING,
    Floats,
    Network,
    Step,
    Weights,
)
from engine.evaluation.results import final_results, logistic
from engine.herd import Herd, HerdState

SURE: Final = 15.0
"""The log-odds of a game that is won."""

_GAME: Final = Herd()


class HerdEvaluator:
    """The expected results on one board size."""

    def __init__(self, size: int, weights: Weights | None = None) -> None:
        self._grid = grid_of(size)
        self._network = Network(weights or fitted(size), self._grid)
        self.removals = [f"remove@{name}" for name in self._grid.names]
        self.placements = [f"place@{name}" for name in self._grid.names]

    def results(self, state: HerdState) -> Sequence[float]:
        """Each seat's chance to win. The turn limit is not foreseen."""
        outcome = _GAME.outcome(state)
        if outcome is not None:
            return final_results(outcome, (0, 1))
        phase = ROLLING if not state.dice else REMOVING if state.remove else PLACING
        kinds, empty = self._seen(state)
        stage = self._network.stage(phase, empty, state.remove, state.place)
        result = logistic(float(self._network.odds(phase, kinds, stage)))
        return (result, 1 - result) if state.turn % 2 else (1 - result, result)

    def ahead(self, state: HerdState) -> tuple[Floats, Flags]:
        """The log-odds of the seat to act after an action on each place, and where it is legal.

        The actions are `removals` where stones are to be removed, else `placements`. Where an
        action is not legal the number has no meaning. Shapes (places,).
        """
        kinds, empty = self._seen(state)
        step, stage = self._step(state, empty)
        odds = self._network.odds_after(step, kinds, stage)
        if state.remove:
            return odds, IS_ENEMY.take(kinds)
        legal = IS_OPEN.take(kinds)
        for place in self._special(kinds, legal):
            after = _GAME.apply(state, self.placements[place])
            odds[place] = _odds_of(self.results(after)[(state.turn - 1) % 2])
        return odds, legal

    def _seen(self, state: HerdState) -> tuple[Ints, int]:
        """The kinds of the cells in the frame of the side whose turn it is; the empty cells."""
        black, white = state.stones
        own, enemy = (black, white) if state.turn % 2 else (white, black)
        kinds = self._grid.kinds(self._grid.board(own, enemy))
        return kinds, self._grid.cells - black.bit_count() - white.bit_count()

    def _step(self, state: HerdState, empty: int) -> tuple[Step, Floats]:
        """The sort of the next action, and the stage after it."""
        network, remove, place = self._network, state.remove, state.place
        if remove > 1:
            return network.removal, network.stage(REMOVING, empty + 1, remove - 1, place)
        if remove == 1:
            return network.last_removal, network.stage(PLACING, empty + 1, 0, place)
        if place > 1:
            return network.placement, network.stage(PLACING, empty - 1, 0, place - 1)
        return network.last_placement, network.stage(ROLLING, empty - 1)

    def _special(self, kinds: Ints, legal: Flags) -> Array:
        """The places that must be tried: a stone there captures, or it is the last one open."""
        if np.count_nonzero(legal) == 1:
            return legal.nonzero()[0]
        prey = IS_PREY.take(kinds)
        if not prey.any():
            return np.empty(0, np.intp)
        beside = self._grid.around(self._grid.bordered(prey.astype(np.int16)))
        return (legal & (beside > 0)).nonzero()[0]


def _odds_of(result: float) -> float:
    """The log-odds of a chance, at most SURE."""
    clipped = min(max(result, 1e-9), 1 - 1e-9)
    return float(min(max(np.log(clipped / (1 - clipped)), -SURE), SURE))


@cache
def fitted(size: int) -> Weights:
    """The weights that were fitted for a board size, or for the one nearest to it."""
    with (files(__package__) / "herd.npz").open("rb") as file:
        arrays = np.load(file)
        sizes = {int(name.partition("/")[0]) for name in arrays.files}
        nearest = min(sizes, key=lambda other: abs(other - size))
        return Weights(
            *(arrays[f"{nearest}/{name}"].astype(np.float32) for name in Weights.__struct_fields__)
        )
