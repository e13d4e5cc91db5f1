"""The hexagonal board of Herd as bits of an integer.

The cells are laid out as in a page of text: a line per letter, a column per number, and around them
places that hold no cell. A set of cells is an integer with a bit per place, the first place
highest, so that its binary digits read like the page. Then a step to a neighbour is the same shift
everywhere, and the binary digits pick the names of a set from the names of all places.
"""

from collections.abc import Sequence
from functools import cache
from itertools import compress
from typing import Final, NamedTuple

DIGITS_TO_FLAGS: Final = bytes.maketrans(b"01", b"\0\1")


class Cell(NamedTuple):
    """A cell as bits."""

    bit: int
    around: int
    """The cells next to it: 3 at a corner, 4 along an edge, 6 inside."""


class Board:
    """The tables of one board size. A set of cells is an integer, as said above."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._line = 2 * size
        self._names = self._names_by_place()
        self._removals = tuple(f"remove@{name}" for name in self._names)
        self._placements = tuple(f"place@{name}" for name in self._names)
        self._digits = f"0{len(self._names)}b"
        self.full = sum(self._bit(place) for place, name in enumerate(self._names) if name)
        """All cells."""
        self._outside = (1 << len(self._names)) - 1 - self.full
        self.cells = {name: self._cell(place) for place, name in enumerate(self._names) if name}
        """Every cell by its name, in cell order."""
        self.removals = {f"remove@{name}": cell for name, cell in self.cells.items()}
        self.placements = {f"place@{name}": cell for name, cell in self.cells.items()}

    def rows(self) -> Sequence[Sequence[str]]:
        """The names of the cells row by row, from row A."""
        size = self.size
        return [
            [
                f"{chr(ord('A') + row)}{number}"
                for number in range(max(1, size - row), min(2 * size, 3 * size - 1 - row))
            ]
            for row in range(2 * size - 1)
        ]

    def surrounded(self, stones: int) -> int:
        """The cells, empty or not, whose every adjacent cell is in `stones`."""
        held = stones | self._outside
        line = self._line
        beside = held >> 1 & held << 1
        same_number = held >> line & held << line
        across = held >> line - 1 & held << line - 1
        return beside & same_number & across & self.full

    def names(self, cells: int) -> tuple[str, ...]:
        """The names of a set of cells, in cell order."""
        return tuple(compress(self._names, self._flags(cells)))

    def removals_of(self, cells: int) -> list[str]:
        """`remove@…` for a set of cells, in cell order."""
        return list(compress(self._removals, self._flags(cells)))

    def placements_on(self, cells: int) -> list[str]:
        """`place@…` for a set of cells, in cell order."""
        return list(compress(self._placements, self._flags(cells)))

    def owners(self, black: int, white: int) -> dict[str, int]:
        """The seat that holds each occupied cell, in cell order."""
        occupied = self._flags(black | white)
        names = compress(self._names, occupied)
        seats = compress(self._flags(white), occupied)
        return dict(zip(names, seats, strict=False))  # equally long; a check costs a tenth more

    def _flags(self, cells: int) -> bytes:
        """A byte per place, 1 where it is in the set."""
        return format(cells, self._digits).encode().translate(DIGITS_TO_FLAGS)

    def _names_by_place(self) -> Sequence[str]:
        """A line of border, a line per row, a line of border; "" where there is no cell."""
        names = [""] * (self._line * (2 * self.size + 1))
        for row, cells in enumerate(self.rows(), start=1):
            first = row * self._line + int(cells[0][1:])
            names[first : first + len(cells)] = cells
        return names

    def _bit(self, place: int) -> int:
        return 1 << len(self._names) - 1 - place

    def _cell(self, place: int) -> Cell:
        steps = (1, self._line, self._line - 1)
        around = sum(self._bit(place + step) | self._bit(place - step) for step in steps)
        return Cell(self._bit(place), around & self.full)


@cache
def board_of(size: int) -> Board:
    """The board with `size` cells on a side; its tables are built once."""
    return Board(size)
