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

SETTLED: Final = 0.05
"""The spread of the scores on a full board."""

THROUGH: Final[Floats] = np.array(
    [[*(cell in cells for cell in range(len(CELLS))), True] for cells in LINES], np.float32
)
"""1 where a line goes through a cell; the last column stands for the whole board. Shape
(lines, cells + 1)."""

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
        self._patterns = patterns_of(max(self.sides) + 1)
        self._weights = weights or fitted(table)
        self._here: dict[int, _Here] = {}
        self._ahead: dict[int, _Ahead] = {}

    def results(self, state: SavannaState) -> Sequence[float]:
        """Each side's expected result, 0 … 1; tiles out of sight are looked at."""
        outcome = _GAME.outcome(state)
        if outcome is not None:
            return final_results(outcome, self.sides)
        return expected_results(self.scores(state), self._stage(state).spread)

    def scores(self, state: SavannaState) -> Sequence[float]:
        """The score that each side can expect at the end, less what its Lions cost."""
        stage, side, count = self._stage(state), self._to_move(state), self._patterns.sides
        expected = stage.lines.take(self._patterns.numbers(state.lines, side), axis=0).sum(axis=0)
        for seat, owner in enumerate(self.sides):
            expected += stage.tiles[(owner - side) % count, state.hand(seat), state.pile(seat)]
        return [
            score - LION_COST * lions + float(expected[(of - side) % count])
            for of, (score, lions) in enumerate(zip(state.scores, state.lions, strict=True))
        ]

    def leads(self, state: SavannaState) -> Floats:
        """The lead over each other side to expect after each placement of the seat to act.

        In units of twice the spread: the expected result is (1 + tanh) / 2. Shape
        (sides − 1, FACES, cells): the others in the frame of the seat's side, every face of the
        game whether it is in hand or not, and numbers without a meaning where a tile lies.
        """
        side, count = self._to_move(state), self._patterns.sides
        empty = 1 + len(CELLS) - state.step.turn
        stage = self._ahead.get(empty) or self._add_ahead(empty)
        numbers = self._patterns.numbers(state.lines, side)
        table = stage.lines.take(numbers, axis=0).T @ THROUGH
        table.shape = (count - 1, FACES + 1, len(CELLS) + 1)
        common = table[:, FACES, -1] + self._standing(state, side, stage.unit)
        for seat, owner in enumerate(self.sides):
            common += stage.tiles[(owner - side) % count, state.hand(seat), state.pile(seat)]
        faces = stage.faces[state.hand(state.step.seat)] + common[:, None]
        leads: Floats = table[:, :FACES, :-1] + faces[:, :, None]
        return leads

    def spare_tile(self, state: SavannaState) -> int:
        """The kind of tile that the seat to act misses least: the one to lay as a Lion."""
        empty = 1 + len(CELLS) - state.step.turn
        stage = self._ahead.get(empty) or self._add_ahead(empty)
        return stage.spare[state.hand(state.step.seat)]

    def _to_move(self, state: SavannaState) -> int:
        """The side that is to place the next tile."""
        return self.sides[(state.step.turn - 1) % len(self.sides)]

    def _stage(self, state: SavannaState) -> "_Here":
        empty = 1 + len(CELLS) - state.step.turn
        if empty not in self._here:
            self._here[empty] = _Here(self._weights, empty)
        return self._here[empty]

    def _add_ahead(self, empty: int) -> "_Ahead":
        stage = self._ahead[empty] = _Ahead(self._patterns, self._weights, empty)
        return stage

    def _standing(self, state: SavannaState, side: int, unit: float) -> Floats:
        """The lead over each other side as it stands, in the frame of a side."""
        standing = [
            score - LION_COST * lions
            for score, lions in zip(state.scores, state.lions, strict=True)
        ]
        own = standing[side]
        others = standing[side + 1 :] + standing[:side]
        return np.array([(own - other) / unit for other in others], np.float32)


class _Here:
    """The tables for a number of empty cells."""

    def __init__(self, weights: Weights, empty: int) -> None:
        self.spread = float(weights.spread[empty - 1])
        self.lines = weights.lines[empty - 1]
        """What a pattern is still good for. Shape (patterns + 1, sides)."""
        self.tiles = _TileWorth(weights.tiles[empty - 1])


class _Ahead:
    """The tables for the next placement with a number of empty cells; all in leads."""

    def __init__(self, patterns: Patterns, weights: Weights, empty: int) -> None:
        after, tiles, spread = _after(patterns, weights, empty)
        self.unit = 2 * spread
        gains = after[patterns.after] + patterns.points - after[:, None, :]
        worth = np.concatenate([gains, after[:, None, :]], axis=1)
        leads = _leads(worth) / self.unit
        self.lines = np.ascontiguousarray(leads.transpose(0, 2, 1)).reshape(len(leads), -1)
        """By pattern: what laying a face adds, and what the line is good for without it. Shape
        (patterns + 1, (sides − 1) · (FACES + 1))."""
        self.tiles = _TileWorth(_leads(tiles) / self.unit)
        own = tiles[0, 0]
        self.spare = {hand: _spare_tile(hand, own) for hand in HANDS}
        self.faces = {hand: self._faces(own, self.spare[hand]) for hand in HANDS}
        """By hand: what each face costs that leaves it. Shape (sides − 1, FACES)."""

    def _faces(self, worth: Floats, spare: int) -> Floats:
        costs = np.vstack([worth, worth[spare]])
        costs[LION, 0] += LION_COST
        return np.asarray(-_leads(costs).T / self.unit, np.float32)


class _TileWorth(dict[tuple[int, int, int], Floats]):
    """From (side, its packed hand, its packed pile) to what those tiles are good for."""

    def __init__(self, tiles: Floats) -> None:
        self._tiles = tiles

    def __missing__(self, key: tuple[int, int, int]) -> Floats:
        side, *packed = key
        worth = np.einsum("wk,wks->s", [counts(tiles) for tiles in packed], self._tiles[side])
        self[key] = worth.astype(np.float32)
        return self[key]


def _after(patterns: Patterns, weights: Weights, empty: int) -> tuple[Floats, Floats, float]:
    """What patterns and tiles are good for once the turn is over, and the spread then.

    In the frame of the side whose turn it was.
    """
    if empty == 1:
        return np.zeros_like(weights.lines[0]), np.zeros_like(weights.tiles[0]), SETTLED
    lines = np.roll(weights.lines[empty - 2][patterns.turned], 1, axis=1)
    tiles = np.roll(weights.tiles[empty - 2], 1, axis=(0, 3))
    return lines, tiles, float(weights.spread[empty - 2])


def _leads(worth: Floats) -> Floats:
    """From what is good for each side, on the last axis, to the lead of the first over the rest."""
    return worth[..., :1] - worth[..., 1:]


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
