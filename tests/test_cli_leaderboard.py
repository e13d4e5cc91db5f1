"""`arena leaderboard`: a table per pool, for people and as data."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.store.db import Store
from arena.tournament import pricing
from engine.evaluation import Evaluator
from protocol.messages import Result, StartTime
from protocol.record import Fault, Record, RecordedBot
from tests.arena_cli import Arena
from tests.records import played

PLAYED = played(options={"size": 2}, run="aaaa")


def won(
    match: str, winner: str, loser: str, *, deal: str, fault: str = "", run: str = "aaaa"
) -> Record:
    """A match of two in Herd with a result of our own."""
    record = played(options={"size": 2}, match=match, deal=deal, run=run, bots=(winner, loser))
    faults = (Fault(1, fault, "because", 3),) if fault else ()
    return replace(record, result=Result((1, 2), (7, 0), "finished"), faults=faults)


def duel(
    a: str, b: str, wins: int, losses: int, run: str = "aaaa", fault: str = ""
) -> list[Record]:
    """Matches in which a beats b so often and is beaten so often."""
    pairs = [(a, b)] * wins + [(b, a)] * losses
    return [
        won(f"{run}-{a}-{b}-{n}", *pair, deal=f"{run}{n // 2}", run=run, fault=fault)
        for n, pair in enumerate(pairs)
    ]


def store(*records: Record) -> None:
    with Store.open(Path("arena.db")) as kept:
        kept.import_records(records)


def test_the_shape_of_the_data(arena: Arena) -> None:
    store(*duel("ann", "bob", 12, 8))
    (table,) = arena.data("leaderboard")["tables"]
    bots, pairs = table.pop("bots"), table.pop("pairs")
    assert table == {
        "game": "herd",
        "version": 1,
        "options": {"size": 2, "turn_limit": 1000},
        "seats": 2,
        "runs": ["aaaa"],
        "clocks": 1,
        "pool": None,
    }
    first, second = bots
    assert list(first)[:9] == [
        *("rank", "name", "digest", "elo", "error", "elo_seq", "matches", "points", "faults")
    ]
    assert [first[key] for key in ("rank", "name", "digest")] == [1, "ann", "digest-ann"]
    assert [first[key] for key in ("matches", "points", "faults")] == [20, 0.6, 0]
    assert first["elo"] == pytest.approx(-second["elo"])
    assert 0 < first["elo"] < 70.44 / 2  # the prior draws it towards 0
    assert first["error"] > 0
    assert (second["rank"], second["name"], second["points"]) == (2, "bob", 0.4)
    ((pair),) = pairs
    assert list(pair) == ["a", "b", "matches", "a_points", "los"]
    assert (pair["a"], pair["b"], pair["matches"], pair["a_points"]) == ("ann", "bob", 20, 0.6)
    assert 0.5 < pair["los"] < 1


def test_the_table_for_people(arena: Arena) -> None:
    store(*duel("ann", "bob", 12, 8), *duel("ann", "cid", 10, 0, fault="crash"))
    title, _, header, _, *rows = arena("leaderboard").out.splitlines()
    assert title == "herd, 2 seats, size=2 turn_limit=1000"
    assert header.split() == [
        *("rank", "bot", "Elo", "±", "matches", "points", "faults", "1", "2", "3")
    ]
    ann, bob, cid = (row.split() for row in rows[:3])
    assert (ann[0], ann[1], ann[-5], ann[-4]) == ("1", "ann", "30", "73.3%")
    assert ann[-3:] == ["·", "60", "100"]
    assert bob[-2:] == ["40", "·"]  # bob and cid never met
    assert cid[-4:] == ["0.0%", "10", "0", "·"]


def test_an_error_that_is_too_small_to_believe_is_marked(arena: Arena) -> None:
    store(*duel("ann", "bob", 10, 0))
    said = arena("leaderboard").out
    assert "* results so one-sided that the error is at least that of independent games" in said
    assert "*" in said.splitlines()[4]


def test_too_few_deals_have_no_error(arena: Arena) -> None:
    store(*duel("ann", "bob", 2, 0))
    assert arena.data("leaderboard")["tables"][0]["bots"][0]["error"] is None
    assert "too few" in arena("leaderboard").out


def test_without_a_prior_an_unbeaten_bot_is_infinite_in_words(arena: Arena) -> None:
    store(*duel("ann", "bob", 4, 0))
    bots = arena.data("leaderboard", "--prior", "0")["tables"][0]["bots"]
    assert [bot["elo"] for bot in bots] == ["inf", "-inf"]
    said = arena("leaderboard", "--prior", "0").out
    assert "nan" not in said
    assert "-0 " not in said


def test_an_anchor_has_the_rating_it_is_given(arena: Arena) -> None:
    store(*duel("ann", "bob", 12, 8))
    bots = arena.data("leaderboard", "--anchor", "bob=1000")["tables"][0]["bots"]
    assert bots[1]["elo"] == 1000
    assert bots[0]["elo"] > 1000
    done = arena("leaderboard", "--anchor", "eve=0")
    assert done.status == 2
    assert done.err == "arena: eve cannot be the anchor: it has played no match here\n"


def test_games_options_and_seats_have_tables_of_their_own(arena: Arena) -> None:
    three = played("savanna-ten", 3, run="cccc", match="three")
    size3 = played(options={"size": 3}, run="dddd", match="size3")
    store(*duel("ann", "bob", 2, 0), three, size3)
    tables = arena.data("leaderboard")["tables"]
    assert {(t["game"], t["seats"], t["options"].get("size")) for t in tables} == {
        ("herd", 2, 2),
        ("herd", 2, 3),
        ("savanna-ten", 3, None),
    }
    for words, runs in (
        (["--game", "savanna-ten"], ["cccc"]),
        (["--seats", "3"], ["cccc"]),
        (["--option", "size=3"], ["dddd"]),
        (["--run", "aa"], ["aaaa"]),
    ):
        (table,) = arena.data("leaderboard", *words)["tables"]
        assert table["runs"] == runs


def test_runs_of_a_pool_are_one_table_and_other_clocks_are_said(arena: Arena) -> None:
    slow = replace(PLAYED, match="slow", run="bbbb", time=StartTime(9000, 9000))
    store(*duel("ann", "bob", 2, 0), slow)
    (table,) = arena.data("leaderboard")["tables"]
    assert (table["runs"], table["clocks"]) == (["aaaa", "bbbb"], 2)
    assert "matches with 2 different clocks are pooled here" in arena("leaderboard").out


def test_bots_that_never_met_are_two_pools(arena: Arena) -> None:
    store(*duel("ann", "bob", 2, 2), *duel("cid", "dan", 1, 1, run="bbbb"))
    tables = arena.data("leaderboard")["tables"]
    assert [table["pool"] for table in tables] == [1, 2]
    assert [[bot["name"] for bot in table["bots"]] for table in tables] == [
        ["ann", "bob"],
        ["cid", "dan"],
    ]
    assert "pool 2 (never met the others)" in arena("leaderboard").out


def test_the_newest_program_of_a_name_is_shown(arena: Arena) -> None:
    old = duel("ann", "bob", 2, 0)
    new = [
        replace(record, match=f"new-{n}", run="bbbb", bots=(bot(record, 0, "new"), record.bots[1]))
        for n, record in enumerate(old)
    ]
    store(*old, *new)
    shown = arena.data("leaderboard")["tables"][0]["bots"]
    assert [(b["name"], b["digest"]) for b in shown] == [("ann", "new"), ("bob", "digest-bob")]
    everything = arena.data("leaderboard", "--all")["tables"][0]["bots"]
    assert sorted(b["digest"] for b in everything) == ["digest-ann", "digest-bob", "new"]


def bot(record: Record, seat: int, digest: str) -> RecordedBot:
    return replace(record.bots[seat], digest=digest)


def test_a_crosstable_that_does_not_fit_is_left_out(arena: Arena) -> None:
    names = [f"a-bot-with-a-rather-long-name-{n:02}" for n in range(30)]
    records = [won(f"m{n}", a, b, deal=f"d{n}") for n, (a, b) in enumerate(pairwise(names))]
    store(*records)
    said = arena("leaderboard").out
    assert all(name in said for name in names)
    assert "·" not in said


# Luck


class Dice(Evaluator):
    """A side expects more the more it has just rolled."""

    def results(self, state: Any) -> Sequence[float]:
        luck = (2 * (state.turn % 2) - 1) * sum(state.dice) / 1000
        return [0.5 + luck, 0.5 - luck]


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has an evaluator."""
    monkeypatch.setattr(pricing, "evaluator_of", lambda _game, _table: Dice())


@pytest.mark.usefixtures("dice")
def test_luck_is_priced_once(arena: Arena) -> None:
    store(*duel("ann", "bob", 30, 20))
    first = arena("leaderboard", "--luck", "--json")
    assert first.err == "pricing the luck of 50 matches of herd, once for all\n"
    (table,) = first.json()["tables"]
    assert table["unpriced"] == 0
    ann, bob = table["bots"]
    assert ann["luck"] == pytest.approx(-bob["luck"])
    assert ann["luck"] != 0
    assert ann["elo_luck"] == pytest.approx(-bob["elo_luck"])
    assert ann["elo_luck"] != ann["elo"]
    assert ann["error_luck"] > 0
    second = arena("leaderboard", "--luck", "--json")
    assert (second.err, second.out) == ("", first.out)


@pytest.mark.usefixtures("dice")
def test_the_columns_for_people(arena: Arena) -> None:
    store(*duel("ann", "bob", 30, 20))
    plain = arena("leaderboard").out
    assert "luck" not in plain
    out = arena("leaderboard", "--luck", "--html", "page.html").out
    head, _, ann, *_ = (line.split() for line in out.splitlines()[2:])
    assert head[6:9] == ["faults", "luck", "adjusted"]
    assert re.fullmatch(r"[+-]\d+\.\d% -?\d+ ±\d+", " ".join(ann[6:9]))
    assert "Luck is what chance gave a bot in a match, in shares of the win" in out
    assert "<th>adjusted" in Path("page.html").read_text()
    assert "elo_luck" in arena("leaderboard", "--luck", "--csv").out.splitlines()[0]
    assert arena("leaderboard").out == plain


@pytest.mark.usefixtures("dice")
def test_an_adjusted_rating_of_one_deal_stands_alone(arena: Arena) -> None:
    store(*duel("ann", "bob", 1, 0))
    _, _, ann, *_ = arena("leaderboard", "--luck").out.splitlines()[2:]
    assert re.search(r"too few .* [+-]\d+\.\d% +\d+ +· ", ann)


@pytest.mark.usefixtures("dice")
def test_luck_in_files_of_records(arena: Arena) -> None:
    store(*duel("ann", "bob", 3, 2))
    arena("export", "--out", "games.jsonl")
    done = arena("leaderboard", "games.jsonl", "--luck", "--json")
    assert done.json()["tables"][0]["bots"][0]["luck"] != 0


@pytest.mark.usefixtures("dice")
def test_a_match_that_does_not_replay_has_no_luck(arena: Arena) -> None:
    whole, *others = duel("ann", "bob", 3, 2)
    store(replace(whole, log=whole.log[1:]), *others)
    done = arena("leaderboard", "--luck")
    assert "Matches whose luck is not known, 1 here, count as they are." in " ".join(
        done.out.split()
    )
    assert arena("leaderboard", "--luck").err == ""


def test_a_game_without_an_evaluator_has_no_luck(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing, "evaluator_of", lambda _game, _table: None)
    store(*duel("ann", "bob", 3, 2))
    done = arena("leaderboard", "--luck")
    assert done.status == 0
    assert done.err == "herd has no evaluator: its luck has no price\n"
    assert done.out == arena("leaderboard").out


def test_luck_of_a_store_that_is_not_there(arena: Arena) -> None:
    done = arena("leaderboard", "--luck")
    assert done.status == 3
    assert done.err.startswith("arena: there is no store at arena.db")
    assert not Path("arena.db").exists()
