"""Matches that were played elsewhere: into the runs that they name, in the order they come."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.store.db import Store
from arena.store.errors import StoreError
from arena.store.model import Filter, Imported, Slot
from arena.tournament.schedule import round_robin
from protocol.messages import Result
from protocol.record import Record, RecordedBot, RecordError, encode_record
from tests.stored import entrants, finished, record, run, team_run

THREE = ["ann", "bob", "cid"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as opened:
        yield opened


@pytest.fixture
def exported(tmp_path: Path) -> list[Record]:
    """The records of a run of three bots and three deals, played in another store."""
    with Store.open(tmp_path / "elsewhere.db") as elsewhere:
        elsewhere.add_run(run())
        slots = list(round_robin(THREE, 2, 3))
        random.Random(1).shuffle(slots)
        elsewhere.add("run1", [finished(run(), slot) for slot in slots])
        return list(elsewhere.records())


def single(match: str, *bots: str, **other: Any) -> Record:
    """A match outside a run."""
    return replace(record(run(), match, bots), **{"run": None, **other})


def test_an_export_comes_in_as_it_was(store: Store, exported: list[Record]) -> None:
    assert store.import_records(exported) == Imported(new=18, known=0)
    assert [encode_record(known) for known in store.records()] == [
        encode_record(known) for known in exported
    ]
    assert set(store.played("run1")) == set(round_robin(THREE, 2, 3))


def test_what_is_known_is_passed_over(store: Store, exported: list[Record]) -> None:
    assert store.import_records(exported[:5]) == Imported(new=5, known=0)
    assert store.import_records([*exported, exported[7]]) == Imported(new=13, known=6)
    assert list(store.records()) == exported


def test_rotations_of_a_deal_stay_together_over_several_imports(
    store: Store, exported: list[Record]
) -> None:
    store.import_records(exported[::2])
    store.import_records(exported[1::2])
    (pool,) = store.pools()
    clusters = store.results(pool).clusters.tolist()
    assert sorted(clusters.count(cluster) for cluster in set(clusters)) == [2] * 9


def test_an_imported_run_says_what_is_known_of_it(store: Store, exported: list[Record]) -> None:
    store.import_records(exported)
    assert store.run("run1") == run(
        format="imported",
        seed="",
        words="",
        created="2026-11-29T19:00:01Z",
        clocks=Clocks(1000, 5000),
        sides=(0, 1),
    )


def test_an_imported_run_cannot_be_continued(store: Store, exported: list[Record]) -> None:
    store.import_records(exported)
    with pytest.raises(StoreError, match="run run1 was imported and cannot be continued in"):
        store.add_run(run())


def test_a_run_that_was_played_here_takes_no_matches(store: Store, exported: list[Record]) -> None:
    store.add_run(run())
    store.add("run1", [finished(run(), slot) for slot in list(round_robin(THREE, 2, 3))[:17]])
    with pytest.raises(StoreError, match=r"run run1 was played in .* another store \(--store\)"):
        store.import_records(exported)
    known = list(store.records())
    assert store.import_records(known) == Imported(new=0, known=17)


def test_matches_outside_a_run_share_one_per_pool(store: Store) -> None:
    store.import_records(
        [
            single("m1", "ann", "bob"),
            single("m2", "ann", "cid"),
            single("m3", "ann", "bob", options={"mouse": "add", "teams": False}),
            single("m4", "ann", "bob", version=2),
        ]
    )
    runs = {match.match: match.run for match in store.matches()}
    assert runs["m1"] == runs["m2"]
    assert len(set(runs.values())) == 3
    assert all(name.startswith("matches-") for name in runs.values())
    assert store.record("m1").run is None
    assert len(store.pools(Filter(run=runs["m1"]))) == 1


def test_teams_of_one_bot_and_of_two_are_told_by_the_game(store: Store) -> None:
    of = team_run("")
    store.import_records(
        [
            replace(record(of, "two", ("ann", "bob", "ann", "bob"), (1, 2, 1, 2)), run=None),
            replace(record(of, "four", ("ann", "bob", "cid", "dan"), (2, 1, 2, 1)), run=None),
        ]
    )
    (pool,) = store.pools()
    results = store.results(pool)
    names = [contender.name for contender in results.contenders]
    assert names == ["ann", "ann+cid", "bob", "bob+dan"]
    assert {tuple(names[bot] for bot in row) for row in results.bots.tolist()} == {
        ("ann", "bob"),
        ("ann+cid", "bob+dan"),
    }


def test_another_program_under_a_name_is_another_bot(store: Store) -> None:
    changed = single(
        "m2", "ann", "bob", bots=(RecordedBot("ann", "2", "D2"), RecordedBot("bob", "1", "BOB"))
    )
    store.import_records([single("m1", "ann", "bob"), changed])
    assert [contender.digest for contender in store.results(store.pools()[0]).contenders] == [
        "ANN",
        "D2",
        "BOB",
    ]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"bots": ()}, "match m2 does not name a bot and a rank for each seat"),
        ({"result": Result((1, 2, 3), (1, 2), "finished")}, "does not name a bot and a rank"),
        ({"result": Result((1, 2), (), "finished")}, "does not name a bot and a rank"),
        ({"players": 0}, "does not name a bot and a rank"),
        ({"run": "run1", "game": "herd"}, "match m2 is of another game than its run run1"),
        (
            {"game": "go", "result": Result((1, 1), (1,), "finished")},
            "the teams of match m2 cannot be told: there is no game 'go'",
        ),
        ({"version": 2**70}, "a number over 64 bits"),
        ({"match": "\udcff"}, "not valid text"),
    ],
)
def test_a_wrong_record_stops_the_import_and_nothing_is_stored(
    store: Store, wrong: dict[str, Any], sentence: str
) -> None:
    first = replace(single("m1", "ann", "bob"), run="run1")
    with pytest.raises(StoreError, match=sentence):
        store.import_records([first, replace(single("m2", "ann", "bob"), **wrong)])
    assert store.runs() == []
    assert list(store.matches()) == []


def test_a_file_that_ends_in_an_error_imports_nothing(store: Store) -> None:
    def records() -> Iterator[Record]:
        yield single("m1", "ann", "bob")
        raise RecordError("line 2: not a match record")

    with pytest.raises(RecordError):
        store.import_records(records())
    assert store.runs() == []


def test_a_run_played_here_and_an_import_stand_beside_each_other(
    store: Store, exported: list[Record]
) -> None:
    here = run("here")
    store.add_run(here)
    store.add_entrants("here", entrants("ann", "bob"))
    store.add("here", [finished(here, Slot(0, ("ann", "bob"), 0))])
    store.import_records(exported)
    (pool,) = store.pools()
    assert [known.id for known in pool.runs] == ["here", "run1"]
    assert len(store.results(pool).bots) == 19
