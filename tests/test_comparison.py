"""Comparing two versions deal by deal."""

import pytest

from arena.ratings.sprt import Hypotheses
from arena.store.model import Slot
from arena.tournament.comparison import Comparison, Duel

GROUP = ("base", "new")
TEST = Hypotheses(0, 50)


def deal(number: int, *ranks_of_new: int) -> dict[Slot, tuple[int, ...]]:
    """The rotations of a deal, by the rank of NEW in each."""
    return {
        Slot(number, GROUP, rotation): (3 - rank, rank)
        for rotation, rank in enumerate(ranks_of_new)
    }


def test_a_duel_plays_one_group_deal_by_deal() -> None:
    assert list(Duel(GROUP, 2).slots({})) == [
        Slot(0, GROUP, 0),
        Slot(0, GROUP, 1),
        Slot(1, GROUP, 0),
        Slot(1, GROUP, 1),
    ]
    assert Duel(("a", "b", "c"), 5).matches() == 15


def test_deals_are_counted_by_what_new_took_of_them() -> None:
    comparison = Comparison(GROUP, "new", TEST)
    comparison.advance(deal(0, 1, 1) | deal(1, 2, 1) | deal(2, 2, 2))
    assert comparison.deals == 3
    assert comparison.counts == [1, 0, 1, 0, 1]


def test_a_deal_counts_when_it_and_all_before_it_are_whole() -> None:
    comparison = Comparison(GROUP, "new", TEST)
    comparison.advance(deal(1, 1, 1) | {Slot(0, GROUP, 0): (2, 1)})
    assert comparison.deals == 0
    comparison.advance(deal(0, 1, 1) | deal(1, 1, 1))
    assert comparison.deals == 2


@pytest.mark.parametrize(("rank", "accepted"), [(1, "elo1"), (2, "elo0")])
def test_after_the_decision_nothing_is_counted(rank: int, accepted: str) -> None:
    comparison = Comparison(GROUP, "new", TEST)
    played: dict[Slot, tuple[int, ...]] = {}
    for number in range(200):
        played |= deal(number, rank, rank)
    comparison.advance(played)
    assert comparison.verdict.accepted == accepted
    assert 0 < comparison.deals < 100
    one_by_one = Comparison(GROUP, "new", TEST)
    for number in range(200):
        one_by_one.advance({slot: played[slot] for slot in played if slot.deal <= number})
    assert (one_by_one.deals, one_by_one.counts) == (comparison.deals, comparison.counts)


def test_with_three_sides_new_meets_two_of_base() -> None:
    group = ("base", "base-2", "new")
    comparison = Comparison(group, "new", Hypotheses(0, 50, sides=3))
    comparison.advance(
        {
            Slot(0, group, 0): (2, 3, 1),
            Slot(0, group, 1): (1, 1, 3),
            Slot(0, group, 2): (1, 2, 2),
        }
    )
    assert comparison.counts[4 + 0 + 1] == 1, "half points: 4 of a win, 0, and 0 + 1 of a tie"
