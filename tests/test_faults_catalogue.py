"""The rest of the catalogue, and that no row of it is missing."""

import re
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.referee.clock import Clocks
from arena.referee.match import play
from arena.referee.sandbox import Level
from engine.registry import game
from tests.conftest import NeedsTool
from tests.contest import contest, hostile, setup_of
from tests.scripted import always, answering, hide_scheduler, scripted
from tests.toy_game import ToyGame

TESTS = Path(__file__).parent


def test_no_row_is_missing() -> None:
    tests = "".join(file.read_text() for file in TESTS.glob("test_*.py"))
    rows = "".join(file.read_text() for file in TESTS.glob("test_faults*.py"))
    numbers = [
        *re.findall(r"def test_row_(\d+)_", tests),
        *re.findall(r'(?:Row\(|id=)\s*f?"(\d+)-', tests),
        *re.findall(r'^    "\w+": (\d+),$', rows, re.MULTILINE),
    ]
    assert not set(range(1, 80)) - {int(number) for number in numbers}


# 48: real games

ILLEGAL = {
    "savanna-ten": [
        "lion@A1",
        "zebra@Z9",
        "zebra@A0",
        "Zebra@A1",
        " zebra@A1",
        "zebra@A1 ",
        "pass",
    ],
    "herd": ["remove@C3", "remove@Z9", "remove@c3", "Remove@C3", "remove@C3\n", "place@", "resign"],
}


@pytest.mark.parametrize(
    ("name", "action"),
    [
        pytest.param(name, action, id=f"48-{name}-{action.strip()}")
        for name, actions in ILLEGAL.items()
        for action in actions
    ],
)
async def test_row_48_an_action_that_the_rules_do_not_allow(name: str, action: str) -> None:
    played = await contest(hostile("act_as", action), game=game(name))
    assert played.code in ("illegal", "protocol"), played.message
    assert played.message.isprintable()
    assert played.record.faults[0].seat == 0


# 65: what a terminal would obey

ESCAPE = r"\x1b[2J\x1b]0;owned\x07\u202e"


async def test_row_65_escapes_are_shown_escaped_in_logs_and_messages() -> None:
    played = await contest(hostile("note", ESCAPE))
    assert played.code is None
    assert "\\x1b[2J" in played.log
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", played.log)
    played = await contest(hostile("say_bytes", ESCAPE.replace("\\u202e", "") + r"\n"))
    assert played.code == "protocol"
    assert played.message.isascii()
    assert played.message.isprintable()


# 76 and 77: after a fault


async def test_row_76_a_late_answer_never_reaches_the_next_match(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    hide_scheduler(monkeypatch)
    wanted = setup_of(ToyGame(), ("late", "first"), Clocks(1000, 1000), {"turns": 4})
    async with scripted(answering("one", after=1.1), always("one")) as (late, other):
        record = await play(wanted, [late, other])
        assert [fault.code for fault in record.faults] == ["timeout"]
        await trio.sleep(0.3)
        assert late.process.wire.overheard(), "its answer is in the pipe by now"
        assert not late.usable
        assert other.usable
        record = await play(wanted, [other, other])
        assert not record.faults


@pytest.mark.parametrize("level", [Level.PROCESS, Level.BWRAP])
async def test_row_77_a_faulted_bot_hears_error_and_end_before_it_is_ended(
    level: Level, needs_tool: NeedsTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if level is Level.BWRAP:
        needs_tool("bwrap")
    monkeypatch.setattr("arena.referee.bot.FAULT_GRACE", 60.0)
    played = await contest(hostile("tell_what_comes"), level)
    assert played.code == "protocol"
    told = [line for line in played.log.splitlines() if line.startswith("{")]
    assert [re.sub(r',.*"code":', ' … "code":', line)[:40] for line in told] == [
        '{"type":"error" … "code":"protocol","mes',
        '{"type":"end","match":"m1","result":null',
    ]
