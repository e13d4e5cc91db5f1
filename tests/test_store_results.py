"""The results of a pool, as columns for the ratings."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.db import Store
from arena.store.model import Entrant, Filter, Slot
from arena.store.results import Columns, Contender
from arena.tournament.schedule import rotations, round_robin
from tests.stored import entrants, finished, run, team_run

AB = ("ann", "bob")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as opened:
        yield opened


def only(store: Store, wanted: Filter | None = None) -> Columns:
    """The results of the only pool."""
    (pool,) = store.pools(wanted or Filter())
    return store.results(pool)


def by_name(columns: Columns) -> list[list[str]]:
    """The bot on each side, match by match."""
    return [[columns.contenders[bot].name for bot in row] for row in columns.bots.tolist()]


def test_an_empty_store_has_no_pools(store: Store) -> None:
    store.add_run(run())
    assert store.pools() == []


def test_a_match_tells_bots_ranks_and_faults_by_side(store: Store) -> None:
    store.add_run(run(seats=3))
    slot = Slot(0, ("ann", "bob", "cid"), 1)
    store.add("run1", [finished(run(seats=3), slot, (2, 1, 3), faults=[(2, "illegal")])])
    columns = only(store)
    assert columns.contenders == tuple(Contender(name, name.upper()) for name in slot.group)
    assert by_name(columns) == [["bob", "cid", "ann"]]
    assert columns.ranks.tolist() == [[2, 1, 3]]
    assert columns.faults.tolist() == [[0, 0, 1]]


def test_a_team_is_one_side(store: Store) -> None:
    store.add_run(team_run())
    matches = [
        finished(team_run(), slot, (1, 2, 1, 2), faults=[(1, "crash"), (3, "timeout")])
        for slot in rotations(AB, 0)
    ]
    store.add("teams", matches)
    columns = only(store)
    assert by_name(columns) == [["ann", "bob"], ["bob", "ann"]]
    assert columns.ranks.tolist() == [[1, 2], [1, 2]]
    assert columns.faults.tolist() == [[0, 2], [0, 2]]


def test_rows_come_in_slot_order_run_by_run(store: Store) -> None:
    early, late = run("zz"), run("aa", created="2026-11-29T20:00:00Z")
    names = ["ann", "bob", "cid"]
    slots = list(round_robin(names, 2, 2))
    for of in (late, early):
        store.add_run(of)
        store.add(of.id, [finished(of, slot) for slot in slots[::-1]])
    seated = [[slot.group[slot.rotation], slot.group[1 - slot.rotation]] for slot in slots]
    assert by_name(only(store)) == seated * 2


def test_rotations_of_a_deal_are_a_cluster(store: Store) -> None:
    store.add_run(run())
    slots = list(round_robin(["ann", "bob", "cid"], 2, 3))
    store.add("run1", [finished(run(), slot) for slot in slots])
    clusters = only(store).clusters.tolist()
    assert len(set(clusters)) == 9
    assert all(first == second for first, second in zip(clusters[::2], clusters[1::2], strict=True))


def test_the_same_deal_of_two_runs_is_two_clusters(store: Store) -> None:
    for name in ("run1", "run2"):
        store.add_run(run(name))
        store.add(name, [finished(run(name), slot) for slot in rotations(AB, 0)])
    clusters = only(store).clusters.tolist()
    assert clusters[0] == clusters[1] != clusters[2] == clusters[3]


def test_a_bot_is_its_name_and_its_digest(store: Store) -> None:
    store.add_run(run())
    store.add("run1", [finished(run(), Slot(0, AB, 0))])
    store.add_run(run("run2"))
    changed = finished(run("run2"), Slot(0, AB, 0))
    store.add("run2", [changed])
    assert len(only(store).contenders) == 2


def test_a_bot_that_calls_a_service_is_marked(store: Store) -> None:
    store.add_run(run())
    store.add_entrants("run1", [Entrant("ann", "ANN", "ann", network=True), *entrants("bob")])
    store.add("run1", [finished(run(), Slot(0, AB, 0))])
    assert [contender.network for contender in only(store).contenders] == [True, False]


def test_pools_differ_by_game_version_options_and_seats(store: Store) -> None:
    runs = [
        run("a"),
        run("b", seed="other", format="swiss", created="2026-11-29T20:00:00Z"),
        run("c", version=2),
        run("d", options={"mouse": "add", "teams": False}),
        run("e", game="herd"),
        run("f", seats=3),
    ]
    for of in runs:
        store.add_run(of)
        group = ("ann", "bob", "cid")[: of.seats]
        store.add(of.id, [finished(of, Slot(0, group, 0), (1, 2, 3)[: of.seats])])
    assert [[of.id for of in pool.runs] for pool in store.pools()] == [
        ["a", "b"],
        ["c"],
        ["d"],
        ["e"],
        ["f"],
    ]
    assert [pool.runs[0].id for pool in store.pools(Filter(game="herd"))] == ["e"]
    assert len(only(store, Filter(run="a")).bots) == 1


def test_the_order_of_storing_changes_no_column(store: Store, tmp_path: Path) -> None:
    matches = [finished(run(), slot) for slot in round_robin(["ann", "bob", "cid"], 2, 4)]
    with Store.open(tmp_path / "other.db") as other:
        for target, given in ((store, matches), (other, matches[::-1])):
            target.add_run(run())
            for match in given:
                target.add("run1", [match])
        first, second = only(store), only(other)
        assert by_name(first) == by_name(second)
        assert first.ranks.tolist() == second.ranks.tolist()
        assert [a == b for a, b in pairs(first)] == [a == b for a, b in pairs(second)]


def pairs(columns: Columns) -> list[tuple[int, int]]:
    """The clusters of all pairs of matches."""
    clusters = columns.clusters.tolist()
    return [(a, b) for a in clusters for b in clusters]
