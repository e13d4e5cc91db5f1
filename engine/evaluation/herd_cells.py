"""The cells of Herd by what is on them and beside them, for one board or many at once.

A board is an array over the places of `engine.herd_board`, the first axis; further axes are boards
side by side. The place of a cell is the position of its bit, so that a step to a neighbour is the
same shift everywhere. Only the places between the upper and the lower border are numbered.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.herd_board import board_of

Array: TypeAlias = NDArray[Any]
Ints: TypeAlias = NDArray[np.intp]
Flags: TypeAlias = NDArray[np.bool_]

FREE: Final = 0
OWN: Final = 1
ENEMY: Final = 2

OWN_STONE: Final = 1
ENEMY_STONE: Final = 8
"""How stones stand in a board: the sum over six neighbours tells how many there are of each."""

_EDGE: Final = 64
"""What a neighbour that is missing adds to that sum."""
_CENTRE: Final = 512
"""What the stone on the cell itself is multiplied by."""


class Kind(NamedTuple):
    """What is on a cell, FREE, OWN or ENEMY, and how many cells beside it hold stones."""

    stone: int
    own: int
    enemy: int
    beside: int
    """The cells beside it: 3 at a corner, 4 along an edge, 6 inside."""


KINDS: Final = tuple(
    Kind(stone, own, enemy, beside)
    for beside in (3, 4, 6)
    for stone in (FREE, OWN, ENEMY)
    for own in range(beside + 1)
    for enemy in range(beside + 1 - own)
)
"""A cell of each kind; their numbers are the places in this tuple."""

NOWHERE: Final = len(KINDS)
"""The number for a place that is no cell."""

_NUMBER: Final = {kind: number for number, kind in enumerate(KINDS)}


def flags(holds: Callable[[Kind], bool]) -> Flags:
    """For each number, whether something holds of its kind; not of a place that is no cell."""
    return np.array([*map(holds, KINDS), False])


def turned(change: Callable[[Kind], Kind]) -> Ints:
    """For each number the one that it becomes; itself where there is none such."""
    return np.array([*(_NUMBER.get(change(kind), _NUMBER[kind]) for kind in KINDS), NOWHERE])


IS_FREE: Final = flags(lambda kind: kind.stone == FREE)
IS_OWN: Final = flags(lambda kind: kind.stone == OWN)
IS_ENEMY: Final = flags(lambda kind: kind.stone == ENEMY)
IS_OPEN: Final = flags(lambda kind: kind.stone == FREE and kind.enemy < kind.beside)
"""May be filled by an own stone."""
IS_PREY: Final = flags(
    lambda kind: kind.stone == ENEMY and (kind.own, kind.enemy) == (kind.beside - 1, 0)
)
"""One more own stone beside it captures it."""
IS_CAUGHT: Final = flags(lambda kind: kind.stone == ENEMY and kind.own == kind.beside)

PLACED: Final = turned(lambda kind: kind._replace(stone=OWN))
REMOVED: Final = turned(lambda kind: kind._replace(stone=FREE))
MORE_OWN: Final = turned(lambda kind: kind._replace(own=kind.own + 1))
LESS_ENEMY: Final = turned(lambda kind: kind._replace(enemy=kind.enemy - 1))
SWAPPED: Final = turned(
    lambda kind: Kind((FREE, ENEMY, OWN)[kind.stone], kind.enemy, kind.own, kind.beside)
)
"""The same cell as the other side sees it."""


def _numbers_by_sum() -> Ints:
    stones = (0, OWN_STONE, ENEMY_STONE)
    numbers = np.full((1 + ENEMY_STONE) * _CENTRE, NOWHERE)
    for number, (stone, own, enemy, beside) in enumerate(KINDS):
        around = own * OWN_STONE + enemy * ENEMY_STONE + (6 - beside) * _EDGE
        numbers[stones[stone] * _CENTRE + around] = number
    return numbers


_NUMBERS: Final = _numbers_by_sum()
_NO_CELL: Final = 4 * _EDGE
"""More than the sum of any cell."""


class Grid:
    """The places of one board size."""

    def __init__(self, size: int) -> None:
        board = board_of(size)
        self.line = 2 * size
        """How far it is from a cell to the one below."""
        self.all_places = self.line * (self.line + 1)
        """With the upper and the lower border."""
        self.places = self.all_places - 2 * self.line
        self.cells = len(board.cells)
        self.names = [""] * self.places
        """The name of each cell, "" where there is none."""
        for name, cell in board.cells.items():
            self.names[cell.bit.bit_length() - 1 - self.line] = name
        self.is_cell: Flags = np.array([name != "" for name in self.names])
        missing = 6 - self.around(self.bordered(self.is_cell.astype(np.int16)))
        self._edge = np.where(self.is_cell, missing * _EDGE, _NO_CELL).astype(np.int16)
        self._bytes = -(-self.all_places // 8)

    def boards(self, stones: Sequence[tuple[int, int]]) -> Array:
        """Boards from sets of own and of enemy cells. Shape (all places, boards)."""
        data = b"".join(cells.to_bytes(self._bytes, "little") for both in stones for cells in both)
        rows = np.frombuffer(data, np.uint8).reshape(-1, self._bytes)
        bits = np.unpackbits(rows, axis=1, count=self.all_places, bitorder="little")
        boards = bits[1::2] * np.int16(ENEMY_STONE)
        boards += bits[::2] * np.int16(OWN_STONE)
        return np.ascontiguousarray(boards.T)

    def kinds(self, boards: Array) -> Ints:
        """The kind of each cell. From (all places, …) to (places, …)."""
        sums = boards[self.line : -self.line] * np.int16(_CENTRE)
        sums += self.around(boards)
        sums += self._edge.reshape(-1, *(1 for _ in boards.shape[1:]))
        return _NUMBERS.take(sums)

    def around(self, values: Array) -> Array:
        """For each cell the sum over the cells beside it. From (all places, …) to (places, …)."""
        line, end = self.line, self.line + self.places
        pairs = values[1:] + values[:-1]
        sums = values[line - 1 : end - 1] + values[line + 1 : end + 1]
        sums += pairs[: self.places]
        sums += pairs[2 * line - 1 : 2 * line - 1 + self.places]
        return sums

    def bordered(self, values: Array, border: int = 0) -> Array:
        """The same with the upper and the lower border. From (places, …) to (all places, …)."""
        wide = np.full((self.all_places, *values.shape[1:]), border, values.dtype)
        wide[self.line : -self.line] = values
        return wide


@cache
def grid_of(size: int) -> Grid:
    """The places of a board size, made once."""
    return Grid(size)
