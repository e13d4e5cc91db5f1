"""`arena ask`: a recorded decision put to a bot again."""

import json
import re
from pathlib import Path

import pytest

from arena.decisions import decisions
from arena.replay import Replay
from arena.store.db import Store
from protocol.record import encode_record
from tests.arena_cli import Arena, program
from tests.records import played

NONE = ["--isolation", "none"]
MATCH = played("savanna-ten", match="the-match")
OUT = played("savanna-ten", match="the-fault", faulty={1: 6})

SPY = """\
import json, sys

acts = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "start":
        seed = message["seed"]
    elif message["type"] == "act":
        acts.append(message["id"])
        if "exit" in sys.argv:
            sys.exit("out of ideas")
        print("thinking of", message["id"], file=sys.stderr)
        note = f"{acts} {len(message['events'])} {seed}"
        answer = {"type": "action", "id": message["id"], "actions": message["legal"][:1]}
        print(json.dumps({**answer, "note": note, "value": 0.25}), flush=True)
"""


@pytest.fixture
def spy(arena: Arena) -> str:
    """A bot that tells in its notes what it was asked, beside two matches in a file."""
    Path("games.jsonl").write_bytes(encode_record(OUT) + b"\n" + encode_record(MATCH) + b"\n")
    return arena.bot("spy", SPY)


def test_the_answer_stands_beside_what_was_played(arena: Arena, spy: str) -> None:
    done = arena("ask", spy, "games.jsonl", "--turn", "5", *NONE)
    assert done.status == 0, done.err
    assert done.err == "isolation none holds little: play trusted bots only\n"
    third = [d for d in decisions(Replay(MATCH)) if d.seat == 0][2]
    assert done.out.startswith("turn 5, question 3 of ann (seat 0)\n")
    assert "Your hand:" in done.out
    assert re.search(rf"ann played +{third.actions[0]} +1.5", done.out)
    assert re.search(rf"spy answers +{(third.act.legal or [''])[0]} +25%", done.out)
    assert done.out.endswith("stderr:\nthinking of 3\n")


def test_the_bot_hears_what_the_seat_heard(arena: Arena, spy: str) -> None:
    own = [d for d in decisions(Replay(MATCH)) if d.seat == 1]
    heard = [len(d.act.events) for d in own[:3]]
    (asked,) = arena.data("ask", spy, "games.jsonl", "--turn", "6", *NONE)
    assert asked["answered"]["note"] == f"[1, 2, 3] {heard[2]} 1"
    (asked,) = arena.data("ask", spy, "games.jsonl", "--turn", "6", "--alone", *NONE)
    assert asked["answered"]["note"] == f"[3] {sum(heard)} 1"


def test_a_match_is_also_found_in_the_store(arena: Arena, spy: str) -> None:
    with Store.open(Path("arena.db")) as store:
        store.import_records([MATCH])
    (asked,) = arena.data("ask", spy, "the-m", "--turn", "1", *NONE)
    assert asked["played"]["actions"] == [next(e.do for e in MATCH.log if e.by == 0)]


def test_a_decision_that_was_a_fault_can_be_asked_again(arena: Arena, spy: str) -> None:
    Path("games.jsonl").write_bytes(encode_record(OUT))
    (asked,) = arena.data("ask", spy, "games.jsonl", "--turn", "6", *NONE)
    assert asked["played"] == {
        **dict.fromkeys(("ms", "value", "note")),
        "actions": [],
        "fault": "illegal: D2 is taken",
    }
    assert asked["answered"]["fault"] is None


def test_every_decision_of_a_compound_turn_is_put(arena: Arena, spy: str) -> None:
    record = played("herd", options={"size": 3})
    counts = [d.turn for d in decisions(Replay(record))]
    turn = next(turn for turn in counts if counts.count(turn) > 1)
    Path("games.jsonl").write_bytes(encode_record(record))
    asked = arena.data("ask", spy, "games.jsonl", "--turn", str(turn), *NONE)
    assert [a["turn"] for a in asked] == [turn] * counts.count(turn)


def test_a_bot_that_fails_before_the_turn_is_told_of(arena: Arena, spy: str) -> None:
    done = arena("ask", f"{spy} exit", "games.jsonl", "--turn", "9", *NONE)
    assert done.status == 0
    assert done.out.startswith("turn 1, question 1 of ann (seat 0)\n")
    assert "fault of spy: crash: the program ended with exit code 1" in done.out


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["--turn", "77"], 2, "no bot decided in turn 77; the turns are 1 to 20"),
        (["--turn", "2", "--seat", "0"], 2, "no bot in seat 0 decided in turn 2"),
        (["--turn", "2", "--seat", "7"], 2, "no bot in seat 7 decided anything"),
    ],
)
def test_a_turn_without_a_decision_is_refused(
    arena: Arena, spy: str, words: list[str], status: int, sentence: str
) -> None:
    done = arena("ask", spy, "games.jsonl", *words, *NONE)
    assert done.status == status
    assert sentence in done.err


def test_a_file_without_records_is_refused(arena: Arena, spy: str) -> None:
    Path("empty.jsonl").touch()
    done = arena("ask", spy, "empty.jsonl", "--turn", "1", *NONE)
    assert (done.status, done.err) == (3, "arena: empty.jsonl holds no record\n")


def test_a_bot_that_does_not_start_is_refused(arena: Arena, spy: str) -> None:
    mute = arena.bot("mute", "raise SystemExit('no licence')")
    done = arena("ask", mute, "games.jsonl", "--turn", "1", *NONE)
    assert done.status == 3
    assert "arena: bot mute does not start: the program ended" in done.err


def test_a_pause_names_the_process_and_waits_for_enter(spy: str, tmp_path: Path) -> None:
    words = ["ask", spy, "games.jsonl", "--turn", "1", "--pause", "--json", *NONE]
    done = program(*words, cwd=tmp_path, input="\n")
    assert done.status == 0, done.err
    assert re.search(r"the bot is process \d+, and nothing was sent", done.err)
    assert json.loads(done.out)[0]["answered"]["actions"]
