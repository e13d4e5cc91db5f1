"""The catalogue of broken and hostile bots: what each gets, and how soon.

`pytest -n0 -s tests/test_faults.py` prints a line for each: row, verdict, milliseconds.
"""

import os
import re
from math import inf
from typing import NamedTuple

import pytest
from _pytest.mark import ParameterSet
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.referee.program import Program
from arena.referee.sandbox import Level
from tests.arena_cli import PATIENCE
from tests.conftest import NeedsTool
from tests.contest import PATIENT, QUICK, alive, contest, hostile

pytestmark = pytest.mark.usefixtures("never_void")

LEVELS = [Level.PROCESS, Level.BWRAP]


class Row(NamedTuple):
    """A line of the catalogue."""

    name: str
    """Its number, and what the bot does."""
    bot: Program
    code: str | None
    """The fault, None: ok."""
    says: str = ""
    """Found in the fault's message."""
    clocks: Clocks = PATIENT


LATE_START = replace(PATIENT, start_ms=400)
TENFOLD_MS = 1000
"""Ten times the 100 ms that a verdict may take on an idle machine."""
SLOW = replace(QUICK, first_ms=2000)
"""For a bot that has to have said something before it is out of time."""
ACT = r'{"type":"action","id":1,"actions":["one"]'


def said(text: str) -> Program:
    return hostile("say_bytes", text)


ROWS = [
    Row("7-exits-at-once", hostile("exit_at_once"), "start", "ended with exit code 3"),
    Row("8-banner", hostile("banner"), "start", "'Welcome to SuperBot 3000!'"),
    Row("9-slow-start", hostile("slow_start", 0.3), None),
    Row("10-never-ready", hostile("never_ready"), "start", "no ready within 0.4 s", LATE_START),
    Row("11-other-protocol", hostile("other_protocol"), "start", "speaks protocol 2, needed is 1"),
    Row("11-other-game", hostile("other_game"), "start", "does not play toy, only chess"),
    Row("13-never-answers", hostile("never_answer"), "timeout", "no complete", QUICK),
    Row("15-late", hostile("answer_before", -60), "timeout", "no complete", QUICK),
    Row("16-dribbles", hostile("dribble"), "timeout", "partial line .* 'x", SLOW),
    Row("17-stops-itself", hostile("stop_itself"), "timeout", "no complete", QUICK),
    Row("19-starves-itself", hostile("starve", 0.5), "timeout", "time|late", QUICK),
    Row("21-reads-slowly", hostile("read_slowly"), "timeout", "no complete", QUICK),
    Row("24-partial-line", hostile("partial_then_hang"), "timeout", "partial", SLOW),
    Row("25-partial-line-exit", hostile("partial_then_exit"), "crash", "exit code 0; a partial"),
    Row("26-answer-exit", hostile("answer_then_exit"), "crash", "exit code 0"),
    Row("27-answer-newline-exit", hostile("answer_then_exit", "\\n"), "crash", "exit code 0"),
    Row("28-crlf", hostile("crlf"), None),
    Row("29-byte-order-mark", said(r"\xef\xbb\xbf" + ACT + r"}\n"), "protocol", "mark at byte 0"),
    Row("29-nul", said(r'{"type":"act\x00ion"}\n'), "protocol", "a NUL at byte 12"),
    Row("29-not-utf-8", said(ACT + r',"note":"\xff"}\n'), "protocol", "not UTF-8 at byte 50"),
    Row("29-overlong", said(ACT + r',"note":"\xc0\xaf"}\n'), "protocol", "not UTF-8 at byte 50"),
    Row("29-surrogate", said(ACT + r',"note":"\\ud800"}\n'), "protocol", "surrogate at byte 50"),
    Row("30-endless-line", hostile("endless_line"), "overlong", "over 65536 bytes: 'xxx"),
    Row("30-long-line", hostile("long_line"), "overlong", "over 65536 bytes"),
    Row("31-blank-line", said(r"\n"), "protocol", "a blank line"),
    Row("31-blanks", said(r"   \r\n"), "protocol", "a blank line"),
    Row("32-two-objects", said(ACT + "}" + ACT + r"}\n"), "protocol", "not JSON"),
    Row("33-flood", hostile("flood"), "protocol", "spoke when not asked"),
    Row("34-stderr-flood", hostile("stderr_flood"), None),
    Row("35-stderr-bytes", hostile("stderr_bytes"), None),
    Row("36-never-reads", hostile("never_read"), "timeout", "no complete", QUICK),
    Row("37-closes-stdin", hostile("close_stdin"), "crash", "closed its input"),
    Row("38-closes-stdout", hostile("close_stdout"), "crash", "closed its .*output"),
    Row("39-child-holds-stdout", hostile("child_holds_stdout"), "crash", "exit code 0"),
    Row("40-answers-twice", hostile("answer_twice"), "protocol", "spoke when not asked: '{"),
    Row("41-answers-early", hostile("answer_early"), "protocol", "spoke when not asked: '{"),
    Row("42-stale-id", hostile("wrong_id", -1), "protocol", "has id 0, asked was 1"),
    Row("42-other-id", hostile("wrong_id", 7), "protocol", "has id 8, asked was 1"),
    *(
        Row(f"43-{name}", said(line + r"\n"), "protocol", says)
        for name, line, says in (
            ("array", "[1]", "expected a JSON object"),
            ("null", "null", "expected a JSON object"),
            ("number", "17", "expected a JSON object"),
            ("text", "zebra", "not JSON"),
            ("no-type", '{"id":1,"actions":["one"]}', "type"),
            ("other-type", '{"type":"resign","id":1}', "'resign'"),
            ("type-of-the-referee", '{"type":"act","id":1}', "'act'"),
            ("ready-again", '{"type":"ready","protocol":1}', "got 'ready'"),
            ("id-as-text", '{"type":"action","id":"1","actions":["one"]}', r"\$.id"),
            ("actions-as-text", '{"type":"action","id":1,"actions":"one"}', r"\$.actions"),
            ("action-as-number", '{"type":"action","id":1,"actions":[1]}', r"\$.actions"),
            ("note-as-number", ACT + ',"note":1}', r"\$.note"),
            ("value-as-text", ACT + ',"value":"high"}', r"\$.value"),
        )
    ),
    Row("44-unknown-fields", hostile("unknown_fields"), None),
    *(
        Row(f"45-{name}", said(line + r"\n"), "protocol", says)
        for name, line, says in (
            ("nan", ACT + ',"value":NaN}', "not JSON"),
            ("infinite-value", ACT + ',"value":1e400}', "range|not JSON"),
            ("infinite-id", '{"type":"action","id":1e400,"actions":["one"]}', r"\$.id|range|JSON"),
            ("big-id", f'{{"type":"action","id":{2**70},"actions":["one"]}}', "id"),
            ("digits", f'{{"type":"action","id":{"9" * 4000},"actions":["one"]}}', "id|JSON"),
            ("nul-escape", '{"type":"action","id":1,"actions":["\\\\u0000"]}', r"a NUL in `\$.act"),
        )
    ),
    Row("46-deep", hostile("deep", 30_000), "protocol", "nested too deep"),
    Row("46-deeper", hostile("deep", 100_000), "overlong", "over 65536 bytes"),
    Row("47-type-twice", said(r'{"type":"ready",' + ACT[1:] + r"}\n"), "protocol", "two values of"),
    Row("48-illegal", hostile("act_as", "eleven"), "illegal", "there is no eleven"),
    Row("48-upper-case", hostile("act_as", "ONE"), "illegal", "there is no ONE"),
    Row("48-space", hostile("act_as", "one "), "illegal", "there is no one "),
    Row("48-nothing", hostile("act_as", ""), "illegal", "there is no "),
    Row("49-leftovers", hostile("act_as", "one", "two"), "illegal", "the turn was over before two"),
    Row("50-no-actions", hostile("act_as"), "protocol", r"length >= 1 - at `\$.actions`"),
    Row("51-claims-a-name", hostile("claim_a_name", "first"), None),
]


def cases() -> list[ParameterSet]:
    """Each row at each level; what an answer says is the same at all."""
    return [
        pytest.param(row, level, id=f"{row.name}-{level}")
        for row in ROWS
        for level in (LEVELS[:1] if int(row.name.split("-")[0]) in range(43, 51) else LEVELS)
    ]


@pytest.mark.parametrize(("row", "level"), cases())
async def test_row(row: Row, level: Level, needs_tool: NeedsTool) -> None:
    if level is Level.BWRAP:
        needs_tool("bwrap")
    played = await contest(row.bot, level, row.clocks)
    print(f"{row.name} at {level}: {played.code or 'ok'} after {played.ms:.0f} ms")
    assert played.code == row.code, played.message
    assert re.search(row.says, played.message)
    played.assert_the_others_played_on()
    if row.code == "timeout":
        assert row.clocks.first_ms
        assert row.clocks.first_ms <= played.ms < PATIENCE * 1000
    if row.code and row.code != "start":
        assert f"[referee] fault {row.code}: {played.message}" in played.log
    assert not alive(f"ARENA_BOT={os.getpid()}-")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mode", ["never_answer", "stop_itself", "endless_line", "flood"])
async def test_a_verdict_comes_soon_after_the_limit(
    mode: str, level: Level, needs_tool: NeedsTool
) -> None:
    """In one of five tries: the host may have been busy with others in the rest."""
    if level is Level.BWRAP:
        needs_tool("bwrap")
    assert QUICK.first_ms
    taken: list[float] = []
    while len(taken) < 5 and min(taken, default=inf) >= TENFOLD_MS:
        played = await contest(hostile(mode), level, QUICK)
        assert played.code
        taken.append(played.ms - QUICK.first_ms)
    assert min(taken) < TENFOLD_MS
