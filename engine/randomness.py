"""Numbers that follow from a deal: the same deal and place always give the same ones."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from math import factorial
from typing import TypeVar

T = TypeVar("T")


def below(bound: int, deal: str, *place: object) -> int:
    """A number in 0 … bound − 1 that follows from the deal and the place in the game.

    512 bits of BLAKE2b taken modulo the bound: the bias is under bound / 2⁵¹².
    """
    key = "/".join((deal, *map(str, place)))
    return int.from_bytes(blake2b(key.encode()).digest(), "big") % bound


@lru_cache(maxsize=1024)
def shuffled(items: tuple[T, ...], deal: str, *place: object) -> Sequence[T]:
    """The items in an order that follows from the deal and the place.

    One number picks the permutation, digit by digit (Fisher–Yates); fit for up to 90 items.
    """
    choice = below(factorial(len(items)), deal, *place)
    pile = list(items)
    for last in range(len(pile) - 1, 0, -1):
        choice, other = divmod(choice, last + 1)
        pile[last], pile[other] = pile[other], pile[last]
    return tuple(pile)
