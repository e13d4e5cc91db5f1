"""A bot asked again what a seat of a finished match was asked."""

import sys
from pathlib import Path

import msgspec
import pytest

from arena.again import Answer, seated
from arena.decisions import decisions
from arena.referee.faults import BotFault, Code
from arena.referee.process import Process
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.referee.wire import Wire
from arena.replay import Replay
from tests.records import played

REPLAY = Replay(played("savanna-ten"))

BOT = """\
import json, sys

mode = sys.argv[1]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        if mode == "mute":
            sys.exit("no licence")
        ready = {"type": "ready", "protocol": 1, "legal": mode != "blind"}
        print(json.dumps(ready), flush=True)
    elif message["type"] == "act":
        print("asked", message["id"], file=sys.stderr, flush=True)
        if mode == "exit" and message["id"] == 2:
            sys.exit("out of ideas")
        action = "lion@Z9" if "legal" not in message else message["legal"][-1]
        answer = {"type": "action", "id": message["id"], "actions": [action], "value": 0.75}
        print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    return file


async def answers(bot: Path, mode: str, count: int = 3) -> list[Answer]:
    """What the bot says to the first decisions of seat 1."""
    own = [decision for decision in decisions(REPLAY) if decision.seat == 1]
    program = Program("bot", (sys.executable, str(bot), mode))
    async with seated(program, Level.NONE, REPLAY, 1) as again:
        return [await again.put(decision) for decision in own[:count]]


async def test_each_decision_gets_an_answer_and_what_was_written_to_stderr(bot: Path) -> None:
    said = await answers(bot, "well")
    own = [decision for decision in decisions(REPLAY) if decision.seat == 1]
    for number, (answer, decision) in enumerate(zip(said, own, strict=False), 1):
        assert answer.fault is None
        assert answer.action is not None
        assert answer.action.actions == [list(decision.act.legal or ())[-1]]
        assert answer.action.value == 0.75
        assert answer.stderr == f"asked {number}\n"


async def test_an_illegal_answer_is_one_with_a_fault(bot: Path) -> None:
    first, second = await answers(bot, "blind", 2)
    for answer in (first, second):
        assert answer.action is not None
        assert answer.fault is not None
        assert answer.fault.code is Code.ILLEGAL


async def test_a_bot_that_ends_is_told_of_with_its_last_words(bot: Path) -> None:
    _, second = await answers(bot, "exit", 2)
    assert second.action is None
    assert second.fault is not None
    assert second.fault.code is Code.CRASH
    assert "out of ideas" in second.fault.message


async def test_a_bot_that_does_not_start_is_a_fault_by_itself(bot: Path) -> None:
    with pytest.raises(BotFault, match="no licence"):
        await answers(bot, "mute")


async def test_nothing_is_sent_while_it_is_held(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[str] = []
    ask = Wire.ask

    async def told(wire: Wire, line: bytes | bytearray, deadline: float) -> bytes:
        passed.append(msgspec.json.decode(line)["type"])
        return await ask(wire, line, deadline)

    async def hold(process: Process) -> None:
        assert process.members()
        passed.append("held")

    monkeypatch.setattr(Wire, "ask", told)
    program = Program("bot", (sys.executable, str(bot), "well"))
    async with seated(program, Level.NONE, REPLAY, 0, hold=hold) as again:
        await again.put(next(decisions(REPLAY)))
    assert passed == ["held", "hello", "act"]
