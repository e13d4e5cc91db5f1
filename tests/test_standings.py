"""Leaderboards: what the store holds, rated, one table per pool of bots that met."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from arena.ratings import RatingError
from arena.referee.clock import Clocks
from arena.store.db import Store
from arena.store.model import Entrant, Filter, Run, Slot
from arena.tournament.pricing import evaluator_digest
from arena.tournament.standings import Standings, tables
from tests import stored

PAIR = ("ann", "bob")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as store:
        yield store


def add(
    store: Store,
    results: Sequence[tuple[int, int]],
    of: Run | None = None,
    group: tuple[str, ...] = PAIR,
    entrants: Sequence[Entrant] | None = None,
    **other: Any,
) -> None:
    """Matches of a pair, whose ranks are given by bot; two rotations a deal."""
    of = of or stored.run()
    store.add_run(of)
    store.add_entrants(of.id, entrants or stored.entrants(*group))
    matches = []
    for number, ranks in enumerate(results):
        deal, rotation = divmod(number, 2)
        in_seats = ranks if rotation == 0 else ranks[::-1]
        matches.append(stored.finished(of, Slot(deal, group, rotation), in_seats, **other))
    store.add(of.id, matches)


def only(store: Store, wanted: Filter | None = None, **other: Any) -> Standings:
    (table,) = tables(store, wanted or Filter(), **other)
    return table


WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)


def test_a_table_says_what_it_is_of(store: Store) -> None:
    add(store, [WON, WON, LOST, WON])
    table = only(store)
    assert (table.game, table.version, table.seats) == ("savanna-ten", 1, 2)
    assert table.options == {"mouse": "off", "teams": False}
    assert (table.runs, table.clocks, table.pool) == (("run1",), 1, None)
    ann, bob = table.bots
    assert (ann.rank, ann.name, ann.digest, ann.matches, ann.points) == (1, "ann", "ANN", 4, 0.75)
    assert (bob.rank, bob.name, bob.points) == (2, "bob", 0.25)
    ((pair),) = table.pairs
    assert (pair.a, pair.b, pair.matches, pair.a_points) == ("ann", "bob", 4, 0.75)


def test_points_follow_the_bot_not_the_seat(store: Store) -> None:
    add(store, [WON] * 20)
    ann, _ = only(store).bots
    assert (ann.name, ann.points) == ("ann", 1.0)


def test_without_a_prior_ratings_may_be_infinite_in_words(store: Store) -> None:
    add(store, [WON] * 4)
    table = only(store, prior=0)
    assert [row.elo for row in table.bots] == ["inf", "-inf"]


def test_an_anchor_is_named_as_its_bot(store: Store) -> None:
    add(store, [WON, LOST])
    assert {row.name: row.elo for row in only(store, anchors={"bob": 1500}).bots} == {
        "ann": 1500,
        "bob": 1500,
    }
    with pytest.raises(RatingError, match=r"^eve cannot be the anchor: it has played no match"):
        tables(store, Filter(), anchors={"eve": 0})


def test_faults_are_counted(store: Store) -> None:
    add(store, [WON, WON], faults=[(1, "crash")])
    assert {row.name: row.faults for row in only(store).bots} == {"ann": 1, "bob": 1}


def test_a_bot_that_calls_a_service_is_marked(store: Store) -> None:
    entrants = [Entrant("ann", "ANN", "./ann", network=True), *stored.entrants("bob")]
    add(store, [WON, LOST], entrants=entrants)
    assert {row.name: row.network for row in only(store).bots} == {"ann": True, "bob": False}


def test_teams_are_rated_as_entrants(store: Store) -> None:
    teams = stored.team_run()
    store.add_run(teams)
    store.add_entrants(teams.id, stored.entrants(*PAIR))
    store.add(teams.id, [stored.finished(teams, Slot(0, PAIR, 0), (1, 2, 1, 2))])
    table = only(store)
    assert [(row.name, row.matches, row.points) for row in table.bots] == [
        ("ann", 1, 1.0),
        ("bob", 1, 0.0),
    ]


def test_runs_of_one_pool_are_one_table(store: Store) -> None:
    add(store, [WON, WON])
    add(store, [LOST, LOST], stored.run("run2", seed="other"))
    add(store, [WON, WON], stored.run("run3", options={"mouse": "add", "teams": False}))
    first, second = tables(store, Filter())
    assert (first.runs, [row.points for row in first.bots]) == (("run1", "run2"), [0.5, 0.5])
    assert second.runs == ("run3",)
    assert only(store, Filter(run="run2")).bots[0].name == "bob"


def test_equal_ratings_share_a_rank(store: Store) -> None:
    add(store, [WON, LOST])
    assert [row.rank for row in only(store).bots] == [1, 1]


def test_different_clocks_are_counted(store: Store) -> None:
    add(store, [WON, WON])
    add(store, [LOST, LOST], stored.run("run2", clocks=Clocks(turn_ms=50)))
    assert only(store).clocks == 2


def test_bots_that_never_met_have_tables_of_their_own(store: Store) -> None:
    add(store, [WON, LOST, WON, LOST])
    add(store, [WON, LOST], stored.run("run2", seed="other"), ("cid", "dan"))
    first, second = tables(store, Filter())
    assert (first.pool, second.pool) == (1, 2)
    assert {row.name for row in second.bots} == {"cid", "dan"}


def newer(name: str) -> Entrant:
    return Entrant(name, f"{name.upper()}2", f"./{name}")


def test_the_program_that_played_last_under_a_name_is_shown(store: Store) -> None:
    add(store, [WON, WON, WON, LOST])
    run = stored.run("run2", seed="other", created="2026-11-30T00:00:00Z")
    store.add_run(run)
    store.add_entrants(run.id, [newer("ann"), *stored.entrants("bob")])
    matches = []
    for rotation, ranks in ((0, (2, 1)), (1, (1, 2))):
        match = stored.finished(run, Slot(0, PAIR, rotation), ranks)
        bots = tuple(
            replace(bot, digest="ANN2") if bot.name == "ann" else bot for bot in match.record.bots
        )
        matches.append(replace(match, record=replace(match.record, bots=bots)))
    store.add(run.id, matches)
    table = only(store)
    assert [(row.rank, row.name, row.digest, row.matches) for row in table.bots] == [
        (1, "bob", "BOB", 6),
        (2, "ann", "ANN2", 2),
    ]
    assert [(pair.a, pair.b, pair.matches) for pair in table.pairs] == [("bob", "ann", 2)]
    everything = only(store, all_versions=True)
    assert [(row.name, row.digest) for row in everything.bots] == [
        ("ann", "ANN"),
        ("bob", "BOB"),
        ("ann", "ANN2"),
    ]


def test_programs_that_all_changed_since_have_no_table_of_their_own(store: Store) -> None:
    add(store, [WON, LOST])
    run = stored.run("run2", seed="other", created="2026-11-30T00:00:00Z")
    add(store, [], run, entrants=[newer("ann"), newer("bob")])
    matches = []
    for rotation, ranks in ((0, (2, 1)), (1, (1, 2))):
        match = stored.finished(run, Slot(0, PAIR, rotation), ranks)
        bots = tuple(replace(bot, digest=f"{bot.digest}2") for bot in match.record.bots)
        matches.append(replace(match, record=replace(match.record, bots=bots)))
    store.add(run.id, matches)
    table = only(store)
    assert (table.pool, [row.digest for row in table.bots]) == (None, ["BOB2", "ANN2"])
    assert [table.pool for table in tables(store, Filter(), all_versions=True)] == [1, 2]


def test_luck_is_looked_at_where_it_is_asked_for(store: Store) -> None:
    add(store, [WON, WON, LOST, WON])
    assert only(store, luck=True).unpriced is UNSET
    (pool,) = store.pools()
    evaluator = evaluator_digest(pool)
    assert evaluator is not None
    store.keep_luck(evaluator, dict.fromkeys(store.unpriced(pool, evaluator)[:2], (0.25, -0.25)))
    table = only(store, luck=True)
    assert table.unpriced == 2
    ann, bob = table.bots
    assert (ann.luck, bob.luck) == (0.0, 0.0)  # once in each seat
    assert (ann.elo_luck, ann.error_luck) == (ann.elo, ann.error)  # too few deals
    assert [row.luck for row in only(store).bots] == [UNSET, UNSET]


def test_an_empty_store_has_no_table(store: Store) -> None:
    assert tables(store, Filter()) == []
    store.add_run(stored.run())
    assert tables(store, Filter()) == []
