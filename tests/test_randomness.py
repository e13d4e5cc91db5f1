"""Numbers of a deal: always the same, evenly spread, apart from place to place."""

from collections import Counter
from hashlib import blake2b
from itertools import permutations

import pytest

from engine.randomness import below, shuffled


@pytest.mark.parametrize(
    ("bound", "place", "number"),
    [
        (36, ("deal", "roll", 1), 14),
        (36, ("deal", "roll", 2), 5),
        (6, ("é", "a", 1), 0),
        (10**30, ("d",), 414383572642218326111656387560),
        (1, ("any",), 0),
    ],
)
def test_below_never_changes(bound: int, place: tuple[str, ...], number: int) -> None:
    assert below(bound, *place) == number


def test_below_is_the_hash_of_the_deal_and_the_place() -> None:
    digest = blake2b(b"deal/roll/7").hexdigest()
    assert below(36, "deal", "roll", 7) == int(digest, 16) % 36


def test_below_is_evenly_spread() -> None:
    counts = Counter(below(6, "deal", place) for place in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5, (
        "chi² of 5 at p = 0.001"
    )


def test_shuffled_never_changes() -> None:
    assert shuffled(tuple("abcdefg"), "deal", "pile", 0) == tuple("bdecfag")
    assert shuffled(tuple("abcdefg"), "deal", "pile", 1) == tuple("fbegcad")


@pytest.mark.parametrize("items", [(), ("a",), ("a", "a", "b")])
def test_shuffled_keeps_the_items(items: tuple[str, ...]) -> None:
    assert Counter(shuffled(items, "deal")) == Counter(items)


def test_every_order_comes_up_about_equally_often() -> None:
    counts = Counter(shuffled((1, 2, 3, 4), str(deal)) for deal in range(2400))
    assert set(counts) == set(permutations((1, 2, 3, 4)))
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 49.7, (
        "chi² of 23 at p = 0.001"
    )
