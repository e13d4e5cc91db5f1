"""Everything of a run follows from its seed, and each kind of value from a domain of its own."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.store.model import Run, Slot
from arena.tournament import seeds

RUN = Run(
    id="",
    game="savanna-ten",
    version=1,
    options={"mouse": "off", "teams": False},
    seats=2,
    format="round-robin",
    clocks=Clocks(),
    seed="some words",
    words="savanna-ten greedy random",
    created="2026-11-29T19:00:00Z",
)
SLOT = Slot(3, ("greedy", "random"), 1)


def test_the_values_of_a_seed_never_change() -> None:
    """Stored runs continue with what these functions give: a changed value here orphans them."""
    assert seeds.run_id(RUN) == "bcd0dbd49ea4"
    assert seeds.deal("s", ("a", "b"), 0) == "4fff66236235073b49d6cca72714a30a"
    assert seeds.match_seed("s", SLOT) == "4ecda1592ac9101b88bdb285dfa0bed3"
    assert seeds.bot_seeds("s", SLOT, 2) == (1711233486, 1456526076)
    assert seeds.match_id("run1", SLOT, ("d1", "d2")) == "run1-000003-1-76c74f432867c509"
    assert seeds.order("s", ("a", "b", "c", "d"), 0) == ("d", "b", "c", "a")
    assert seeds.draws("s", 0, 3) == (2220513990, 2034448961, 2900068063)


def test_a_random_seed_has_128_bits_and_never_comes_twice() -> None:
    first, second = seeds.random_seed(), seeds.random_seed()
    assert len(bytes.fromhex(first)) == 16
    assert first != second


@pytest.mark.parametrize(
    "change",
    [
        {"id": "else"},
        {"words": "else"},
        {"created": "else"},
        {"sides": (0, 1)},
        {"options": {"teams": False, "mouse": "off"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_run_keeps_its_id_through(change: dict[str, Any]) -> None:
    assert seeds.run_id(replace(RUN, **change)) == seeds.run_id(RUN)


@pytest.mark.parametrize(
    "change",
    [
        {"game": "herd"},
        {"version": 2},
        {"options": {"mouse": "add", "teams": False}},
        {"seats": 3},
        {"format": "swiss"},
        {"clocks": Clocks(margin_ms=1)},
        {"seed": "other words"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_run_is_another_with_another(change: dict[str, Any]) -> None:
    assert seeds.run_id(replace(RUN, **change)) != seeds.run_id(RUN)


def test_a_deal_is_the_groups_whoever_is_named_first() -> None:
    assert seeds.deal("s", ("b", "a"), 0) == seeds.deal("s", ("a", "b"), 0)


def test_deals_differ_by_seed_group_and_number() -> None:
    deals = {
        seeds.deal(seed, group, number)
        for seed in ("s", "t", "")
        for group in (("a", "b"), ("a", "c"), ("ab",), ("a", "b", "c"))
        for number in range(50)
    }
    assert len(deals) == 3 * 4 * 50


def test_no_value_tells_another() -> None:
    """A bot knows its own seed: no other kind of value shares bits with it."""
    kinds = [
        seeds.deal("s", SLOT.group, SLOT.deal),
        seeds.match_seed("s", SLOT),
        *(f"{seed:08x}" for seed in seeds.bot_seeds("s", SLOT, 4)),
    ]
    starts = {kind[:8] for kind in kinds}
    assert len(starts) == len(kinds)


def test_each_seat_of_each_rotation_has_its_own_seed() -> None:
    told = [
        seed for rotation in range(4) for seed in seeds.bot_seeds("s", Slot(0, (), rotation), 4)
    ]
    assert len(set(told)) == 16
    assert all(0 <= seed < 2**31 for seed in told)


@pytest.mark.parametrize(
    "other",
    [
        lambda: seeds.match_id("run2", SLOT, ("d1", "d2")),
        lambda: seeds.match_id("run1", replace(SLOT, deal=4), ("d1", "d2")),
        lambda: seeds.match_id("run1", replace(SLOT, rotation=0), ("d1", "d2")),
        lambda: seeds.match_id("run1", replace(SLOT, group=("a", "b")), ("d1", "d2")),
        lambda: seeds.match_id("run1", SLOT, ("d1", "d3")),
        lambda: seeds.match_id("run1", SLOT, ("d2", "d1")),
    ],
    ids=["run", "deal", "rotation", "group", "program", "programs swapped"],
)
def test_a_match_is_another_with_another(other: Callable[[], str]) -> None:
    assert other() != seeds.match_id("run1", SLOT, ("d1", "d2"))


def test_the_ids_of_a_run_sort_by_deal() -> None:
    ids = [seeds.match_id("run1", Slot(deal, ("a", "b"), 0), ("x", "y")) for deal in range(200)]
    assert ids == sorted(ids)


def test_an_order_holds_the_whole_group_and_changes_from_deal_to_deal() -> None:
    group = ("a", "b", "c", "d")
    orders = {seeds.order("s", group, deal) for deal in range(400)}
    assert all(sorted(order) == list(group) for order in orders)
    assert len(orders) == 24
