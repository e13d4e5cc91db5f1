"""What a state of Herd is worth: stones, and those that are about to be won or lost."""

from collections.abc import Iterator
from functools import cache
from math import exp, sqrt
from typing import Final

from engine.herd import HerdState
from engine.herd_board import board_of

TO_MOVE: Final = 4.5
"""The stones that a turn places on average: the higher of two dice."""


def worth(state: HerdState, seat: int) -> float:
    """The lead in stones, corrected for eyes and lone stones.

    An *eye*, an empty cell that the enemy may not fill, counts half. Only a *lone* stone, one
    with no friend beside it, can be captured: an own one costs the less, the more empty cells are
    beside it; an enemy one that the seat can capture this turn counts as taken, twice, since a
    capture also gives another stone.
    """
    board = board_of(state.size)
    own, enemy = state.stones if seat == 0 else state.stones[::-1]
    empty = board.full & ~(own | enemy)
    own_eyes = empty & board.surrounded(own)
    enemy_eyes = empty & board.surrounded(enemy)
    own_lone = own & board.surrounded(board.full & ~own)
    enemy_lone = enemy & board.surrounded(board.full & ~enemy)
    return (
        own.bit_count()
        - enemy.bit_count()
        + 0.5 * (own_eyes.bit_count() - enemy_eyes.bit_count())
        - sum(0.5 / count for count in _gaps(state.size, own_lone, empty))
        + sum(2.0 for count in _gaps(state.size, enemy_lone, empty) if count <= state.place)
    )


def share(state: HerdState, seat: int) -> float:
    """The chance to win.

    A logistic curve that was fitted to games of the greedy bot against itself on sizes 3 to 8.
    """
    black, white = state.stones
    empty = len(board_of(state.size).cells) - black.bit_count() - white.bit_count()
    expected = worth(state, seat) - (TO_MOVE if empty else 0)
    return 1 / (1 + exp(-0.65 * expected / sqrt(empty + 2)))


def _gaps(size: int, stones: int, empty: int) -> Iterator[int]:
    """For each of these stones the number of empty cells beside it."""
    around = _around(size)
    while stones:
        stone = stones & -stones
        stones ^= stone
        yield (around[stone] & empty).bit_count()


@cache
def _around(size: int) -> dict[int, int]:
    """From the bit of each cell to the bits of the cells beside it."""
    return dict(board_of(size).cells.values())
