"""Formats: which slots are played, given what was played so far."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations

import pytest

from arena.store.model import Slot
from arena.tournament.formats import (
    Format,
    Gauntlet,
    Played,
    RoundRobin,
    Sample,
    Swiss,
    usual_rounds,
)

ABCD = ("a", "b", "c", "d")
Ranks = tuple[int, ...]


def by_name(slot: Slot) -> Ranks:
    """The bot of the lower name always wins."""
    return tuple(range(1, len(slot.group) + 1))


def play(plan: Format, outcome: Callable[[Slot], Ranks] = by_name) -> dict[Slot, Ranks]:
    """Play a format to its end, as far as it names slots at a time."""
    played: dict[Slot, Ranks] = {}
    while fresh := [slot for slot in plan.slots(played) if slot not in played]:
        played.update({slot: outcome(slot) for slot in fresh})
    return played


def meetings(slots: Iterable[Slot]) -> Counter[tuple[str, ...]]:
    return Counter(pair for slot in slots for pair in combinations(slot.group, 2))


@pytest.mark.parametrize(
    "plan",
    [
        RoundRobin(ABCD, 2, 3),
        RoundRobin(ABCD, 3, 2),
        Sample(ABCD, 2, 17, "s"),
        Gauntlet(("a",), ("b", "c", "d"), 2, 3),
        Gauntlet(("a", "b"), ("c", "d", "e"), 3, 2),
        Swiss(("a", "b", "c", "d", "e"), 2, 2, 3, "s"),
        Swiss(("a", "b", "c", "d", "e", "f", "g"), 3, 1, 3, "s"),
    ],
    ids=repr,
)
def test_a_format_plays_as_many_matches_as_it_says_in_whole_deals(plan: Format) -> None:
    played = play(plan)
    assert len(played) == plan.matches()
    rotations = Counter((slot.group, slot.deal) for slot in played)
    assert all(count == len(group) for (group, _), count in rotations.items())


def test_a_gauntlet_lets_each_challenger_meet_all_of_the_field_and_nobody_else() -> None:
    met = meetings(play(Gauntlet(("a", "b"), ("c", "d"), 2, 5)))
    assert met == {("a", "c"): 10, ("a", "d"): 10, ("b", "c"): 10, ("b", "d"): 10}


def test_a_gauntlet_of_three_seats_takes_two_of_the_field() -> None:
    groups = {slot.group for slot in play(Gauntlet(("a",), ("b", "c", "d"), 3, 1))}
    assert groups == {("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d")}


def swiss(names: str, rounds: int, deals: int = 1) -> Swiss:
    return Swiss(tuple(names), 2, deals, rounds, "seed")


def test_a_swiss_round_begins_when_the_one_before_is_whole() -> None:
    plan = swiss("abcd", rounds=3)
    first = list(plan.slots({}))
    assert len(first) == 4
    most = {slot: by_name(slot) for slot in first[:-1]}
    assert list(plan.slots(most)) == first
    all_of_it = {slot: by_name(slot) for slot in first}
    assert len(list(plan.slots(all_of_it))) == 8


def test_in_swiss_winners_meet_winners_and_nobody_meets_again_while_others_are_left() -> None:
    plan = swiss("abcdefgh", rounds=3)
    first = {slot: by_name(slot) for slot in plan.slots({})}
    winners = {slot.group[0] for slot in first}
    second = [slot for slot in plan.slots(first) if slot not in first]
    assert all((slot.group[0] in winners) == (slot.group[1] in winners) for slot in second)
    assert set(meetings(play(plan)).values()) == {2}


def test_in_swiss_everybody_rests_in_turn_where_the_number_is_odd() -> None:
    played = play(swiss("abcde", rounds=5))
    assert Counter(name for slot in played for name in slot.group) == dict.fromkeys("abcde", 8)


def test_who_meets_again_in_swiss_plays_new_deals() -> None:
    played = play(swiss("ab", rounds=3, deals=2))
    assert {slot.deal for slot in played} == {0, 1, 2, 3, 4, 5}


def test_a_swiss_tournament_follows_from_its_results() -> None:
    plan = swiss("abcdef", rounds=4)
    assert list(plan.slots(play(plan))) == list(plan.slots(play(plan)))


@pytest.mark.parametrize(("bots", "sides", "rounds"), [(2, 2, 2), (8, 2, 4), (9, 2, 5), (27, 3, 4)])
def test_the_usual_rounds_tell_a_winner(bots: int, sides: int, rounds: int) -> None:
    assert usual_rounds(bots, sides) == rounds


def test_what_was_played_before_a_bot_joined_counts_in_a_sample() -> None:
    before: Played = play(Sample(("a", "b"), 2, 6, "s"))
    wider = Sample(("a", "b", "c"), 2, 12, "s")
    joined = [slot for slot in wider.slots(before) if slot not in before]
    assert len(joined) == 6
    assert all("c" in slot.group for slot in joined)
