"""What a state of Savanna Ten is worth: the points that each line and each tile is good for.

With *e* empty cells each side expects its score, plus for every line what the sides on average
still get from a line of its pattern, plus what its tiles in hand and in the pile are good for.
How surely a lead lasts depends on *e* alone. Everything is seen in the frame of the side to move,
see `engine.evaluation.savanna_ten_patterns`.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.evaluation.results import expected_results, final_results
from engine.evaluation.savanna_ten_patterns import FACES, LION, Patterns, patterns_of
from engine.game import Table
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_course import variant_of
from engine.savanna_ten_lines import CELLS, LINES, TILES
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import HANDS, counts
from engine.savanna_ten_wire import SavannaOptions

Floats: TypeAlias = NDArray[np.float32]

LION_COST: Final = 0.2
"""Points: fewer Lions decide between equal scores."""

SETTLED: Final = 1e-3
"""The spread of the scores on a full board."""

THROUGH: Final[Floats] = np.array(
    [[cell in cells for cell in range(len(CELLS))] for cells in LINES], np.float32
)
"""1 where a line goes through a cell. Shape (lines, cells)."""

_GAME: Final = SavannaTen()


class Weights(Struct, frozen=True):
    """What was fitted for a number of seats, in points. Sides stand in frame order."""

    lines: Floats
    """What a pattern is still good for, to each side. Shape (20, patterns + 1, sides), the first
    index the empty cells − 1."""
    tiles: Floats
    """What a tile of a side in hand (0) or in the pile (1) is good for, to each side. Shape
    (20, sides, 2, kinds, sides)."""
    spread: Floats
    """How far scores still move: the spread of `expected_results`. Shape (20,)."""


class SavannaEvaluator:
    """The expected results on one table."""

    def __init__(self, table: Table[SavannaOptions], weights: Weights | None = None) -> None:
        self.sides = variant_of(table).sides
        """The side of each seat."""
        self.patterns = patterns_of(max(self.sides) + 1)
        weights = weights or fitted(table)
        self._stages = [_Stage(self.patterns, weights, empty) for empty in range(1 + len(CELLS))]

    def results(self, state: SavannaState) -> Sequence[float]:
        """Each side's expected result, 0 … 1; tiles out of sight are looked at."""
        outcome = _GAME.outcome(state)
        if outcome is not None:
            return final_results(outcome, self.sides)
        return expected_results(self.scores(state), self.spread(state))

    def scores(self, state: SavannaState) -> Sequence[float]:
        """The score that each side can expect at the end, less what its Lions cost."""
        stage, side = self._place(state)
        numbers = self.patterns.numbers(state.lines, side)
        expected = stage.here.take(numbers, axis=0).sum(axis=0)
        expected += self._in_frame(state, side)
        expected += self._tiles(state, side, stage.tiles_here)
        return [float(expected[seen - side]) for seen in range(self.patterns.sides)]

    def spread(self, state: SavannaState) -> float:
        """How far the scores still move: the spread of `expected_results`."""
        return self._place(state)[0].spread

    def ahead(self, state: SavannaState) -> Floats:
        """The scores to expect after each placement of the seat to act.

        Shape (sides, FACES, cells); sides in the frame of the seat's side, every face of the
        game whether it is in hand or not, and numbers without a meaning where a tile lies.
        """
        stage, side = self._place(state)
        patterns = self.patterns.numbers(state.lines, side)
        scores = stage.gains.take(patterns, axis=0).T @ THROUGH
        scores.shape = (self.patterns.sides, FACES, len(CELLS))
        start = stage.later.take(patterns, axis=0).sum(axis=0)
        start += self._in_frame(state, side)
        start += self._tiles(state, side, stage.tiles_later)
        scores += (start[:, None] - stage.losses[state.hand(state.step.seat)])[:, :, None]
        return scores

    def spare_tile(self, state: SavannaState) -> int:
        """The kind of tile that the seat to act misses least: the one to lay as a Lion."""
        stage, _ = self._place(state)
        return stage.spare[state.hand(state.step.seat)]

    def _place(self, state: SavannaState) -> tuple["_Stage", int]:
        """The stage of the game, and the side that is to place the next tile."""
        turn = state.step.turn
        return self._stages[1 + len(CELLS) - turn], self.sides[(turn - 1) % len(self.sides)]

    def _in_frame(self, state: SavannaState, side: int) -> Floats:
        """The scores as they stand, in the frame of a side."""
        standing = [
            score - LION_COST * lions
            for score, lions in zip(state.scores, state.lions, strict=True)
        ]
        return np.array(standing[side:] + standing[:side], np.float32)

    def _tiles(self, state: SavannaState, side: int, worth: "_TileWorth") -> Floats:
        """What all tiles in hands and piles are good for, in the frame of a side."""
        count = self.patterns.sides
        total: Floats = np.zeros(count, np.float32)
        for seat, owner in enumerate(self.sides):
            seen = (owner - side) % count
            total += worth[seen, 0, state.hand(seat)]
            total += worth[seen, 1, state.pile(seat)]
        return total


class _Stage:
    """The tables for a number of empty cells. `later` is after the next placement."""

    def __init__(self, patterns: Patterns, weights: Weights, empty: int) -> None:
        count = patterns.sides
        shape = (patterns.complete + 1, count)
        self.spread = float(weights.spread[empty - 1]) if empty else SETTLED
        self.here = weights.lines[empty - 1] if empty else np.zeros(shape, np.float32)
        self.tiles_here = _TileWorth(_tiles(weights, empty))
        if empty > 1:
            # The next side is to move then: its own tables, back in the frame of this side.
            self.later = np.roll(weights.lines[empty - 2][patterns.turned], 1, axis=1)
            tiles_later = np.roll(_tiles(weights, empty - 1), 1, axis=(0, 3))
        else:
            self.later = np.zeros(shape, np.float32)
            tiles_later = _tiles(weights, 0)
        self.tiles_later = _TileWorth(tiles_later)
        gains = self.later[patterns.after] + patterns.points - self.later[:, None, :]
        self.gains = np.ascontiguousarray(gains.transpose(0, 2, 1)).reshape(len(gains), -1)
        """What laying a face adds, by pattern. Shape (patterns + 1, sides · FACES)."""
        self.spare = {hand: _spare_tile(hand, tiles_later[0, 0]) for hand in HANDS}
        self.losses = {hand: self._losses(tiles_later[0, 0], hand) for hand in HANDS}
        """By hand: what each side loses by a face that leaves it. Shape (sides, FACES)."""

    def _losses(self, worth: Floats, hand: int) -> Floats:
        losses: Floats = np.vstack([worth, worth[self.spare[hand]]]).T
        losses[0, LION] += LION_COST
        return losses


class _TileWorth(dict[tuple[int, int, int], Floats]):
    """From (side, 0 in hand or 1 in the pile, packed tiles) to what they are good for."""

    def __init__(self, tiles: Floats) -> None:
        self._tiles = tiles

    def __missing__(self, key: tuple[int, int, int]) -> Floats:
        side, where, packed = key
        worth: Floats = np.array(counts(packed), np.float32) @ self._tiles[side, where]
        self[key] = worth
        return worth


def _tiles(weights: Weights, empty: int) -> Floats:
    return weights.tiles[empty - 1] if empty else np.zeros_like(weights.tiles[0])


def _spare_tile(hand: int, worth: Floats) -> int:
    """The kind in hand that does least for its side, compared with what it does for the others."""
    lead = worth[:, 0] - worth[:, 1:].mean(axis=1)
    return min(map(TILES.index, HANDS[hand]), key=lambda kind: float(lead[kind]), default=0)


@cache
def fitted(table: Table[SavannaOptions]) -> Weights:
    """The weights that were fitted for the table's number of seats."""
    key = weights_key(table)
    with (files(__package__) / "savanna_ten.npz").open("rb") as file:
        arrays = np.load(file)
        return Weights(
            *(arrays[f"{key}/{name}"].astype(np.float32) for name in Weights.__struct_fields__)
        )


def weights_key(table: Table[SavannaOptions]) -> str:
    """Names the table's weights: 2, 3, 4 or 4-teams. All mouse options share them."""
    return f"{table.players}-teams" if table.options.teams else str(table.players)
