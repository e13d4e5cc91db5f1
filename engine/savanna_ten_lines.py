"""The board and the tiles of Savanna Ten, and how a complete line is judged.

A *packed line* is an integer with 7 bits for each side (5 for its share of the influence, 2 for
its mice that lie mouse side up), then 3 bits that count its tiles so that the top bit says
complete. The 20 lines stand side by side in one integer, so that a tile is laid by one addition.
"""

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import Final, get_args

from engine.savanna_ten_wire import Face, Tile

COLUMNS: Final = "ABCDE"
ROWS: Final = "12345"
CLOSED: Final = ("A4", "B1", "C3", "D5", "E2")
"""The spaces that take no tile."""
CELLS: Final = tuple(
    cell for column in COLUMNS for row in ROWS if (cell := column + row) not in CLOSED
)
"""The 20 cells in board order: by letter, then number."""

TILES: Final[tuple[Tile, ...]] = get_args(Tile)
"""The kinds of tile in tile order."""
INFLUENCE: Final[Mapping[Face, int]] = {
    "monkey": 1,
    "zebra": 2,
    "giraffe": 3,
    "elephant": 5,
    "mouse": 1,
    "lion": 4,
}

MAX_SIDES: Final = 4
SIDE_BITS: Final = 7
SHARE: Final = 0b11111
"""The bits of a side's share."""
ONE_MOUSE: Final = 1 << 5
MICE: Final = 0b11
ONE_TILE: Final = 1 << MAX_SIDES * SIDE_BITS
"""A tile in the count of a line."""
SHARES: Final = ONE_TILE - 1
"""The bits of all sides in a line."""
COMPLETE: Final = ONE_TILE << 2
"""The bit of a line whose count has come to 4."""
LINE_BITS: Final = MAX_SIDES * SIDE_BITS + 3


def find_lines() -> tuple[tuple[int, ...], ...]:
    """The straight runs of at least 3 cells, as cell indices: rows, columns, then diagonals."""
    runs: list[dict[int, list[int]]] = [{}, {}, {}, {}]
    for cell, name in enumerate(CELLS):
        column, row = COLUMNS.index(name[0]), ROWS.index(name[1])
        for run, place in zip(runs, (row, column, column - row, column + row), strict=True):
            run.setdefault(place, []).append(cell)
    return tuple(
        tuple(cells) for run in runs for _, cells in sorted(run.items()) if len(cells) >= 3
    )


LINES: Final = find_lines()
"""The 20 lines: 5 rows, 5 columns, 5 falling and 5 rising diagonals."""

EMPTY_LINES: Final = sum(
    ONE_TILE * (4 - len(cells)) << line * LINE_BITS for line, cells in enumerate(LINES)
)
"""The packed lines of an empty board: the count of a line of 3 cells starts at 1."""


def shifts_through(cell: int) -> tuple[int, ...]:
    """Where the lines through a cell stand among the packed lines."""
    return tuple(line * LINE_BITS for line, cells in enumerate(LINES) if cell in cells)


def find_completed() -> dict[int, tuple[int, ...]]:
    """From the `COMPLETE` bits of any lines that share a cell to the shifts of those lines."""
    return {
        sum(COMPLETE << shift for shift in shifts): shifts
        for cell in range(len(CELLS))
        for size in range(len(shifts_through(cell)) + 1)
        for shifts in combinations(shifts_through(cell), size)
    }


COMPLETED: Final = find_completed()


def in_line(tile: Tile, side: int, *, lion: bool) -> int:
    """What a tile adds to each packed line that it lies in."""
    field = INFLUENCE["lion" if lion else tile]
    if tile == "mouse" and not lion:
        field += ONE_MOUSE
    return (field << side * SIDE_BITS) + ONE_TILE


def line_total(line: int) -> int:
    """The sum of the influence of a packed line's tiles."""
    return sum(line >> side * SIDE_BITS & SHARE for side in range(MAX_SIDES))


@cache  # 23,647 pairs can come up in all variants together
def judge(line: int, active: int) -> tuple[int, ...]:
    """The points of each of 4 sides, for the `SHARES` of a complete line and the active side."""
    fields = [line >> side * SIDE_BITS for side in range(MAX_SIDES)]
    shares = {side: field & SHARE for side, field in enumerate(fields) if field & SHARE}
    total = sum(shares.values())
    if total == 10:
        points, winners = 3, {active}
    elif total < 10:
        points, winners = 2, _sides_with(max(shares.values()), shares)
    else:
        points, winners = 1, _sides_with(min(shares.values()), shares)
    mice = [field // ONE_MOUSE & MICE for field in fields]
    return tuple(points + mice[side] if side in winners else 0 for side in range(MAX_SIDES))


def _sides_with(share: int, shares: Mapping[int, int]) -> set[int]:
    return {side for side, other in shares.items() if other == share}
