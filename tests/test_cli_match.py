"""`arena match`: one match, from its words to its record."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from arena.store.db import Store
from protocol.record import decode_record
from tests.arena_cli import LITTLE, Arena, descendants

NONE = ["--isolation", "none"]
HERD = ["match", "herd", "--option", "size=2", *NONE]


@pytest.fixture
def bots(arena: Arena) -> list[str]:
    """Words for bots called a to e."""
    return [arena.bot(name) for name in "abcd"]


def seated(record: dict[str, Any]) -> list[str]:
    return [bot["name"] for bot in record["bots"]]


def chance(record: dict[str, Any]) -> list[str]:
    return [entry["do"] for entry in record["log"] if entry["by"] < 0]


def drawn_by(record: dict[str, Any], seat: int) -> list[str]:
    return [do for do in chance(record) if do.startswith(f"draw@{seat}:")]


def test_the_result_is_told_in_words(arena: Arena, bots: list[str]) -> None:
    done = arena(*HERD, *bots[:2], "--deal", "d", "--seed", "s")
    assert done.status == 0
    assert done.err == ("isolation none holds little: play trusted bots only\ndeal d, seed s\n")
    *_, first, second = done.out.splitlines()
    assert first.startswith("1.  ")
    assert second.startswith("2.  ")
    assert not Path("arena.db").exists()


def test_json_is_the_record(arena: Arena, bots: list[str]) -> None:
    record = arena.data(*HERD, *bots[:2])
    assert list(record) == [
        *("record", "match", "run", "game", "version", "options", "players", "seed", "deal"),
        *("seeds", "isolation", "bots", "time", "started", "log", "faults", "result"),
    ]
    assert record["run"] is None
    assert record["isolation"] == "none"
    assert seated(record) == ["a", "b"]
    assert record["bots"][0]["version"] == "0.1"
    assert decode_record(json.dumps(record).encode())


def test_the_same_words_give_the_same_match(arena: Arena, bots: list[str]) -> None:
    words = [*HERD, *bots[:2], "--deal", "1", "--seed", "2"]
    first, second = (untimed(arena.data(*words)) for _ in range(2))
    assert first == second
    other = arena.data(*words[:-1], "3")
    assert other["match"] != first["match"]
    assert chance(other)[:1] == chance(first)[:1]


def untimed(record: dict[str, Any]) -> dict[str, Any]:
    log = [{key: entry[key] for key in ("by", "do")} for entry in record["log"]]
    return {**record, "log": log, "started": ""}


def test_matches_on_other_terms_are_other_matches(arena: Arena, bots: list[str]) -> None:
    words = [*HERD, *bots[:2], "--deal", "1", "--seed", "2"]
    others = [[], ["--option", "size=3"], ["--option", "turn_limit=9"], ["--turn-time", "2s"]]
    assert len({arena.data(*words, *other)["match"] for other in others}) == len(others)


def test_the_same_deal_is_the_same_chance_whoever_plays(arena: Arena, bots: list[str]) -> None:
    words = ["match", "savanna-ten", "--deal", "any words", *NONE]
    one = arena.data(*words, *bots[:2])
    other = arena.data(*words, bots[2], "random")
    for seat in (0, 1):
        assert drawn_by(one, seat) == drawn_by(other, seat)
    assert one["deal"] == other["deal"]
    assert one["log"] != other["log"]


def test_repeated_names_are_numbered(arena: Arena, bots: list[str]) -> None:
    record = arena.data(*HERD, bots[0], bots[0])
    assert seated(record) == ["a", "a-2"]


@pytest.mark.parametrize(
    ("entrants", "options", "expected"),
    [
        (3, [], ["a", "b", "c"]),
        (4, [], ["a", "b", "c", "d"]),
        (2, ["--option", "teams=true"], ["a", "b", "a", "b"]),
        (4, ["--option", "teams=true"], ["a", "b", "c", "d"]),
    ],
)
def test_bots_are_seats_or_teams(
    arena: Arena, bots: list[str], entrants: int, options: list[str], expected: list[str]
) -> None:
    record = arena.data("match", "savanna-ten", *bots[:entrants], *options, *NONE)
    assert seated(record) == expected
    assert len(record["result"]["scores"]) == (2 if options else entrants)


def test_the_record_goes_where_it_is_asked(arena: Arena, bots: list[str]) -> None:
    words = [*HERD, *bots[:2]]
    assert arena(*words, "--record", "games.jsonl").out.splitlines()[-1].startswith("2.  ")
    both = arena(*words, "--record", "games.jsonl", "--json")
    assert len(both.out.splitlines()) == 1
    first, second = Path("games.jsonl").read_text().splitlines()
    assert json.loads(second) == both.json()
    assert first != second
    assert len(arena(*words, "--record", "-").json()["log"])
    assert arena("verify", "games.jsonl").err == "2 matches verified, 0 differ\n"


def test_a_store_is_touched_only_when_it_is_named(
    arena: Arena, bots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = arena.data(*HERD, *bots[:2], "--store", "mine.db")
    with Store.open(Path("mine.db")) as store:
        assert store.record(record["match"]) == decode_record(json.dumps(record).encode())
    monkeypatch.setenv("ARENA_STORE", "other.db")
    assert arena(*HERD, *bots[:2]).status == 0
    assert not Path("other.db").exists()


BROKEN = {
    "exit": ("crash", "the program ended with exit code 1; its last words: out of ideas"),
    "hang": ("timeout", "no complete line in time"),
    "garbage": ("protocol", "expected a JSON object of type action"),
    "illegal": ("illegal", "lion@Z9"),
}


@pytest.mark.parametrize("mode", BROKEN)
def test_a_bot_that_fails_at_move_5_is_a_result(arena: Arena, bots: list[str], mode: str) -> None:
    code, message = BROKEN[mode]
    limits = ["--turn-time", "3s", "--first-time", "60s", "--margin", "1ms"]
    words = ["match", "savanna-ten", f"{bots[0]} {mode}", bots[1]]
    before = set(descendants(os.getpid()))
    record = arena.data(*words, *(limits if mode == "hang" else ()), *NONE)
    (fault,) = record["faults"]
    assert (fault["seat"], fault["code"]) == (0, code)
    assert message in fault["message"]
    assert record["result"]["ranks"] == [2, 1]
    assert record["result"]["reason"] == "fault"
    assert sum(entry["by"] == 0 for entry in record["log"]) == 4
    assert set(descendants(os.getpid())) <= before


def test_a_bot_that_never_starts_loses(arena: Arena, bots: list[str]) -> None:
    done = arena(*HERD, f"{bots[0]} never", bots[1])
    assert done.status == 0
    assert done.out.endswith(
        "Ended by fault.\nFault of a (seat 0) before the game: start: the program ended with exit "
        "code 1; its last words: no licence\n"
    )


@pytest.mark.parametrize("place", ["with a space", "it's", 'say "hi"', "grüße", "a;b&c $(d)"])
@pytest.mark.parametrize("isolation", ["none", "auto"])
def test_bots_play_from_any_path(arena: Arena, place: str, isolation: str) -> None:
    Path(place).mkdir()
    Path(place, "bot.toml").write_text('name = "odd"\ncommand = ["python3", "b ö\'t.py"]\n')
    Path(place, "real.py").write_text(LITTLE)
    Path(place, "b ö't.py").symlink_to("real.py")
    Path("link").symlink_to(place)
    quoted = "'" + place.replace("'", "'\"'\"'") + "'"
    record = arena.data(*HERD[:-1], isolation, quoted, "linked=./link")
    assert seated(record) == ["odd", "linked"]
    assert record["faults"] == []


def test_what_a_bot_notes_cannot_steer_a_terminal(arena: Arena) -> None:
    text = LITTLE.replace("str(os.getpid())", r"'\x1b[2J\n<b>'")
    done = arena(*HERD, f"{arena.bot('loud', text)} pid", "loud", "--store", "s.db")
    assert done.status == 0
    (match,) = arena.data("matches", "--store", "s.db")
    shown = arena("show", match["match"], "--store", "s.db").out
    assert "\x1b" not in shown
    assert r"notes: \x1b[2J\n<b>" in shown
