"""A single match as it is drawn on a terminal."""

from typing import Any

import pytest

from arena.cli.drawing import Drawing
from arena.cli.logbook import SHOWN
from arena.referee.clock import Clocks
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.referee.tap import Line, Way
from arena.replay import Replay
from arena.store.model import Entrant
from arena.tournament.entry import Entry
from arena.tournament.single import Single
from protocol.record import Record
from tests.records import played


def drawn(
    capsys: pytest.CaptureFixture[str], record: Record, *, openly: bool, stderr: int = 0
) -> list[str]:
    """What is drawn of each turn."""
    replay = Replay(record)
    entries = tuple(
        Entry(Entrant(bot.name, bot.digest, bot.name), Program(bot.name, ("x",)))
        for bot in record.bots
    )
    single = Single(replay.game, replay.table, entries, Clocks(), Level.NONE, "d", "s")
    drawing = Drawing(single, openly=openly)
    capsys.readouterr()
    turns = []
    for step in replay.steps():
        for number in range(stderr if step.entry.by == 0 else 0):
            drawing.hear(Line(0, "ann", Way.STDERR, f"thought {number}\x07".encode(), 0.0))
        drawing.watch(step.before, step.entry, step.after)
        turns += [text] if (text := capsys.readouterr().out) else []
    return turns


def test_each_turn_is_drawn_once_with_all_its_actions(capsys: pytest.CaptureFixture[str]) -> None:
    record = played("herd", options={"size": 3})
    turns = drawn(capsys, record, openly=False)
    heads = [turn.splitlines()[1] for turn in turns]
    actions = [entry.do for entry in record.log if entry.by >= 0]
    words: list[Any] = [word for head in heads for word in head.split() if "@" in word]
    assert words == actions
    assert len(turns) < len(actions)
    assert heads[0].startswith("ann (seat 0): ")
    assert heads[0].endswith(" ms")


def test_what_is_hidden_is_drawn_openly_only(capsys: pytest.CaptureFixture[str]) -> None:
    record = played("savanna-ten")
    lion = next(e for e in record.log if e.by >= 0 and "/lion" in e.do)
    assert lion.do not in "".join(drawn(capsys, record, openly=False))
    assert lion.do in "".join(drawn(capsys, record, openly=True))


def test_stderr_stands_beside_its_turn(capsys: pytest.CaptureFixture[str]) -> None:
    record = played("savanna-ten")
    first, second, *_ = drawn(capsys, record, openly=True, stderr=2)
    assert first.splitlines()[2:4] == [r"  stderr: thought 0\x07", r"  stderr: thought 1\x07"]
    assert "stderr" not in second
    first, *_ = drawn(capsys, record, openly=True, stderr=SHOWN + 5)
    assert "  stderr: … and 5 more lines" in first
    first, *_ = drawn(capsys, record, openly=False, stderr=2)
    assert "stderr" not in first
