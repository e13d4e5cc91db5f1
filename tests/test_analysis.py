"""What each turn of a match was worth, asked of an analyst of our own."""

import sys
from pathlib import Path

import pytest

from arena.analysis import (
    Analysis,
    Judged,
    accuracies,
    accuracy,
    analyse,
    decided,
    mark_of,
)
from arena.referee.faults import CannotStart
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.replay import Replay
from protocol.record import Record
from tests.records import played

DUEL = played("savanna-ten", deal="d1")
HERD = played("herd", options={"size": 2})
STAND_IN = played("savanna-ten", 3, faulty={1: 8})

ANALYST = """\
import json, sys

mode = sys.argv[1]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        if mode == "mute":
            sys.exit("no licence")
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "act":
        best = max(message["legal"])
        answer = {"type": "action", "id": message["id"], "actions": [best]}
        if mode != "silent":
            answer["value"] = sum(map(ord, best)) % 100 / 100
        if mode == "exit" and message["id"] == 4:
            sys.exit("out of ideas")
        if mode == "illegal":
            answer["actions"] = ["lion@Z9"]
        print(json.dumps(answer), flush=True)
"""
"""It holds the last word of the alphabet best, and values a word by its letters."""


def value_of(action: str) -> float:
    return sum(map(ord, action)) % 100 / 100


@pytest.fixture
def analyst(tmp_path: Path) -> Path:
    file = tmp_path / "analyst.py"
    file.write_text(ANALYST)
    return file


async def analysed(analyst: Path, record: Record, mode: str = "well") -> Analysis:
    program = Program("analyst", (sys.executable, str(analyst), mode))
    told: list[int] = []
    found = await analyse(Replay(record), program, Level.NONE, "words", told.append)
    assert sum(told) == len(found.turns)
    return found


async def test_a_turn_is_compared_with_the_best_that_the_analyst_finds(analyst: Path) -> None:
    found = await analysed(analyst, DUEL)
    assert (found.match, found.analyst) == (DUEL.match, "words")
    steps = [step for step in Replay(DUEL).steps() if step.entry.by >= 0]
    assert len(found.turns) == len(steps) == 20
    for turn, step in zip(found.turns, steps, strict=True):
        action = step.entry.do
        best = max(Replay(DUEL).game.legal(step.before))
        value, best_value = value_of(action), value_of(best)
        better = best_value > value
        loss = round(best_value - value, 3) if better else 0
        assert turn == Judged(
            turn=Replay(DUEL).game.turn(step.before),
            seat=step.entry.by,
            played=(action,),
            value=value,
            best=(best,) if better else (action,),
            best_value=best_value if better else value,
            loss=loss,
            mark=mark_of(loss),
        )
    assert found.accuracy == accuracies(found.turns, 2)


def test_the_actions_of_a_turn_are_judged_together() -> None:
    rolls = [number for number, entry in enumerate(HERD.log) if entry.by < 0]
    ends = [*rolls[1:], len(HERD.log)]
    turns = list(decided(Replay(HERD)))
    assert [(turn.turn, turn.seat, turn.actions) for turn in turns] == [
        (number, (number - 1) % 2, tuple(entry.do for entry in HERD.log[start + 1 : end]))
        for number, (start, end) in enumerate(zip(rolls, ends, strict=True), 1)
    ]
    assert all(len(turn.states) == len(turn.actions) for turn in turns)


async def test_a_stand_in_decides_nothing(analyst: Path) -> None:
    found = await analysed(analyst, STAND_IN)
    assert [turn.turn for turn in found.turns if turn.seat == 1] == [2, 5]
    gone = played("savanna-ten", 3, faulty={1: 1})
    assert (await analysed(analyst, gone)).accuracy[1] is None


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("mute", "the analyst does not start: .*no licence"),
        ("silent", "the analyst says no value"),
        ("exit", "the analyst fails in turn [34]: the program .*; its last words: out of ideas"),
        ("illegal", "the analyst names what is not legal: 'lion@Z9': name the tile"),
    ],
)
async def test_an_analyst_of_no_use(analyst: Path, mode: str, message: str) -> None:
    with pytest.raises(CannotStart, match=message):
        await analysed(analyst, DUEL, mode)


@pytest.mark.parametrize(
    ("loss", "mark"),
    [
        (0, None),
        (0.049, None),
        (0.05, "inaccuracy"),
        (0.1, "mistake"),
        (0.149, "mistake"),
        (0.15, "blunder"),
        (1, "blunder"),
    ],
)
def test_what_a_loss_is_called(loss: float, mark: str | None) -> None:
    assert mark_of(loss) == mark


@pytest.mark.parametrize(("loss", "percent"), [(0, 100), (0.1, 63.58), (0.3, 24.77), (1, 0)])
def test_accuracy_falls_with_the_loss(loss: float, percent: float) -> None:
    assert accuracy(loss) == pytest.approx(percent, abs=0.01)
