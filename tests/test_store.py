"""What is put into a store comes out of it: runs, entrants, matches, logs."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.store.db import Store
from arena.store.errors import NotFound, StoreError
from arena.store.model import Entrant, Filter, MatchSummary, RunSummary, SeatFault, Slot
from arena.tournament.schedule import round_robin
from protocol.record import LogEntry, decode_record, encode_record
from tests.stored import entrants, finished, run, team_run

AB = ("ann", "bob")


@pytest.fixture(autouse=True)
def locks_in_a_folder_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as opened:
        yield opened


@pytest.fixture
def filled(store: Store) -> Store:
    """Two deals of a run of three bots: twelve matches."""
    store.add_run(run())
    store.add_entrants("run1", entrants("ann", "bob", "cid"))
    store.add("run1", [finished(run(), slot) for slot in round_robin(["ann", "bob", "cid"], 2, 2)])
    return store


# Runs


def test_a_run_comes_back_as_it_was_given(store: Store) -> None:
    for given_run in (run(), team_run()):
        store.add_run(given_run)
        assert store.run(given_run.id) == given_run


def test_a_run_that_is_there_stays_as_it_is(store: Store) -> None:
    store.add_run(run())
    store.add_run(run(words="other words"))
    assert [summary.run for summary in store.runs()] == [run()]


def test_runs_are_listed_by_creation_with_counts(filled: Store) -> None:
    early = run("run0", created="2026-11-29T18:00:00Z")
    filled.add_run(early)
    assert filled.runs() == [RunSummary(early, 0, 0), RunSummary(run(), 3, 12)]


def test_a_run_tells_how_many_matches_are_planned(filled: Store) -> None:
    for planned in (12, 18, None):
        filled.plan("run1", planned)
        assert [summary.planned for summary in filled.runs()] == [planned]


def test_a_run_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    store.add_run(run("abc1"))
    store.add_run(run("abd1"))
    assert store.run("abc").id == "abc1"


def test_a_whole_id_is_found_though_another_begins_with_it(store: Store) -> None:
    store.add_run(run("abc"))
    store.add_run(run("abcd"))
    assert store.run("abc").id == "abc"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ab", "more than one run begins with 'ab': abc1, abd1, …"),
        ("abe", "there is no run 'abe' in {path}; the nearest: abd1"),
        ("abc2", "there is no run 'abc2' in {path}; the nearest: abc1, abd1"),
        ("%", "there is no run '%' in {path}; the nearest: abc1"),
    ],
)
def test_a_run_that_is_not_there_names_what_is_near(
    store: Store, tmp_path: Path, name: str, sentence: str
) -> None:
    store.add_run(run("abc1"))
    store.add_run(run("abd1"))
    with pytest.raises(NotFound) as caught:
        store.run(name)
    assert str(caught.value) == sentence.format(path=tmp_path / "arena.db")


def test_an_empty_store_says_that_there_are_no_runs(store: Store) -> None:
    with pytest.raises(NotFound, match=r"there is no run 'x' in .*: there are none yet"):
        store.run("x")


def test_the_latest_run_of_some_words_is_found(store: Store) -> None:
    store.add_run(run("first", created="2026-11-29T19:00:00Z"))
    store.add_run(run("last", created="2026-11-29T20:00:00Z"))
    store.add_run(run("other", created="2026-11-29T21:00:00Z", words="other words"))
    latest = store.latest_run("savanna-ten ann bob")
    assert latest is not None
    assert latest.id == "last"
    assert store.latest_run("never typed") is None


def test_a_deleted_run_leaves_nothing(filled: Store) -> None:
    filled.add_run(run("run2"))
    filled.add("run2", [finished(run("run2"), Slot(0, AB, 0), logs={0: "said"})])
    assert filled.delete_run("run1") == 12
    assert [summary.run.id for summary in filled.runs()] == ["run2"]
    assert [match.run for match in filled.matches()] == ["run2"]
    with pytest.raises(NotFound):
        filled.entrants("run1")


def test_a_deleted_run_can_be_played_anew(filled: Store) -> None:
    filled.delete_run("run1")
    filled.add_run(run())
    assert filled.played("run1") == {}
    again = finished(run(), Slot(0, AB, 0), (2, 1))
    assert filled.add("run1", [again]) == 1
    assert filled.record(again.record.match) == again.record


# Entrants


def test_entrants_come_back_by_name(store: Store) -> None:
    store.add_run(run())
    given_bots = [Entrant("bob", "D2", "./bob --fast", network=True), Entrant("ann", "D1", "ann")]
    store.add_entrants("run1", given_bots)
    assert store.entrants("run1") == given_bots[::-1]


def test_bots_can_be_entered_again_and_more_of_them(store: Store) -> None:
    store.add_run(run())
    store.add_entrants("run1", entrants("ann", "bob"))
    store.add_entrants("run1", entrants("ann", "bob", "cid"))
    assert store.entrants("run1") == entrants("ann", "bob", "cid")


def test_a_name_with_another_digest_is_refused_and_nobody_entered(store: Store) -> None:
    store.add_run(run())
    store.add_entrants("run1", entrants("ann"))
    with pytest.raises(StoreError, match="bot ann is in run run1 with the digest ANN, not D2"):
        store.add_entrants("run1", [*entrants("bob"), Entrant("ann", "D2", "./ann")])
    assert store.entrants("run1") == entrants("ann")


def test_the_same_name_may_have_another_digest_in_another_run(store: Store) -> None:
    store.add_run(run())
    store.add_run(run("run2"))
    store.add_entrants("run1", [Entrant("ann", "D1", "./ann")])
    store.add_entrants("run2", [Entrant("ann", "D2", "./ann")])
    assert store.entrants("run1")[0].digest == "D1"


def test_a_replaced_entrant_loses_its_matches_in_that_run_only(filled: Store) -> None:
    filled.add_run(run("run2"))
    filled.add("run2", [finished(run("run2"), Slot(0, AB, 0))])
    assert filled.replace_entrant("run1", Entrant("ann", "D2", "./ann")) == 8
    assert {slot.group for slot in filled.played("run1")} == {("bob", "cid")}
    assert {match.bots for match in filled.matches(Filter(run="run1"))} == {
        ("bob", "cid"),
        ("cid", "bob"),
    }
    assert len(filled.played("run2")) == 1
    assert [entrant.digest for entrant in filled.entrants("run1")] == ["D2", "BOB", "CID"]
    assert len(list(filled.records(Filter(run="run1")))) == 4


# Matches in


def test_added_matches_fill_their_slots(filled: Store) -> None:
    assert set(filled.played("run1")) == set(round_robin(["ann", "bob", "cid"], 2, 2))


def test_played_slots_tell_ranks_in_the_order_of_the_group(store: Store) -> None:
    store.add_run(run())
    straight, turned = Slot(0, AB, 0), Slot(0, AB, 1)
    store.add("run1", [finished(run(), straight, (1, 2)), finished(run(), turned, (1, 2))])
    assert store.played("run1") == {straight: (1, 2), turned: (2, 1)}


def test_a_slot_holds_the_first_match_that_came(store: Store) -> None:
    store.add_run(run())
    first = finished(run(), Slot(0, AB, 0), (1, 2))
    assert store.add("run1", [first, finished(run(), Slot(0, AB, 1))]) == 2
    second = finished(run(), Slot(0, AB, 0), (2, 1), match="another")
    third = finished(run(), Slot(1, AB, 0))
    assert store.add("run1", [second, third, third]) == 1
    assert store.record(first.record.match) == first.record
    assert store.record(third.record.match) == third.record
    assert len(list(store.records())) == 3


def test_a_match_of_other_bots_than_its_slots_is_a_mistake_and_stores_nothing(store: Store) -> None:
    store.add_run(run())
    wrong = replace(finished(run(), Slot(0, AB, 0)), slot=Slot(0, ("ann", "cid"), 0))
    with pytest.raises(ValueError, match="was not played by ann, cid"):
        store.add("run1", [finished(run(), Slot(1, AB, 0)), wrong])
    assert store.played("run1") == {}


def test_after_an_undone_batch_the_next_one_is_whole(store: Store) -> None:
    """What was remembered of the batch (numbers, a dictionary) is not in the file."""
    store.add_run(run())
    good = [finished(run(), Slot(deal, AB, 0), faults=[(0, "crash")]) for deal in range(3)]
    twice = replace(good[0], slot=Slot(3, AB, 0))
    with pytest.raises(StoreError, match="UNIQUE constraint failed"):
        store.add("run1", [*good, twice])
    assert store.add("run1", good[1:]) == 2
    assert list(store.records()) == [match.record for match in good[1:]]


def test_two_runs_hold_the_same_slot(store: Store) -> None:
    for name in ("run1", "run2"):
        store.add_run(run(name))
        assert store.add(name, [finished(run(name), Slot(0, AB, 0))]) == 1


# Matches out


def test_a_summary_tells_a_match_without_its_log(store: Store) -> None:
    store.add_run(team_run())
    match = finished(
        team_run(), Slot(4, AB, 1), (1, 2, 1, 2), faults=[(1, "timeout"), (3, "crash")]
    )
    store.add("teams", [match])
    assert list(store.matches()) == [
        MatchSummary(
            match=match.record.match,
            run="teams",
            game="savanna-ten",
            options={"mouse": "off", "teams": True},
            bots=("bob", "ann", "bob", "ann"),
            ranks=(1, 2, 1, 2),
            scores=(15, 10),
            reason="finished",
            faults=(SeatFault(1, "timeout"), SeatFault(3, "crash")),
        )
    ]


def test_matches_come_latest_first_as_many_as_wanted(filled: Store) -> None:
    late = finished(run(), Slot(2, AB, 0))
    filled.add("run1", [late])
    assert [match.match for match in filled.matches(limit=1)] == [late.record.match]
    assert len(list(filled.matches())) == 13


@pytest.fixture
def varied(store: Store) -> Store:
    """A match of each of four runs."""
    runs = [
        run("duel"),
        run("mouse", options={"mouse": "add", "teams": False}),
        run("herd", game="herd", options={"size": 5, "turn_limit": 1000}),
        run("three", seats=3),
    ]
    for each in runs:
        store.add_run(each)
    store.add("duel", [finished(runs[0], Slot(0, AB, 0))])
    store.add("mouse", [finished(runs[1], Slot(0, ("bob", "cid"), 0))])
    store.add("herd", [finished(runs[2], Slot(0, ("an", "bobby"), 0), faults=[(1, "crash")])])
    store.add("three", [finished(runs[3], Slot(0, ("ann", "bob", "cid"), 0), (1, 2, 3))])
    return store


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), ["duel", "herd", "mouse", "three"]),
        (Filter(game="herd"), ["herd"]),
        (Filter(game="chess"), []),
        (Filter(seats=3), ["three"]),
        (Filter(options={"mouse": "add"}), ["mouse"]),
        (Filter(options={"size": 5}), ["herd"]),
        (Filter(options={"size": "5"}), ["herd"]),
        (Filter(options={"teams": "false"}), ["duel", "mouse", "three"]),
        (Filter(options={"teams": False, "mouse": "off"}), ["duel", "three"]),
        (Filter(options={"size": "6"}), []),
        (Filter(run="mou"), ["mouse"]),
        (Filter(bot="ann"), ["duel", "three"]),
        (Filter(bot="bobby"), ["herd"]),
        (Filter(game="savanna-ten", bot="cid", seats=2), ["mouse"]),
        (Filter(match="du"), ["duel"]),
        (Filter(match="z"), []),
        (Filter(faulted=True), ["herd"]),
        (Filter(faulted=True, match="duel"), []),
    ],
    ids=repr,
)
def test_a_filter_lets_through_what_fits_all_of_it(
    varied: Store, wanted: Filter, found: list[str]
) -> None:
    assert sorted(match.run for match in varied.matches(wanted)) == found
    assert sorted(str(record.run) for record in varied.records(wanted)) == found


def test_a_filter_by_a_run_that_is_not_there_is_an_error(varied: Store) -> None:
    with pytest.raises(NotFound, match="there is no run 'nothing'"):
        varied.matches(Filter(run="nothing"))


def test_a_record_is_found_by_the_beginning_of_its_id(filled: Store) -> None:
    whole = next(filled.records())
    assert filled.record(whole.match[:-1]) == whole
    with pytest.raises(NotFound, match=r"more than one match begins with 'run1-': .*, …"):
        filled.record("run1-")
    with pytest.raises(
        NotFound, match=r"there is no match 'zzz' in .*; the nearest: run1-000001-1"
    ):
        filled.record("zzz")


def test_records_come_in_slot_order_however_they_were_stored(store: Store) -> None:
    store.add_run(run())
    slots = list(round_robin(["ann", "bob", "cid"], 2, 3))
    matches = [finished(run(), slot) for slot in slots]
    store.add("run1", matches[5:])
    store.add("run1", matches[:5])
    assert list(store.records()) == [match.record for match in matches]


def test_runs_are_exported_one_after_another_by_creation(store: Store) -> None:
    for name, created in (("late", "2026-11-29T21:00:00Z"), ("early", "2026-11-29T20:00:00Z")):
        store.add_run(run(name, created=created))
        store.add(name, [finished(run(name), Slot(0, AB, rotation)) for rotation in (0, 1)])
    assert [record.run for record in store.records()] == ["early", "early", "late", "late"]


def test_more_records_than_are_read_at_once(store: Store) -> None:
    store.add_run(run())
    matches = [finished(run(), slot) for slot in round_robin(AB, 2, 300)]
    assert store.add("run1", matches) == 600
    assert list(store.records()) == [match.record for match in matches]


NOTES = st.text(max_size=500)
ENTRIES = st.builds(
    LogEntry,
    by=st.integers(-1, 3),
    do=st.text(max_size=20),
    ms=st.none() | st.floats(0, 1e6),
    note=st.none() | NOTES,
    value=st.none() | st.floats(0, 1),
    stand_in=st.booleans(),
)


@settings(max_examples=30, deadline=None)
@given(log=st.lists(ENTRIES, max_size=12), number=st.integers(1, 20), options=st.permutations("ba"))
def test_records_are_kept_whole_and_byte_exact(
    tmp_path_factory: pytest.TempPathFactory,
    log: list[LogEntry],
    number: int,
    options: list[str],
) -> None:
    """Also from packs of one and of many, and with the options in the order they had."""
    whole = run(options=dict.fromkeys(options, 1))
    matches = [finished(whole, Slot(deal, AB, 0), log=tuple(log)) for deal in range(number)]
    with Store.open(tmp_path_factory.mktemp("store") / "arena.db") as store:
        store.add_run(whole)
        store.add("run1", matches[:1])
        store.add("run1", matches[1:])
        exported = [encode_record(record) for record in store.records()]
    lines = [encode_record(match.record) for match in matches]
    assert exported == lines
    assert [decode_record(line) for line in exported] == [match.record for match in matches]


def test_logs_are_kept_of_the_seats_that_have_one(store: Store) -> None:
    store.add_run(run())
    said = "Traceback …\n" * 10_000 + "\udcff"
    match = finished(run(), Slot(0, AB, 0), logs={1: said})
    store.add("run1", [match, finished(run(), Slot(1, AB, 0))])
    assert store.log(match.record.match, 0) is None
    assert store.log(match.record.match, 1) == said.replace("\udcff", "?")


def test_logs_can_be_kept_later_in_place_of_older_ones(filled: Store) -> None:
    match = next(filled.records()).match
    for text in ("turn 1", "turn 2\ud800"):
        filled.keep_logs(match, {0: text})
        assert filled.log(match, 0) == text.replace("\ud800", "?")
    assert filled.log(match, 1) is None
    with pytest.raises(NotFound):
        filled.keep_logs("gone", {0: "x"})


def test_a_record_is_small(store: Store, tmp_path: Path) -> None:
    """600 bytes at most for a match of Savanna Ten, everything counted."""
    store.add_run(run())
    store.add("run1", [finished(run(), slot) for slot in round_robin(AB, 2, 1000)])
    store.close()
    assert (tmp_path / "arena.db").stat().st_size / 2000 < 450
