"""The tables behind the evaluator of Savanna Ten: its fitted weights, made ready turn by turn.

Everything is seen in the frame of the side to move, see `engine.evaluation.savanna_ten_patterns`.
"""

from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.evaluation.savanna_ten_patterns import LION, Patterns, patterns_of
from engine.game import Table
from engine.savanna_ten_lines import CELLS, TILES
from engine.savanna_ten_tables import HANDS, counts
from engine.savanna_ten_wire import SavannaOptions

Floats: TypeAlias = NDArray[np.float32]

LION_COST: Final = 0.2
"""Points: fewer Lions decide between equal scores."""

SETTLED: Final = 0.01
"""The spread of the scores on a full board."""


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

    def at(self, empty: int) -> tuple[Floats, Floats, float]:
        """`lines`, `tiles` and `spread` with so many empty cells, none included."""
        if empty == 0:
            return np.zeros_like(self.lines[0]), np.zeros_like(self.tiles[0]), SETTLED
        return self.lines[empty - 1], self.tiles[empty - 1], float(self.spread[empty - 1])


class Stages(Struct, frozen=True):
    """The tables of all turns; the index is the number of empty cells."""

    here: tuple["Here", ...]
    ahead: tuple["Ahead | None", ...]
    """None on the full board."""


class Here:
    """The tables to judge a state."""

    def __init__(self, weights: Weights, empty: int) -> None:
        self.lines, tiles, self.spread = weights.at(empty)
        self.tiles = TileWorth(tiles)


class Ahead:
    """The tables to judge the next placements; all in leads over the others, in `unit`s."""

    def __init__(self, patterns: Patterns, weights: Weights, empty: int) -> None:
        # The next side is to move then: its own tables, back in the frame of this side.
        lines, tiles, spread = weights.at(empty - 1)
        lines = np.roll(lines[patterns.turned], 1, axis=1)
        tiles = np.roll(tiles, 1, axis=(0, 3))
        self.unit = 2 * spread
        """Points. A lead of x units is an expected result of (1 + tanh x) / 2."""
        gains = lines[patterns.after] + patterns.points - lines[:, None, :]
        leads = self._leads(np.concatenate([gains, lines[:, None, :]], axis=1))
        self.lines = np.ascontiguousarray(leads.transpose(0, 2, 1)).reshape(len(leads), -1)
        """By pattern: what each face adds that is laid there, then what the line is good for
        without. Shape (patterns + 1, (sides − 1) · (FACES + 1))."""
        self.tiles = TileWorth(self._leads(tiles))
        own = tiles[0, 0]
        self.spare = {hand: _spare(hand, own) for hand in HANDS}
        """By hand: the kind of tile that is missed least."""
        self.faces = {hand: -self._leads(_costs(own, self.spare[hand])).T for hand in HANDS}
        """By hand: what is lost by each face that leaves it. Shape (sides − 1, FACES)."""

    def _leads(self, worth: Floats) -> Floats:
        """From what is good for each side, on the last axis, to leads of the first."""
        return (worth[..., :1] - worth[..., 1:]) / np.float32(self.unit)


class TileWorth(dict[tuple[int, int, int], Floats]):
    """From (side, its packed hand, its packed pile) to what those tiles are good for."""

    def __init__(self, tiles: Floats) -> None:
        self._tiles = tiles

    def __missing__(self, key: tuple[int, int, int]) -> Floats:
        side, hand, pile = key
        in_hand, in_pile = self._tiles[side]
        worth = np.array(counts(hand)) @ in_hand + np.array(counts(pile)) @ in_pile
        self[key] = worth.astype(np.float32)
        return self[key]


def _spare(hand: int, worth: Floats) -> int:
    """The kind in hand that does least for its side, compared with what it does for the others."""
    lead = worth[:, 0] - worth[:, 1:].mean(axis=1)
    return min(map(TILES.index, HANDS[hand]), key=lambda kind: float(lead[kind]), default=0)


def _costs(worth: Floats, spare: int) -> Floats:
    """What each face takes from a hand, Lions by the spare tile. Shape (FACES, sides)."""
    costs = np.vstack([worth, worth[spare]])
    costs[LION, 0] += LION_COST
    return costs


def make_stages(weights: Weights) -> Stages:
    """The tables that follow from the weights."""
    patterns = patterns_of(weights.lines.shape[-1])
    turns = range(1, 1 + len(CELLS))
    return Stages(
        tuple(Here(weights, empty) for empty in (0, *turns)),
        (None, *(Ahead(patterns, weights, empty) for empty in turns)),
    )


@cache
def fitted_stages(key: str) -> Stages:
    """The tables from the weights of `weights_key`, made once."""
    with (files(__package__) / "savanna_ten.npz").open("rb") as file:
        arrays = np.load(file)
        fields = [arrays[f"{key}/{name}"] for name in Weights.__struct_fields__]
        return make_stages(Weights(*(field.astype(np.float32) for field in fields)))


def weights_key(table: Table[SavannaOptions]) -> str:
    """Names the table's weights: 2, 3, 4 or 4-teams, with -mouse where mice are in the game."""
    teams = "-teams" if table.options.teams else ""
    mouse = "" if table.options.mouse == "off" else "-mouse"
    return f"{table.players}{teams}{mouse}"
