"""The board's tables against the words of the rules: axial coordinates and (letter, number)."""

from itertools import pairwise
from random import Random

import pytest

from engine.herd_board import Board, board_of

SIZES = range(2, 11)
STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]


def neighbours(board: Board, name: str) -> set[str]:
    letter, number = ord(name[0]), int(name[1:])
    beside = {f"{chr(letter + down)}{number + right}" for down, right in STEPS}
    return beside & board.cells.keys()


def bits(board: Board, names: set[str]) -> int:
    return sum(board.cells[name].bit for name in names)


@pytest.mark.parametrize("size", SIZES)
def test_cells_are_the_axial_coordinates_within_the_hexagon_in_cell_order(size: int) -> None:
    last = size - 1
    span = range(-last, last + 1)
    expected = [
        f"{chr(ord('A') + r + last)}{q + size}" for r in span for q in span if abs(q + r) <= last
    ]
    assert list(board_of(size).cells) == expected
    assert len(expected) == 3 * size * last + 1


def test_rows_of_size_5_are_those_of_the_rules() -> None:
    rows = board_of(5).rows()
    assert rows[0] == ["A5", "A6", "A7", "A8", "A9"]
    assert rows[4] == [f"E{number}" for number in range(1, 10)]
    assert rows[8] == ["I1", "I2", "I3", "I4", "I5"]


@pytest.mark.parametrize("size", SIZES)
def test_around_holds_the_neighbours_on_the_board(size: int) -> None:
    board = board_of(size)
    for name, cell in board.cells.items():
        assert set(board.names(cell.around)) == neighbours(board, name)


@pytest.mark.parametrize("size", SIZES)
def test_a_cell_is_surrounded_when_every_neighbour_on_the_board_is_held(size: int) -> None:
    board, rng = board_of(size), Random(size)
    for _ in range(20):
        held = {name for name in board.cells if rng.random() < 0.8}
        expected = [name for name in board.cells if neighbours(board, name) <= held]
        assert list(board.names(board.surrounded(bits(board, held)))) == expected


@pytest.mark.parametrize("size", SIZES)
def test_sets_are_listed_in_cell_order(size: int) -> None:
    board = board_of(size)
    names = list(board.cells)
    black, white = names[::3], names[1::3]
    stones = bits(board, set(black))
    assert board.removals_of(stones) == [f"remove@{name}" for name in black]
    assert board.placements_on(stones) == [f"place@{name}" for name in black]
    owners = board.owners(stones, bits(board, set(white)))
    assert owners == dict.fromkeys(black, 0) | dict.fromkeys(white, 1)
    assert all(names.index(one) < names.index(other) for one, other in pairwise(owners))


def test_a_board_is_built_once() -> None:
    assert board_of(7) is board_of(7)
