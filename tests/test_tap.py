"""A tapped match: every line that passes is heard, with its time, and nothing else changes."""

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.referee.tap import Line, Way
from arena.store.model import Entrant
from arena.tournament.entry import Entry
from arena.tournament.single import Single, play_single
from engine.options import make_table
from engine.registry import game
from protocol.record import Record
from tests.contest import PATIENT

BOT = """\
import json, sys

mode = sys.argv[1]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "act":
        sys.stderr.write(f"asked {message['id']}\\nhalf a line")
        sys.stderr.flush()
        if mode == "chatter" and message["id"] == 2:
            print("I think, therefore I speak", flush=True)
        if mode == "endless" and message["id"] == 2:
            print("x" * 70000)
        answer = {"type": "action", "id": message["id"], "actions": message["legal"][:1]}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "quit":
        break
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    return file


async def heard(bot: Path, *modes: str) -> tuple[Record, list[Line]]:
    rules = game("savanna-ten")
    entries = tuple(
        Entry(Entrant(name, name, name), Program(name, (sys.executable, str(bot), mode)))
        for name, mode in zip("ab", modes, strict=True)
    )
    lines: list[Line] = []
    table = make_table(rules, 2, {})
    single = Single(rules, table, entries, PATIENT, Level.NONE, "deal", "seed")
    return await play_single(single, hear=lines.append), lines


def said(lines: list[Line], seat: int, *ways: Way) -> list[str]:
    return [line.text.decode() for line in lines if line.seat == seat and line.way in ways]


def kinds(lines: list[str]) -> list[Any]:
    return [msgspec.json.decode(line)["type"] for line in lines]


async def test_all_that_passes_is_heard_in_its_order(bot: Path) -> None:
    record, lines = await heard(bot, "well", "well")
    questions = sum(entry.by == 1 for entry in record.log)
    exchange = ["act", "action"] * questions
    assert kinds(said(lines, 1, Way.TO_BOT, Way.FROM_BOT)) == [
        *("hello", "ready", "start"),
        *exchange,
        *("end", "quit"),
    ]
    assert [line.at for line in lines] == sorted(line.at for line in lines)
    assert {line.name for line in lines if line.seat == 1} == {"b"}
    for line in lines:
        assert (line.took is not None) == (line.way is Way.FROM_BOT)
        assert b"\n" not in line.text


async def test_stderr_stands_before_the_answer_that_it_came_with(bot: Path) -> None:
    _, lines = await heard(bot, "well", "well")
    own = [line for line in lines if line.seat == 0]
    firsts = [number for number, line in enumerate(own) if b'"act"' in line.text][:2]
    for question, at in enumerate(firsts, 1):
        assert [line.way for line in own[at + 1 : at + 4]] == [
            *(Way.STDERR, Way.STDERR, Way.FROM_BOT)
        ]
        assert [line.text for line in own[at + 1 : at + 3]] == [
            f"asked {question}".encode(),
            b"half a line",
        ]


async def test_what_was_no_answer_is_heard_too(bot: Path) -> None:
    record, lines = await heard(bot, "chatter", "well")
    assert record.faults[0].code == "protocol"
    assert "I think, therefore I speak" in said(lines, 0, Way.FROM_BOT)
    (note,) = said(lines, 0, Way.NOTE)
    assert note.startswith("fault protocol: ")
    assert kinds(said(lines, 0, Way.TO_BOT))[-2:] == ["error", "end"]


async def test_a_line_over_the_limit_is_heard_as_far_as_it_was_read(bot: Path) -> None:
    record, lines = await heard(bot, "endless", "well")
    assert record.faults[0].code == "overlong"
    assert said(lines, 0, Way.FROM_BOT)[-1].startswith("xxxx")


async def test_a_match_is_the_same_when_it_is_heard(bot: Path) -> None:
    record, _ = await heard(bot, "well", "well")
    again, _ = await heard(bot, "well", "well")
    assert [e.do for e in record.log] == [e.do for e in again.log]
