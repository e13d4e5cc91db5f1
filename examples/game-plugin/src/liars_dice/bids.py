"""Bids by their names: `bid@C5` is three fives, in row C and column 5 of the bidding board."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

CHALLENGE: Final = "challenge"
WORDS: Final = ("", "one", "two", "three", "four", "five", "six")
FACES: Final = ("", "ones", "twos", "threes", "fours", "fives", "sixes")


def faces(*, wild_ones: bool) -> range:
    """The faces that are bid: wild ones are not."""
    return range(2 if wild_ones else 1, 7)


def cell(quantity: int, face: int) -> str:
    """The cell of a bid: its row is the quantity, A for 1; its column the face."""
    return f"{chr(ord('A') + quantity - 1)}{face}"


@cache
def bids(dice: int, *, wild_ones: bool) -> Mapping[str, tuple[int, int]]:
    """Every bid with that many dice in play, the lowest first: its quantity and its face."""
    return {
        f"bid@{cell(quantity, face)}": (quantity, face)
        for quantity in range(1, dice + 1)
        for face in faces(wild_ones=wild_ones)
    }


def counted(dice: Sequence[Sequence[int]], face: int, *, wild_ones: bool) -> int:
    """How many of all dice count for a bid of a face."""
    wild = {face, 1} if wild_ones else {face}
    return sum(die in wild for hand in dice for die in hand)


def said(quantity: int, face: int) -> str:
    """A bid in words: `1 five`, `3 fives`."""
    return f"{quantity} {WORDS[face] if quantity == 1 else FACES[face]}"
