"""The 20 lines, and how a complete line is judged."""

import pytest

from engine.savanna_ten_lines import (
    CELLS,
    CLOSED,
    COMPLETE,
    COMPLETED,
    EMPTY_LINES,
    LINE_BITS,
    LINES,
    MAX_SIDES,
    ONE_TILE,
    SHARES,
    TILES,
    in_line,
    judge,
    line_total,
    shifts_through,
)

ROWS_AND_COLUMNS = [
    "A1 C1 D1 E1",
    "A2 B2 C2 D2",
    "A3 B3 D3 E3",
    "B4 C4 D4 E4",
    "A5 B5 C5 E5",
    "A1 A2 A3 A5",
    "B2 B3 B4 B5",
    "C1 C2 C4 C5",
    "D1 D2 D3 D4",
    "E1 E3 E4 E5",
]
DIAGONALS = [
    "A3 B4 C5",
    "A2 B3 C4",
    "A1 B2 D4 E5",
    "C2 D3 E4",
    "C1 D2 E3",
    "A3 B2 C1",
    "B3 C2 D1",
    "A5 B4 D2 E1",
    "B5 C4 D3",
    "C5 D4 E3",
]


def line(tiles: str) -> int:
    """A packed line of tiles, each written as `SIDE-TILE`: `0-zebra 1-lion 1-mouse`."""
    packed = 0
    for word in tiles.split():
        side, face = word.split("-")
        lion = face == "lion"
        tile = next(tile for tile in TILES if lion or tile == face)
        packed += in_line(tile, int(side), lion=lion)
    return packed & SHARES


def test_five_spaces_are_closed_and_twenty_are_cells() -> None:
    assert set(CLOSED) == {"B1", "E2", "C3", "A4", "D5"}
    spaces = [letter + number for letter in "ABCDE" for number in "12345"]
    assert list(CELLS) == [space for space in spaces if space not in CLOSED]


def test_the_twenty_lines() -> None:
    assert [" ".join(CELLS[cell] for cell in cells) for cells in LINES] == (
        ROWS_AND_COLUMNS + DIAGONALS
    )


@pytest.mark.parametrize("number", range(20))
def test_a_line_is_complete_with_its_last_tile(number: int) -> None:
    complete = COMPLETE << number * LINE_BITS
    lines = EMPTY_LINES
    for cell in LINES[number]:
        assert not lines & complete
        lines += sum(1 << shift for shift in shifts_through(cell)) * ONE_TILE
    assert lines & complete
    assert COMPLETED[lines & complete] == (number * LINE_BITS,)


@pytest.mark.parametrize(
    ("tiles", "active", "total", "points"),
    [
        # under 10: the highest share scores 2
        ("0-monkey 1-zebra 1-giraffe", 0, 6, [0, 2]),
        ("0-zebra 0-zebra 1-lion", 0, 8, [2, 2]),
        ("0-monkey 1-monkey 2-monkey", 2, 3, [2, 2, 2]),
        ("0-giraffe 1-giraffe 2-zebra 3-monkey", 2, 9, [2, 2, 0, 0]),
        ("2-zebra 2-zebra 2-giraffe", 2, 7, [0, 0, 2]),
        # over 10: the lowest share scores 1, of those that have a tile in the line
        ("0-elephant 1-lion 1-zebra", 0, 11, [1, 0]),
        ("0-elephant 1-elephant 2-lion", 0, 14, [0, 0, 1]),
        ("0-lion 1-lion 2-lion", 1, 12, [1, 1, 1]),
        ("3-lion 3-lion 3-lion 3-lion", 3, 16, [0, 0, 0, 1]),
        # exactly 10: the active side scores 3, whatever its share
        ("0-elephant 1-lion 2-monkey", 2, 10, [0, 0, 3]),
        ("0-elephant 1-lion 2-monkey", 0, 10, [3, 0, 0]),
        ("1-elephant 1-elephant", 1, 10, [0, 3]),
        # a mouse adds 1 for its side where that scores
        ("0-mouse 0-zebra 1-zebra", 1, 5, [3, 0]),
        ("0-mouse 1-mouse 2-mouse", 0, 3, [3, 3, 3]),
        ("0-mouse 1-lion", 0, 5, [0, 2]),
        ("0-mouse 1-elephant 1-elephant", 1, 11, [2, 0]),
        ("0-mouse 0-lion 1-elephant", 0, 10, [4, 0]),
        ("0-mouse 0-lion 1-elephant", 1, 10, [0, 3]),
        # in team play a mouse each of two team mates
        ("0-mouse 0-mouse 1-monkey", 1, 3, [4, 0]),
        ("0-mouse 0-mouse 1-elephant 1-lion", 1, 11, [3, 0]),
        ("0-mouse 0-mouse 0-lion 1-lion", 0, 10, [5, 0]),
        ("1-mouse 1-mouse 0-lion 0-lion", 0, 10, [3, 0]),
    ],
)
def test_judging(tiles: str, active: int, total: int, points: list[int]) -> None:
    assert line_total(line(tiles)) == total
    assert judge(line(tiles), active) == (*points, *[0] * (MAX_SIDES - len(points)))


def test_a_mouse_under_its_lion_side_is_a_lion() -> None:
    assert in_line("mouse", 0, lion=True) == in_line("giraffe", 0, lion=True)
