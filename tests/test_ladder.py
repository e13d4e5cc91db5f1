"""The ladder: the deals that tell most about the order."""

from collections import Counter
from random import Random

import pytest

from arena.store.model import Slot
from arena.tournament.ladder import BATCH, Ladder
from tests.test_formats import by_name, play


def test_it_plays_its_budget_in_whole_deals() -> None:
    played = play(Ladder(("a", "b", "c"), 2, 50))
    assert 50 <= len(played) < 50 + 2 * BATCH
    assert all(Slot(slot.deal, slot.group, 1 - slot.rotation) in played for slot in played)


def test_a_deal_that_was_begun_is_ended_first() -> None:
    plan = Ladder(("a", "b", "c"), 2, None)
    begun = {Slot(0, ("b", "c"), 1): (1, 2)}
    assert list(plan.slots(begun)) == [Slot(0, ("b", "c"), 0)]


def test_without_a_budget_there_is_always_more() -> None:
    plan = Ladder(("a", "b", "c"), 2, None)
    assert plan.matches() is None
    played = {slot: by_name(slot) for slot in plan.slots({})}
    assert len([slot for slot in plan.slots(played) if slot not in played]) == 2 * BATCH


def test_it_spends_on_neighbours_not_on_what_is_clear() -> None:
    strength = {"a": 0.0, "b": 25.0, "c": 600.0}
    rng = Random(1)

    def outcome(slot: Slot) -> tuple[int, ...]:
        first, second = slot.group
        wins = rng.random() < 1 / (1 + 10 ** ((strength[second] - strength[first]) / 400))
        return (1, 2) if wins else (2, 1)

    groups = Counter(slot.group for slot in play(Ladder(("a", "b", "c"), 2, 300), outcome))
    assert groups["a", "b"] > 2 * max(groups["a", "c"], groups["b", "c"])


@pytest.mark.parametrize("sides", [3, 4])
def test_it_fills_tables_of_more_sides(sides: int) -> None:
    played = play(Ladder(("a", "b", "c", "d", "e"), sides, 60))
    assert {len(slot.group) for slot in played} == {sides}
    assert {name for slot in played for name in slot.group} == set("abcde")
