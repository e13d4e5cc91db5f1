"""From what is asked for to a run in the store."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.referee.faults import CannotStart
from arena.referee.program import Program
from arena.store.db import Store
from arena.store.errors import StoreError
from arena.store.model import Entrant, Slot
from arena.tournament import seeds
from arena.tournament.entry import Entry
from arena.tournament.prepare import FormatChoice, Request, begun, check, enter, planned, prepare
from engine.game import TableError
from engine.options import make_table
from engine.registry import game
from tests.records import played
from tests.stored import finished


def entry(name: str, digest: str = "", games: tuple[str, ...] | None = None) -> Entry:
    entrant = Entrant(name, digest or name.upper(), f"./{name}")
    return Entry(entrant, Program(name, ("/bin/true",)), games)


def request(*names: str, seats: int = 2, of: str = "savanna-ten", **other: Any) -> Request:
    options = other.pop("options", {})
    entries = other.pop("entries", tuple(map(entry, names or ("ann", "bob"))))
    rules = game(of)
    table = make_table(rules, seats, options)
    return Request(game=rules, table=table, entries=entries, clocks=Clocks(), **other)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as store:
        yield store


# What is asked for


@pytest.mark.parametrize(
    ("names", "seats", "options", "needed"),
    [
        (["ann"], 2, {}, 2),
        (["ann", "bob"], 3, {}, 3),
        (["ann", "bob", "cid"], 4, {}, 4),
        (["ann"], 4, {"teams": True}, 2),
    ],
)
def test_there_are_bots_for_every_side(
    names: list[str], seats: int, options: dict[str, Any], needed: int
) -> None:
    with pytest.raises(TableError) as found:
        check(request(*names, seats=seats, options=options))
    assert str(found.value) == (
        f"savanna-ten with {seats} seats needs at least {needed} bots, not {len(names)}"
    )


def test_two_bots_are_enough_for_teams() -> None:
    check(request("ann", "bob", seats=4, options={"teams": True}))


def test_every_bot_plays_the_game() -> None:
    check(request(entries=(entry("ann"), entry("bob", games=("savanna-ten", "herd")))))
    with pytest.raises(CannotStart) as found:
        check(request(entries=(entry("ann"), entry("bob", games=("herd", "go")))))
    assert str(found.value) == "bot bob does not play savanna-ten; it plays herd, go"


# Which run it is


def test_a_new_run_is_stored_with_all_that_identifies_it(store: Store) -> None:
    prepared = prepare(store, request(seed="my words"))
    run = prepared.run
    assert not prepared.continued
    assert run.id == seeds.run_id(run)
    assert (run.game, run.version, run.seats, run.sides) == ("savanna-ten", 1, 2, (0, 1))
    assert run.options == {"mouse": "off", "teams": False}
    assert (run.format, run.seed, run.clocks) == ("round-robin", "my words", Clocks())
    assert store.run(run.id) == run


SAME: dict[str, dict[str, Any]] = {
    "nothing": {},
    "deals": {"format": FormatChoice(deals=99)},
    "a sample": {"format": FormatChoice(matches=7)},
    "bots": {"entries": tuple(map(entry, ("ann", "bob", "cid")))},
    "replace": {"replace": True},
}
OTHER: dict[str, dict[str, Any]] = {
    "the seed": {"seed": "other"},
    "the game": {"of": "herd"},
    "an option": {"options": {"mouse": "add"}},
    "the format": {"format": FormatChoice("swiss")},
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_what_extends_a_run(store: Store, change: dict[str, Any]) -> None:
    first = prepare(store, request(seed="1"))
    again = prepare(store, request(**{"seed": "1", **change}))
    assert again.continued
    assert again.run == first.run


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_what_makes_another_run(store: Store, change: dict[str, Any]) -> None:
    first = prepare(store, request(seed="1"))
    other = prepare(store, request(**{"seed": "1", **change}))
    assert not other.continued
    assert other.run.id != first.run.id


def test_other_clocks_and_seats_make_another_run(store: Store) -> None:
    base = request("ann", "bob", "cid", seed="1")
    slow = replace(base, clocks=Clocks(turn_ms=9000))
    three = request("ann", "bob", "cid", seats=3, seed="1")
    assert len({prepare(store, some).run.id for some in (base, slow, three)}) == 3


def test_without_a_seed_the_latest_run_of_the_same_words_goes_on(store: Store) -> None:
    first = prepare(store, request()).run
    assert len(first.seed) == 32
    assert prepare(store, request("bob", "ann")).run == first
    assert prepare(store, request("ann", "cid")).run != first
    other = replace(request(), entries=(entry("ann"), replace_words(entry("bob"), "./bob -x")))
    assert prepare(store, other).run != first


def replace_words(of: Entry, words: str) -> Entry:
    return replace(of, entrant=replace(of.entrant, words=words))


def test_new_starts_another_with_a_seed_of_its_own(store: Store) -> None:
    first = prepare(store, request()).run
    second = prepare(store, request(new=True))
    assert not second.continued
    assert second.run.seed != first.seed
    assert prepare(store, request()).run == second.run


def test_new_with_the_seed_of_a_run_is_refused(store: Store) -> None:
    run = prepare(store, request(seed="1")).run
    with pytest.raises(CannotStart) as found:
        prepare(store, request(seed="1", new=True))
    assert str(found.value) == (
        f"run {run.id} has this seed already; leave out --new to continue it, "
        "or give another --seed"
    )


def test_a_run_from_elsewhere_is_not_continued(store: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "other.db") as other:
        run = prepare(other, request(seed="1")).run
    store.import_records([played("savanna-ten", run=run.id)])
    with pytest.raises(StoreError, match=f"run {run.id} was imported and cannot be continued"):
        prepare(store, request(seed="1"))


# Which run is kept


def begin(store: Store, deals: int) -> None:
    """A run that cannot go on after so many deals."""
    with begun(store, request(seed="1")) as prepared:
        enter(store, prepared.run, request())
        slots = [Slot(deal, ("ann", "bob"), 0) for deal in range(deals)]
        store.add(prepared.run.id, [finished(prepared.run, slot) for slot in slots])
        raise CannotStart("no more")


@pytest.mark.parametrize(("deals", "kept"), [(0, []), (1, [1]), (3, [3])])
def test_a_new_run_is_kept_that_has_a_match(store: Store, deals: int, kept: list[int]) -> None:
    with pytest.raises(CannotStart, match="no more"):
        begin(store, deals)
    assert [summary.matches for summary in store.runs()] == kept


def test_a_run_that_was_there_before_is_kept(store: Store) -> None:
    run = prepare(store, request(seed="1")).run
    with begun(store, request(seed="1")):
        pass
    assert store.run(run.id) == run


def test_a_run_that_another_arena_plays_by_now_is_kept(store: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "arena.db") as other, ExitStack() as playing:
        with begun(store, request(seed="1")) as prepared:
            playing.enter_context(other.playing(prepared.run.id))
        assert store.run(prepared.run.id) == prepared.run


# Who takes part


def entered(store: Store, run: str) -> dict[str, str]:
    return {entrant.name: entrant.digest for entrant in store.entrants(run)}


def test_bots_are_entered_once(store: Store) -> None:
    run = prepare(store, request(seed="1")).run
    enter(store, run, request("ann", "bob"))
    enter(store, run, request("cid", "bob"))
    assert entered(store, run.id) == {"ann": "ANN", "bob": "BOB", "cid": "CID"}


def test_a_changed_bot_is_refused_with_both_digests(store: Store) -> None:
    run = prepare(store, request(seed="1")).run
    enter(store, run, request("ann", "bob"))
    changed = request(entries=(entry("ann"), entry("bob", "new"), entry("cid")))
    with pytest.raises(CannotStart) as found:
        enter(store, run, changed)
    assert str(found.value) == (
        "bot bob has changed: its digest is new, in this run it was BOB; --replace plays its "
        "matches afresh, NAME=BOT enters it under a new name"
    )
    assert entered(store, run.id) == {"ann": "ANN", "bob": "BOB"}
    enter(store, run, replace(changed, replace=True))
    assert entered(store, run.id) == {"ann": "ANN", "bob": "new", "cid": "CID"}


# What would be played


def test_a_plan_counts_without_playing() -> None:
    names = [f"bot{n}" for n in range(6)]
    plan = planned(request(*names, format=FormatChoice(deals=5)))
    assert (plan.matches, plan.groups) == (150, 15)
    assert plan.meetings is not None
    assert (plan.meetings.least, plan.meetings.most) == (10, 10)
    sample = planned(request(*names, format=FormatChoice(matches=31)))
    assert sample.matches == 32
