"""What a state of Herd is worth: the chance to win, by a small network fitted on self-play."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import log
from typing import Final

import numpy as np

from engine.evaluation import Evaluator
from engine.evaluation.herd_cells import (
    IS_ENEMY,
    IS_OPEN,
    IS_PREY,
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


class HerdEvaluator(Evaluator):
    """The expected results on one board size."""

    def __init__(self, size: int, weights: Weights | None = None) -> None:
        self._grid = grid_of(size)
        self._network = Network(weights or fitted(size), self._grid)
        self.removals = [f"remove@{name}" for name in self._grid.names]
        self.placements = [f"place@{name}" for name in self._grid.names]

    def results(self, state: HerdState) -> Sequence[float]:
        """Each seat's chance to win. The turn limit is not foreseen."""
        return self.results_of([state])[0]

    def results_of(self, states: Sequence[HerdState]) -> Sequence[Sequence[float]]:
        """`results` of each state; those of one phase are judged at once."""
        found: list[Sequence[float]] = [()] * len(states)
        phases: dict[int, list[int]] = {}
        for number, state in enumerate(states):
            outcome = _GAME.outcome(state)
            if outcome is None:
                phases.setdefault(_phase(state), []).append(number)
            else:
                found[number] = final_results(outcome, (0, 1))
        for phase, numbers in phases.items():
            some = [states[number] for number in numbers]
            for number, own in zip(numbers, self._movers_results(phase, some), strict=True):
                found[number] = (1 - own, own) if _mover(states[number]) else (own, 1 - own)
        return found

    def _movers_results(self, phase: int, states: Sequence[HerdState]) -> Iterator[float]:
        """The chance to win of the seat to act in each state of a phase."""
        kinds, empty = self._seen(states)
        remove, place = (np.array(of) for of in zip(*map(_to_do, states), strict=True))
        stages = self._network.stages(phase, empty, remove, place)
        return map(logistic, self._network.odds(phase, kinds, stages).tolist())

    def ahead(self, states: Sequence[HerdState]) -> Floats:
        """The log-odds of the seat to act after an action on each place, −∞ where it is not legal.

        The states are of one turn, with as much to remove and to place. The actions are
        `removals` where stones are to be removed, else `placements`. Shape (places, states).
        """
        kinds, empty = self._seen(states)
        step, stage = self._step(states[0], empty)
        odds = self._network.odds_after(step, kinds, stage)
        legal = (IS_ENEMY if states[0].remove else IS_OPEN).take(kinds)
        odds[~legal] = -np.inf
        if states[0].remove:
            return odds
        for place, column in zip(*self._special(kinds, legal).nonzero(), strict=True):
            state = states[column]
            after = _GAME.apply(state, self.placements[place])
            odds[place, column] = log_odds(self.results(after)[_mover(state)])
        return odds

    def _seen(self, states: Sequence[HerdState]) -> tuple[Ints, Ints]:
        """The kinds of the cells in the frame of the side whose turn it is; how many are empty.

        Shapes (places, states) and (states,).
        """
        boards = [_own_and_enemy(state) for state in states]
        empty = [self._grid.cells - (own | enemy).bit_count() for own, enemy in boards]
        return self._grid.kinds(self._grid.boards(boards)), np.array(empty)

    def _step(self, state: HerdState, empty: Ints) -> tuple[Step, Floats]:
        """The sort of the next action, and the stages after it."""
        network, remove, place = self._network, state.remove, state.place
        if remove > 1:
            return network.removal, network.stages(REMOVING, empty + 1, remove - 1, place)
        if remove == 1:
            return network.last_removal, network.stages(PLACING, empty + 1, 0, place)
        if place > 1:
            return network.placement, network.stages(PLACING, empty - 1, 0, place - 1)
        return network.last_placement, network.stages(ROLLING, empty - 1, 0, 0)

    def _special(self, kinds: Ints, legal: Flags) -> Flags:
        """The placements that must be tried: they capture, or none is left after them."""
        special: Flags = legal & (np.add.reduce(legal) == 1)
        prey = IS_PREY.take(kinds)
        if prey.any():
            beside = self._grid.around(self._grid.bordered(prey.astype(np.int8)))
            special |= legal & (beside > 0)
        return special


def _phase(state: HerdState) -> int:
    """The network that judges a state."""
    return ROLLING if not state.dice else REMOVING if state.remove else PLACING


def _to_do(state: HerdState) -> tuple[int, int]:
    return state.remove, state.place


def log_odds(result: float) -> float:
    """The logarithm of the odds of a chance, at most SURE."""
    least = logistic(-SURE)
    clipped = min(max(result, least), 1 - least)
    return log(clipped / (1 - clipped))


def _mover(state: HerdState) -> int:
    return (state.turn - 1) % 2


def _own_and_enemy(state: HerdState) -> tuple[int, int]:
    black, white = state.stones
    return (white, black) if _mover(state) else (black, white)


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
