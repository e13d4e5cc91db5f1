"""Who plays whom, on which deal, in which seats."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.store.model import Slot
from arena.tournament.schedule import (
    Plan,
    Span,
    balanced_sample,
    circle_round,
    groups,
    plan,
    rotations,
    round_robin,
    round_robin_plan,
    seating,
)

ANYBODY = st.text("abcxyz019._+-", min_size=1, max_size=6)
TWO, THREE, FOUR, TEAMS = (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 0, 1)
TABLES = [TWO, THREE, FOUR, TEAMS]


def bots(number: int) -> list[str]:
    return [f"bot{n:03}" for n in range(number)]


def test_groups_are_all_sets_with_sorted_names() -> None:
    assert list(groups(["c", "a", "b"], 2)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert list(groups(["c", "a", "b"], 3)) == [("a", "b", "c")]
    assert list(groups(["a"], 2)) == []


def test_a_round_robin_goes_deal_by_deal_and_keeps_rotations_together() -> None:
    assert list(round_robin(["b", "a", "c"], 2, 2)) == [
        Slot(deal, group, rotation)
        for deal in (0, 1)
        for group in (("a", "b"), ("a", "c"), ("b", "c"))
        for rotation in (0, 1)
    ]


def test_slots_of_a_round_robin_come_sorted() -> None:
    slots = list(round_robin(bots(6), 3, 3))
    assert slots == sorted(slots)


def test_a_huge_round_robin_is_not_enumerated_to_begin() -> None:
    assert len(list(islice(round_robin(bots(100), 4, 10**6), 8))) == 8


# Seatings


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        (TWO, ["ba", "ab"]),
        (THREE, ["abc", "bca", "cab"]),
        (FOUR, ["dbca", "bcad", "cadb", "adbc"]),
        (TEAMS, ["baba", "abab"]),
    ],
    ids=["2", "3", "4", "teams"],
)
def test_seatings_are_the_cyclic_shifts_of_the_deals_order(
    sides: Sequence[int], expected: list[str]
) -> None:
    group = tuple("abcd"[: len(set(sides))])
    seated = [seating("s", slot, sides) for slot in rotations(group, 0)]
    assert ["".join(names) for names in seated] == expected


@given(
    sides=st.sampled_from(TABLES),
    names=st.sets(ANYBODY, min_size=4, max_size=4),
    deal=st.integers(0, 1000),
    seed=st.text(),
)
def test_in_each_deal_everybody_holds_every_seat_equally_often(
    sides: tuple[int, ...], names: set[str], deal: int, seed: str
) -> None:
    group = tuple(sorted(names)[: len(set(sides))])
    held = Counter(
        (name, seat)
        for slot in rotations(group, deal)
        for seat, name in enumerate(seating(seed, slot, sides))
    )
    assert held == {(name, seat): 1 for name in group for seat in range(len(sides))}


def test_an_entrant_plays_both_seats_of_its_team() -> None:
    for slot in rotations(("a", "b"), 7):
        first, second, third, fourth = seating("s", slot, TEAMS)
        assert first == third != second == fourth


# What is added later changes nothing that was there


@given(
    names=st.lists(ANYBODY, min_size=3, max_size=7, unique=True),
    sides=st.integers(2, 3),
    deals=st.integers(0, 3),
)
def test_more_bots_or_deals_keep_every_slot(names: list[str], sides: int, deals: int) -> None:
    before = set(round_robin(names[:-1], sides, deals))
    assert before <= set(round_robin(names, sides, deals))
    assert before <= set(round_robin(names[:-1], sides, deals + 1))


@given(
    number=st.integers(2, 9),
    sides=st.integers(2, 4),
    matches=st.integers(0, 60),
    more=st.integers(0, 60),
    seed=st.text(),
)
def test_a_larger_sample_only_appends(
    number: int, sides: int, matches: int, more: int, seed: str
) -> None:
    smaller = balanced_sample(bots(number), sides, matches, seed)
    larger = balanced_sample(bots(number), sides, matches + more, seed)
    assert larger[: len(smaller)] == smaller


# Samples


@pytest.mark.parametrize(("matches", "rounded"), [(0, 0), (1, 3), (3, 3), (4, 6), (300, 300)])
def test_a_sample_is_rounded_up_to_whole_deals(matches: int, rounded: int) -> None:
    sample = balanced_sample(bots(5), 3, matches, "s")
    assert len(sample) == len(set(sample)) == rounded
    assert {slot.rotation for slot in sample} <= {0, 1, 2}


def test_too_few_bots_give_an_empty_sample() -> None:
    assert balanced_sample(["a"], 2, 10, "s") == []


def test_deals_of_a_group_count_up_from_0() -> None:
    next_deal: Counter[tuple[str, ...]] = Counter()
    for slot in balanced_sample(bots(5), 2, 100, "s"):
        assert slot.deal == next_deal[slot.group]
        next_deal[slot.group] += slot.rotation == 1


def test_the_seed_decides_who_begins() -> None:
    assert len({balanced_sample(bots(8), 2, 1, f"s{n}")[0].group for n in range(20)}) > 5


def spreads(number: int, sides: int, deals: int) -> tuple[int, int]:
    """After any number of deals, the greatest lead in deals played and in pairs' meetings."""
    names = bots(number)
    played = dict.fromkeys(names, 0)
    met = dict.fromkeys(combinations(names, 2), 0)
    worst_played = worst_met = 0
    for slot in balanced_sample(names, sides, deals * sides, "s")[::sides]:
        for name in slot.group:
            played[name] += 1
        for pair in combinations(slot.group, 2):
            met[pair] += 1
        worst_played = max(worst_played, max(played.values()) - min(played.values()))
        worst_met = max(worst_met, max(met.values()) - min(met.values()))
    return worst_played, worst_met


@pytest.mark.parametrize("number", range(3, 22))
def test_with_two_sides_nobody_is_more_than_a_deal_ahead(number: int) -> None:
    """At every length up to two and a half all-play-alls: matches of bots, meetings of pairs."""
    assert spreads(number, 2, 5 * number * (number - 1) // 4) == (1, 1)


@pytest.mark.parametrize(
    ("number", "sides", "meetings"),
    # Two of four bots in threes rest in the first two deals, the others meet twice: 2 is the least.
    [(3, 3, 0), (4, 3, 2), (5, 3, 2), (8, 3, 2), (16, 3, 3), (5, 4, 2), (10, 4, 3), (16, 4, 3)],
)
def test_with_more_sides_pairs_stay_close(number: int, sides: int, meetings: int) -> None:
    played, met = spreads(number, sides, 3 * number)
    assert played <= 1
    assert met <= meetings


def test_a_hundred_bots_in_fours_stay_close() -> None:
    sample = balanced_sample(bots(100), 4, 4000, "s")
    summary = plan(bots(100), sample[::4])
    assert summary.matches == 1000
    assert summary.appearances == Span(40, 40)
    assert summary.meetings.most - summary.meetings.least <= 3


# Samples that go on from what was played


@given(
    number=st.integers(2, 7),
    sides=st.integers(2, 4),
    deals=st.integers(0, 20),
    more=st.integers(0, 9),
)
def test_going_on_from_whole_deals_plays_what_was_planned(
    number: int, sides: int, deals: int, more: int
) -> None:
    planned = balanced_sample(bots(number), sides, (deals + more) * sides, "s")
    played = planned[: deals * sides]
    assert set(balanced_sample(bots(number), sides, len(planned), "s", played)) == set(planned)


@given(taken=st.sets(st.integers(0, 59)), number=st.integers(4, 6), extra=st.integers(0, 2))
def test_what_was_played_stays_and_counts(taken: set[int], number: int, extra: int) -> None:
    """Whatever part was played, and however many bots have joined."""
    played = [balanced_sample(bots(number), 2, 60, "s")[place] for place in taken]
    sample = balanced_sample(bots(number + extra), 2, 60, "s", played)
    assert set(played) <= set(sample)
    assert len(sample) == len(set(sample)) == 60


def test_a_bot_that_joins_catches_up() -> None:
    played = balanced_sample(bots(4), 2, 48, "s")
    sample = balanced_sample(bots(5), 2, 80, "s", played)
    assert sample[:48] == sorted(played)
    assert plan(bots(5), sample).appearances == Span(32, 32)
    assert plan(bots(5), sample).meetings == Span(8, 8)


def test_a_deal_begun_is_finished_first() -> None:
    begun = Slot(3, ("bot000", "bot001", "bot002"), 1)
    sample = balanced_sample(bots(4), 3, 6, "s", [begun])
    assert sample[:3] == list(rotations(begun.group, 3))
    assert [slot.deal for slot in sample[3:]] == [0, 0, 0]


def test_matches_of_bots_that_left_are_passed_over() -> None:
    gone = Slot(0, ("bot000", "retired"), 0)
    assert gone not in balanced_sample(bots(2), 2, 2, "s", [gone])


# Rounds


@pytest.mark.parametrize("number", range(2, 20, 2))
def test_in_each_round_of_an_even_circle_all_play_once(number: int) -> None:
    by_round: dict[int, list[int]] = {}
    for a, b in combinations(range(number), 2):
        by_round.setdefault(circle_round(a, b, number), []).extend((a, b))
    assert len(by_round) == number - 1
    assert all(sorted(players) == list(range(number)) for players in by_round.values())


@pytest.mark.parametrize("number", range(3, 20, 2))
def test_in_three_rounds_of_an_odd_circle_all_play_twice(number: int) -> None:
    by_cycle: dict[int, list[int]] = {}
    for a, b in combinations(range(number), 2):
        by_cycle.setdefault(circle_round(a, b, number) // 3, []).extend((a, b))
    assert len(by_cycle) == (number - 1) // 2
    assert all(sorted(players) == sorted([*range(number)] * 2) for players in by_cycle.values())


# Plans


@pytest.mark.parametrize(
    ("number", "sides", "deals"), [(5, 2, 3), (6, 3, 2), (4, 4, 1), (1, 2, 1), (0, 2, 1), (3, 1, 2)]
)
def test_the_plan_of_a_round_robin_is_that_of_its_slots(
    number: int, sides: int, deals: int
) -> None:
    counted = plan(bots(number), round_robin(bots(number), sides, deals))
    assert round_robin_plan(number, sides, deals) == counted


def test_a_plan_counts_matches_groups_meetings_and_appearances() -> None:
    slots = [*rotations(("a", "b"), 0), *rotations(("a", "b"), 1), *rotations(("a", "c"), 0)]
    assert plan(["a", "b", "c"], slots) == Plan(
        matches=6, groups=2, meetings=Span(0, 4), appearances=Span(2, 6)
    )


def test_the_plan_of_a_huge_round_robin_is_not_counted() -> None:
    assert round_robin_plan(100, 4, 10) == Plan(
        matches=156_849_000, groups=3_921_225, meetings=Span(190_120, 190_120),
        appearances=Span(6_273_960, 6_273_960),
    )  # fmt: skip
