"""A small neural network that says who is likely to win at Herd.

Its input is how many cells there are of each kind (`engine.evaluation.herd_cells`), and the stage
of the game. A hidden layer of rectified units and one linear unit lead to the logarithm of the
odds. What an action changes in the first layer is a sum over the cell and those beside it, so
all actions of a state are weighed at once, as in an efficiently updatable network (Nasu, 2018).

Three networks share the work: before a roll, while stones are to be removed, and while stones are
to be placed. Each sees the board in the frame of the side whose turn it is.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.evaluation.herd_cells import (
    LESS_ENEMY,
    MORE_OWN,
    NOWHERE,
    PLACED,
    REMOVED,
    SWAPPED,
    Array,
    Grid,
    Ints,
)

Floats: TypeAlias = NDArray[np.float32]

ROLLING: Final = 0
REMOVING: Final = 1
PLACING: Final = 2

KNOTS: Final = np.array([0, 0.08, 0.2, 0.4, 0.7, 1])
"""Between these shares of empty cells the stage is interpolated."""
MOST_REMOVED: Final = 6
MOST_PLACED: Final = 7
STAGES: Final = len(KNOTS) + MOST_REMOVED + 1 + MOST_PLACED + 1
"""How many numbers tell the stage."""


class Weights(Struct, frozen=True):
    """What was fitted for a board size, for each of the three networks."""

    cells: Floats
    """What a cell of a kind adds to each unit, the last one linear. Shape (3, kinds + 1, units)."""
    stages: Floats
    """What the stage adds. Shape (3, STAGES, units)."""
    units: Floats
    """What a rectified unit adds to the log-odds. Shape (3, units − 1)."""


class Step(NamedTuple):
    """What a sort of action changes in the first layer."""

    phase: int
    """The network that judges the state after it."""
    here: Floats
    """What each kind adds before it. Shape (kinds + 1, units)."""
    changed: Floats
    """What the change on the cell itself adds."""
    beside: Floats
    """What it adds to a cell beside."""
    sign: int
    """−1 where the turn passes: the state after it is seen in the other side's frame."""


class Network:
    """The networks of one board size."""

    def __init__(self, weights: Weights, grid: Grid) -> None:
        self._weights = weights
        self._grid = grid
        rolling, removing, placing = weights.cells
        self.removal = _step(REMOVING, removing, REMOVED, LESS_ENEMY)
        self.last_removal = _step(PLACING, placing, REMOVED, LESS_ENEMY)
        self.placement = _step(PLACING, placing, PLACED, MORE_OWN)
        self.last_placement = _step(ROLLING, rolling[SWAPPED], PLACED, MORE_OWN, sign=-1)
        shares = _hats(np.arange(grid.cells + 1) / grid.cells)
        self._by_empty = [shares @ stages[: len(KNOTS)] for stages in weights.stages]
        """By the number of empty cells."""
        self._by_task = [_by_task(stages[len(KNOTS) :]) for stages in weights.stages]
        """By what is to be removed and placed: that to be placed runs faster."""

    def odds(self, phase: int, kinds: Ints, stage: Floats) -> Array:
        """The log-odds of the side whose turn it is. Kinds have shape (places, …)."""
        units = np.add.reduce(self._weights.cells[phase].take(kinds, axis=0))
        units += stage
        return self._output(phase, units)

    def odds_after(self, step: Step, kinds: Ints, stage: Floats) -> Array:
        """The mover's log-odds after an action on each place; captures are not seen.

        Numbers without a meaning stand where the action is not legal. `stage` is the one after
        the action. Shape (places, …).
        """
        units = self._grid.around(step.beside.take(self._grid.bordered(kinds, NOWHERE), axis=0))
        units += step.changed.take(kinds, axis=0)
        here = np.add.reduce(step.here.take(kinds, axis=0))
        here += stage
        units += here
        return self._output(step.phase, units) * step.sign

    def stages(self, phase: int, empty: Ints, remove: int | Ints, place: int | Ints) -> Floats:
        """What the stages of boards add to the units. Shape (boards, units)."""
        empty_share, to_do = self._by_empty[phase], self._by_task[phase]
        tasks = np.minimum(remove, MOST_REMOVED) * (MOST_PLACED + 1) + np.minimum(
            place, MOST_PLACED
        )
        added: Floats = empty_share.take(empty, axis=0) + to_do.take(tasks, axis=0)
        return added

    def _output(self, phase: int, units: Floats) -> Array:
        rectified = np.maximum(units[..., :-1], 0)
        odds: Floats = rectified @ self._weights.units[phase]
        odds += units[..., -1]
        return odds


def stage_inputs(empty: Array, remove: Array, place: Array) -> Floats:
    """The stage as numbers: the share of empty cells, and what is still to be done this turn.

    Shape (boards, STAGES).
    """
    inputs = np.zeros((len(empty), STAGES), np.float32)
    inputs[:, : len(KNOTS)] = _hats(empty)
    boards = np.arange(len(empty))
    inputs[boards, len(KNOTS) + np.minimum(remove, MOST_REMOVED)] = 1
    inputs[boards, len(KNOTS) + MOST_REMOVED + 1 + np.minimum(place, MOST_PLACED)] = 1
    return inputs


def _hats(shares: Array) -> Floats:
    """For each share how near it is to each knot: linear interpolation."""
    return np.array([np.interp(shares, KNOTS, one) for one in np.eye(len(KNOTS))], np.float32).T


def _by_task(stages: Floats) -> Floats:
    removing, placing = np.split(stages, [MOST_REMOVED + 1])
    tasks = removing[:, None] + placing
    return tasks.reshape(-1, stages.shape[1])


def _step(phase: int, here: Floats, cell: Ints, neighbour: Ints, sign: int = 1) -> Step:
    return Step(phase, here, here[cell] - here, here[neighbour] - here, sign)
