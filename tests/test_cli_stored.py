"""`arena runs`, `matches`, `show`, `delete`, `export`, `import` and `verify`: what is stored."""

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from arena.store.db import Store
from arena.store.model import Finished, Slot
from protocol.record import LogEntry, Record, RecordedBot, encode_record
from tests import stored
from tests.arena_cli import Arena
from tests.records import played

DUELS = [
    played("savanna-ten", deal=f"d{n}", match=f"duel-{n}", run="aaaa", bots=bots)
    for n, bots in enumerate([("ann", "bob"), ("bob", "ann"), ("ann", "cid")])
]
HERD = played(options={"size": 3}, match="herd-0", run="bbbb", bots=("bob", "cid"))
THREE = played("savanna-ten", 3, match="three-0", run="cccc", faulty={1: 8})
"""Seat 1, bob, is faulted in turn 8."""
ALL = [*DUELS, HERD, THREE]


@pytest.fixture
def kept(arena: Arena) -> Arena:
    """A folder with these matches in its store."""
    with Store.open(Path("arena.db")) as store:
        store.import_records(ALL)
    return arena


def write(*records: Record) -> str:
    """A file of records."""
    Path("r.jsonl").write_bytes(b"".join(encode_record(record) + b"\n" for record in records))
    return "r.jsonl"


# Listings


def test_matches_come_newest_first(kept: Arena) -> None:
    matches = kept.data("matches")
    assert [match["match"] for match in matches] == [record.match for record in reversed(ALL)]
    assert matches[0] == {
        "match": "three-0",
        "run": "cccc",
        "game": "savanna-ten",
        "options": {"mouse": "off", "teams": False},
        "bots": ["ann", "bob", "cid"],
        "ranks": list(THREE.result.ranks),
        "scores": list(THREE.result.scores),
        "reason": "finished",
        "faults": [{"seat": 1, "code": "illegal"}],
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--game", "herd"], ["herd-0"]),
        (["--seats", "3"], ["three-0"]),
        (["--run", "aa"], ["duel-2", "duel-1", "duel-0"]),
        (["--bot", "cid"], ["three-0", "herd-0", "duel-2"]),
        (["--option", "size=3"], ["herd-0"]),
        (["--option", "teams=false", "--bot", "bob"], ["three-0", "duel-1", "duel-0"]),
        (["--option", "size=4"], []),
        (["--bot", "nobody"], []),
        (["--limit", "2"], ["three-0", "herd-0"]),
    ],
)
def test_matches_are_filtered(kept: Arena, words: list[str], expected: list[str]) -> None:
    assert [match["match"] for match in kept.data("matches", *words)] == expected


def test_a_filter_by_a_run_that_is_not_there_is_refused(kept: Arena) -> None:
    for command in ("matches", "export", "leaderboard"):
        done = kept(command, "--run", "dddd")
        assert done.status == 3
        assert done.err == "arena: there is no run 'dddd' in arena.db; the nearest: cccc\n"


def test_matches_for_people(kept: Arena) -> None:
    header, _, first, *_ = kept("matches").out.splitlines()[1:]
    assert header.split() == ["match", "game", "bots", "ranks", "scores", "ended", "faults"]
    assert first.split()[:5] == ["three-0", "savanna-ten", "ann", "bob", "cid"]
    assert "bob: illegal" in first


def test_runs_as_data(kept: Arena) -> None:
    runs = kept.data("runs")
    assert [(run["run"], run["matches"]) for run in runs] == [("aaaa", 3), ("bbbb", 1), ("cccc", 1)]
    assert runs[1] == {
        "run": "bbbb",
        "game": "herd",
        "version": 1,
        "options": {"size": 3, "turn_limit": 1000},
        "seats": 2,
        "format": "imported",
        "clocks": {
            "turn_ms": 1000,
            "first_ms": 5000,
            "bank_ms": None,
            "increment_ms": None,
            "start_ms": 10000,
            "margin_ms": 0,
        },
        "seed": "",
        "created": "2026-11-29T19:00:00Z",
        "bots": 0,
        "matches": 1,
        "planned": None,
    }
    assert "bbbb" in kept("runs").out


# One match


def test_show_steps_through_a_match(kept: Arena) -> None:
    shown = kept("show", "herd").out
    turns = [line for line in shown.splitlines() if " (seat " in line and "turn " in line]
    actions = [entry for entry in HERD.log if entry.by >= 0]
    assert len(turns) == len(actions)
    assert turns[0] == f"turn 1  bob (seat 0): {actions[0].do}  1.5 ms"
    winner = HERD.bots[HERD.result.ranks.index(1)].name
    assert shown.splitlines()[-2].startswith(f"1.  {winner}")


def test_show_one_turn(kept: Arena) -> None:
    shown = kept("show", "duel-1", "--turn", "3").out
    assert [line for line in shown.splitlines() if line.startswith("turn ")] == [
        line for line in kept("show", "duel-1").out.splitlines() if line.startswith("turn 3 ")
    ]
    assert shown.count("turn 3 ") == 1


def test_show_what_a_seat_knew(kept: Arena) -> None:
    number, hidden = next(
        (number, entry)
        for number, entry in enumerate([e for e in DUELS[0].log if e.by >= 0], 1)
        if entry.by == 0 and "/lion" in entry.do
    )
    cell = hidden.do.partition("@")[2]
    everything, own, other, public = (
        kept("show", "duel-0", "--turn", str(number), *words).out
        for words in ([], ["--seat", "0"], ["--seat", "1"], ["--public"])
    )
    assert f"ann (seat 0): {hidden.do}" in everything
    assert f"ann (seat 0): {hidden.do}" in own
    assert f"ann (seat 0): lion@{cell}" in other
    assert f"ann (seat 0): lion@{cell}" in public


def test_show_names_faults_and_stand_ins(kept: Arena) -> None:
    shown = kept("show", "three-0").out
    assert shown.endswith("Fault of bob (seat 1) in turn 8: illegal: D2 is taken\n")
    assert "(stand-in)" in shown


def test_show_json_is_the_record(kept: Arena) -> None:
    assert kept("show", "herd-0", "--json").out == encode_record(HERD).decode() + "\n"


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["x"], 3, "there is no match 'x' in arena.db; the nearest: three-0"),
        (["duel"], 3, "more than one match begins with 'duel': duel-0, duel-1, duel-2, …"),
        (["herd", "--turn", "9999"], 2, "the match has no turn 9999"),
        (["herd", "--seat", "2"], 2, "--seat: the match has seats 0 to 1"),
    ],
)
def test_show_refuses(kept: Arena, words: list[str], status: int, sentence: str) -> None:
    done = kept("show", *words)
    assert done.status == status
    assert sentence in done.err
    assert done.out == ""


def test_a_match_that_cannot_be_replayed_is_refused(arena: Arena) -> None:
    wrong = replace(HERD, log=(LogEntry(0, "place@Z1"), *HERD.log[1:]))
    with Store.open(Path("arena.db")) as store:
        store.import_records([wrong])
    done = arena("show", "herd-0")
    assert done.status == 3
    assert done.err == "arena: entry 1: seat 0 did 'place@Z1', but it was the turn of chance\n"


def test_foreign_names_cannot_steer_a_terminal(arena: Arena) -> None:
    evil = replace(
        HERD,
        match="m\x1b[2J",
        bots=(RecordedBot("\x1b]0;evil\x07", "1", "x"), RecordedBot("<b>", "1", "y")),
    )
    assert arena("import", write(evil)).status == 0
    wrong = replace(evil, version=9)
    for words in (["matches"], ["show", "m"], ["leaderboard"], ["verify", write(wrong)]):
        done = arena(*words)
        assert "\x1b" not in done.out + done.err
        assert "\x07" not in done.out + done.err
    assert r"\x1b]0;evil\x07" in arena("leaderboard").out


# Out, in, away


def test_an_export_is_what_was_imported(kept: Arena) -> None:
    exported = [encode_record(record) for record in (*DUELS[::2], DUELS[1], HERD, THREE)]
    assert kept("export").out.encode().splitlines() == exported
    assert kept("export", "--game", "herd").out.splitlines() == [encode_record(HERD).decode()]
    done = kept("export", "--out", "all.jsonl.gz")
    assert (done.status, done.out, done.err) == (0, "", "wrote 5 records to all.jsonl.gz\n")
    lines = gzip.decompress(Path("all.jsonl.gz").read_bytes()).splitlines()
    assert lines == exported


def test_what_is_imported_again_stays(kept: Arena) -> None:
    file = write(HERD, played(options={"size": 3}, match="herd-1", run="bbbb"))
    assert kept("import", file).err == "r.jsonl: 1 new, 1 known\n"
    assert kept("import", file).err == "r.jsonl: 0 new, 2 known\n"
    assert len(kept.data("matches")) == 6


def test_a_file_is_imported_whole_or_not_at_all(kept: Arena) -> None:
    Path("r.jsonl").write_bytes(encode_record(played(match="new")) + b"\n{}\n")
    done = kept("import", "r.jsonl")
    assert done.status == 3
    assert done.err.startswith("arena: r.jsonl, line 2: not a match record: ")
    assert len(kept.data("matches")) == 5


def answering(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))


def test_delete_asks_first(kept: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "n\n")
    done = kept("delete", "aaaa")
    assert (done.status, done.out) == (1, "")
    assert "Remove run aaaa of savanna-ten with 3 matches?" in done.err
    assert done.err.endswith("arena: nothing was changed\n")
    answering(monkeypatch, "")
    assert kept("delete", "aaaa").status == 1
    assert len(kept.data("runs")) == 3
    answering(monkeypatch, "y\n")
    assert kept("delete", "aa").status == 0
    assert [run["run"] for run in kept.data("runs")] == ["bbbb", "cccc"]


def test_delete_yes(kept: Arena) -> None:
    done = kept("delete", "cccc", "--yes")
    assert (done.status, done.out, done.err) == (0, "", "removed run cccc with 1 match\n")
    assert "three-0" not in kept("export").out


# Verification


Change = Callable[[Record], Record]


def of_entry(wanted: Callable[[LogEntry], bool], do: str) -> Change:
    """Another action or outcome in the first entry of a kind."""

    def change(record: Record) -> Record:
        log = list(record.log)
        index = next(number for number, entry in enumerate(log) if wanted(entry))
        log[index] = replace(log[index], do=do)
        return replace(record, log=tuple(log))

    return change


def of_result(**changes: Any) -> Change:
    return lambda record: replace(record, result=replace(record.result, **changes))


CHANGES: dict[str, tuple[Change, str]] = {
    "an action": (of_entry(lambda entry: entry.by == 0, "place@Z9"), "entry 2: seat 0 did 'place"),
    "a chance outcome": (
        of_entry(lambda entry: entry.by < 0, "roll@6,6"),
        "entry 1: chance did 'roll@6,6', expected 'roll@",
    ),
    "a score": (of_result(scores=(99, 99)), "its result has scores [99, 99], expected ["),
    "a rank": (of_result(ranks=(1, 1)), "its result has ranks [1, 1], expected ["),
    "a log that is cut": (
        lambda record: replace(record, log=record.log[:-1]),
        f"its log ends after {len(HERD.log) - 1} entries, the game does not",
    ),
}


@pytest.mark.parametrize(("change", "difference"), CHANGES.values(), ids=CHANGES)
def test_verify_names_the_first_difference(arena: Arena, change: Change, difference: str) -> None:
    file = write(DUELS[0], change(HERD), THREE)
    done = arena("verify", file)
    assert done.status == 1
    (line,) = done.out.splitlines()
    assert line.startswith(f"match herd-0: {difference}")
    assert done.err == "3 matches verified, 1 differ\n"
    found = arena("verify", file, "--json")
    assert found.status == 1
    (told,) = found.json()["differences"]
    assert (found.json()["matches"], told["match"]) == (3, "herd-0")
    assert told["what"].startswith(difference)


def test_verify_a_store_a_run_and_stdin(kept: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept("verify", "--store", "arena.db").err == "5 matches verified, 0 differ\n"
    assert kept("verify", "--store", "arena.db", "--run", "aaaa").err.startswith("3 matches")
    lines = b"\n".join(map(encode_record, ALL))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(lines)))
    assert kept.data("verify", "-") == {"matches": 5, "differences": []}


def test_json_of_an_empty_store_is_empty(arena: Arena) -> None:
    Store.open(Path("arena.db")).close()
    assert arena.data("matches") == arena.data("runs") == []
    assert arena.data("leaderboard") == {"tables": []}
    assert arena("export").out == ""
    assert json.loads(arena("verify", "--store", "arena.db", "--json").out)["matches"] == 0


def test_show_log_tells_what_a_faulted_bot_wrote(arena: Arena) -> None:
    run = stored.run()
    slot = Slot(0, ("ann", "bob"), 0)
    match = played("savanna-ten", run=run.id, faulty={1: 5})
    bots = tuple(replace(bot, digest=bot.name.upper()) for bot in match.bots[:2])
    log = "\n".join(["first", *map(str, range(9)), "\x1b[31mred"])
    finished = Finished(slot, replace(match, bots=bots), {1: log})
    with Store.open(Path("arena.db")) as store:
        store.add_run(run)
        store.add_entrants(run.id, stored.entrants("ann", "bob"))
        store.add(run.id, [finished])
    shown = arena("show", match.match, "--log").out
    assert "\n\nlog of bob (seat 1):\nfirst\n0\n" in shown
    assert shown.endswith("8\n\\x1b[31mred\n")
    end = arena("show", match.match).out
    assert "\n\nlog of bob (seat 1), its end; --log shows all of it:\n0\n1\n" in end
    assert "log of" in arena("show", match.match, "--seat", "1").out
    for words in (["--seat", "0"], ["--public"]):
        assert "log of" not in arena("show", match.match, *words).out


def test_show_takes_a_file_of_records_for_the_last_in_it(arena: Arena) -> None:
    records = [played("herd", match="m-1"), played("savanna-ten", match="m-2", faulty={1: 5})]
    Path("games.jsonl").write_bytes(b"\n".join(map(encode_record, records)))
    assert arena.data("show", "games.jsonl")["match"] == "m-2"
    assert "Fault of bob" in arena("show", "games.jsonl").out
    assert arena("show", "games.jsonl", "--html", "page.html").status == 0
    assert "</html>" in Path("page.html").read_text()
    assert not Path("arena.db").exists()
