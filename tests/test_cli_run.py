"""`arena run`: a tournament follows from its words, and the same words continue it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.arena_cli import LITTLE, QUICK, Arena, Done

HERD = ["run", "herd", *QUICK]
NUMBERS = ("a", "b", "c", "d", "e")


@pytest.fixture
def bots(arena: Arena) -> list[str]:
    """Words for bots called a to e."""
    return [arena.bot(name) for name in NUMBERS]


def played(arena: Arena, *words: str) -> Done:
    """A run that must succeed."""
    done = arena(*words)
    assert done.status == 0, done.err
    return done


def run_ids(arena: Arena) -> list[str]:
    return [run["run"] for run in arena.data("runs")]


def raw(arena: Arena, *words: str) -> list[str]:
    """The stored records as they are: played again, they would have other times."""
    return arena("export", *words).out.splitlines()


# What it plays


def test_the_number_of_workers_changes_nothing(arena: Arena) -> None:
    words = ["run", "savanna-ten", "random", "greedy", "--deals", "3", "--seed", "1"]
    one = arena.data(*words, "--workers", "1", "--store", "one.db")
    two = arena.data(*words, "--workers", "2", "--isolation", "none", "--store", "two.db")
    assert one == two
    records = [arena.records("--store", f"{name}.db") for name in ("one", "two")]
    for some in records:
        for record in some:
            record.pop("isolation")
    assert records[0] == records[1]
    assert len(records[0]) == 6
    assert arena("verify", "--store", "one.db").status == 0


def seats_by_deal(records: list[dict[str, Any]]) -> dict[str, list[tuple[str, ...]]]:
    deals: dict[str, list[tuple[str, ...]]] = {}
    for record in records:
        deals.setdefault(record["deal"], []).append(tuple(b["name"] for b in record["bots"]))
    return deals


@pytest.mark.parametrize("seats", [3, 4])
def test_every_deal_is_played_from_every_seat(arena: Arena, bots: list[str], seats: int) -> None:
    few = bots[:seats]
    played(arena, "run", "savanna-ten", *few, "--seats", str(seats), "--deals", "2", *QUICK[2:])
    deals = seats_by_deal(arena.records())
    assert len(deals) == 2
    for seatings in deals.values():
        assert len(seatings) == seats
        for column in zip(*seatings, strict=True):
            assert sorted(column) == sorted(NUMBERS[:seats])


def test_in_team_play_each_seat_has_a_process_that_never_meets_a_deal_twice(
    arena: Arena, bots: list[str]
) -> None:
    pids = [f"{bot} pid" for bot in bots[:2]]
    words = ["savanna-ten", *pids, "--option", "teams=true", "--deals", "2", *QUICK[2:]]
    table = arena.data("run", *words)["tables"][0]
    assert table["seats"] == 4
    assert [bot["matches"] for bot in table["bots"]] == [4, 4]
    met: Counter[tuple[str, str]] = Counter()
    records = arena.records()
    for record in records:
        names = [bot["name"] for bot in record["bots"]]
        assert names in (["a", "b", "a", "b"], ["b", "a", "b", "a"])
        pid_of = {entry["by"]: entry["note"] for entry in record["log"] if "note" in entry}
        assert len(set(pid_of.values())) == 4
        met.update((pid, record["deal"]) for pid in pid_of.values())
    assert set(met.values()) == {1}
    assert len({pid for pid, _ in met}) == 8  # two rotations of four seats, kept alive


def test_a_sample_grows_to_what_is_asked_for(arena: Arena, bots: list[str]) -> None:
    words = [*HERD, *bots, "--seed", "1"]
    played(arena, *words, "--matches", "9")
    first = raw(arena)
    assert len(first) == 10
    matches = arena.data("matches")
    appearances = Counter(bot for match in matches for bot in match["bots"])
    assert set(appearances.values()) == {4}
    played(arena, *words, "--matches", "14")
    assert len(raw(arena)) == 14
    assert set(first) < set(raw(arena))


# Continuing


def test_the_same_command_plays_nothing_twice_and_more_only_what_is_new(
    arena: Arena, bots: list[str]
) -> None:
    words = [*HERD, *bots[:2], "--seed", "one seed"]
    begun = played(arena, *words, "--deals", "2")
    first = raw(arena)
    assert len(first) == 4
    again = played(arena, *words, "--deals", "2")
    assert begun.out == again.out
    assert " begins: seed one seed," in begun.err
    assert " continues: seed one seed," in again.err
    assert raw(arena) == first
    played(arena, *words, "--deals", "3")
    more = raw(arena)
    assert len(more) == 6
    assert set(first) < set(more)
    played(arena, *words, bots[2], "--deals", "3")
    assert len(raw(arena)) == 18
    assert set(more) < set(raw(arena))
    assert len(run_ids(arena)) == 1
    played(arena, *words, bots[2], "--deals", "3", "--store", "whole.db")
    assert arena.records() == arena.records("--store", "whole.db")
    assert arena.data("leaderboard") == arena.data("leaderboard", "--store", "whole.db")


def test_without_a_seed_the_same_words_continue(arena: Arena, bots: list[str]) -> None:
    words = [*HERD, *bots[:2], "--deals", "1"]
    played(arena, *words)
    first = raw(arena)
    played(arena, *words)
    assert raw(arena) == first
    (run,) = arena.data("runs")
    assert len(run["seed"]) == 32
    int(run["seed"], 16)
    played(arena, *words, "--new")
    assert len(run_ids(arena)) == 2


def test_row_79_a_changed_bot_is_refused_replaced_or_renamed(arena: Arena, bots: list[str]) -> None:
    words = [*HERD, *bots[:3], "--deals", "1", "--seed", "1"]
    played(arena, *words)
    first = raw(arena)
    old = digest(arena, "a")
    arena.bot("a", LITTLE + "# better\n")
    new = digest(arena, "a")
    done = arena(*words)
    assert done.status == 3
    assert done.out == ""
    assert done.err.endswith(
        f"arena: bot a has changed: its digest is {new}, in this run it was {old}; "
        "--replace plays its matches afresh, NAME=BOT enters it under a new name\n"
    )
    assert raw(arena) == first
    played(arena, *HERD, "a2=./a", *bots[1:3], "--deals", "1", "--seed", "1")
    assert len(raw(arena)) == 10
    played(arena, *words, "--replace")
    replaced = raw(arena)
    assert len(replaced) == 10
    kept = set(first) & set(replaced)
    assert len(kept) == 2
    assert all(f'"{old}"' not in record for record in kept)
    assert f'"{old}"' not in "".join(replaced)


def digest(arena: Arena, name: str) -> str:
    (bot,) = arena.data("bots", f"./{name}")
    return str(bot["digest"])


# Bots that do not start


def test_a_bot_that_never_starts_is_withdrawn(arena: Arena, bots: list[str]) -> None:
    words = [*HERD, *bots[:2], f"{bots[2]} never", "--deals", "4", "--seed", "1"]
    done = arena(*words)
    assert done.status == 3
    assert "bot c does not start: the program ended with exit code 1; its last words: no lic" in (
        done.err
    )
    matches = arena.data("matches")
    of_c = [match for match in matches if "c" in match["bots"]]
    assert len(matches) - len(of_c) == 8
    assert 3 <= len(of_c) < 16
    assert all(match["faults"][0]["code"] == "start" for match in of_c)
    unplayed = 16 - len(of_c)
    assert (
        f"bot c was withdrawn: it failed to start in several matches running; {unplayed} matches "
        "unplayed\n" in done.err
    )
    assert "faults" in done.out


def test_when_no_bot_starts_nothing_is_stored(arena: Arena, bots: list[str]) -> None:
    done = arena(*HERD, *[f"{bot} never" for bot in bots[:2]])
    assert done.status == 3
    assert done.out == ""
    assert done.err.splitlines()[-1] == "arena: no bot starts; nothing was played"
    assert not Path("arena.db").exists()


# Only planned


def test_a_plan_says_what_would_be_played_and_plays_nothing(arena: Arena, bots: list[str]) -> None:
    done = played(arena, *HERD, *bots, "--deals", "3", "--plan")
    assert "round-robin of herd, 2 seats: 60 matches\n" in done.out
    assert "each pair meets in 6 matches\n" in done.out
    plan = arena.data(*HERD, *bots, "--deals", "3", "--plan")
    assert (plan["matches"], plan["groups"], plan["seconds"]) == (60, 10, None)
    assert not Path("arena.db").exists()


# From a file


def test_a_file_says_what_words_say(arena: Arena, bots: list[str]) -> None:
    Path("cup.toml").write_text(
        'game = "herd"\nformat = "gauntlet"\ndeals = 1\nseed = "7"\nturn-time = "2s"\n'
        'isolation = "none"\nworkers = 1\n\n[option]\nsize = 2\n\n'
        '[[bot]]\nbot = "./a"\n[[bot]]\nbot = "./b"\nchallenger = true\n'
        '[[bot]]\nbot = "./c"\nname = "third"\ntime-handicap = 2.0\n'
    )
    played(arena, "run", "cup.toml")
    words = [*bots[:2], "third=./c", "--format", "gauntlet", "--deals", "1", "--seed", "7"]
    own = ["--challenger", "b", "--handicap", "third=2", "--turn-time", "2s", "--store", "w.db"]
    played(arena, *HERD, *words, *own)
    assert arena.records() == arena.records("--store", "w.db")
    assert len(arena.records()) == 4
    done = played(arena, "run", "cup.toml", "--deals", "2", "--plan")
    assert done.out.startswith("gauntlet of herd, 2 seats: 8 matches\n")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("deals = 0", "cup.toml, line 2: deals: expected int >= 1"),
        ("dealz = 5", "cup.toml, line 2: unknown key dealz; did you mean deals?"),
        ("option = 5", "cup.toml, line 2: option: expected object, got int"),
    ],
)
def test_a_wrong_file_is_refused_with_the_line(arena: Arena, line: str, sentence: str) -> None:
    Path("cup.toml").write_text(f'game = "herd"\n{line}\n')
    done = arena("run", "cup.toml")
    assert done.status == 3
    assert done.err == f"arena: {sentence}\n"
