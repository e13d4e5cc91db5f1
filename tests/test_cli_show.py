"""`arena show` on a terminal: a match stepped through by keys."""

import os
import pty
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.ratings import luck
from arena.store.db import Store
from engine.evaluation import Evaluator
from protocol.messages import Result
from protocol.record import Fault, Record
from tests.arena_cli import PATIENCE, PROGRAM, Arena, until
from tests.records import played

MATCH = played("savanna-ten", match="the-match")
STEPS = sum(entry.by >= 0 for entry in MATCH.log)


class Terminal:
    """What is on it, and somebody at its keys."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        os.set_blocking(descriptor, False)
        self._seen = b""

    def press(self, *keys: str) -> None:
        os.write(self._descriptor, "".join(keys).encode())

    def shows(self, text: str) -> None:
        """Waits until it is on the screen, which every step clears."""
        until(lambda: text in self._read().rpartition("\x1b[2J")[2])

    def _read(self) -> str:
        with suppress(OSError):  # nothing there, or the other end is closed
            self._seen += os.read(self._descriptor, 65536)
        return self._seen.decode(errors="replace")


@contextmanager
def showing(record: Record, folder: Path) -> Iterator[tuple[Terminal, "subprocess.Popen[bytes]"]]:
    """`arena show` of a match on a terminal."""
    with Store.open(folder / "arena.db") as store:
        store.import_records([record])
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "show", record.match], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        yield Terminal(ours), process
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_keys_step_through_a_match(tmp_path: Path) -> None:
    with showing(MATCH, tmp_path) as (terminal, process):
        terminal.shows(f"1/{STEPS}  turn 1 ")
        for keys, position in (
            ([" "], 2),
            (["n", "\x1b[C", "\x1b[B", "x"], 5),
            (["p", "\x1b[D"], 3),
            (["G"], STEPS),
            (["n"], STEPS),
            (["\x1b[H"], 1),
            (["p"], 1),
            (["\x1b[F"], STEPS),
        ):
            terminal.press(*keys)
            terminal.shows(f"{position}/{STEPS}  turn ")
        terminal.press("q")
        terminal.shows("1.  ")
        assert process.wait(PATIENCE) == 0


def test_a_match_without_an_action_has_no_steps(tmp_path: Path) -> None:
    chance = tuple(entry for entry in MATCH.log[:4] if entry.by < 0)
    fault = Fault(1, "start", "no ready within 10 s", 0)
    empty = replace(MATCH, log=chance, faults=(fault,), result=Result((1, 2), (0, 0), "fault"))
    with showing(empty, tmp_path) as (terminal, process):
        terminal.shows("Fault of bob (seat 1) before the game: start: no ready within 10 s")
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("key", ["q", "\x1b"])
def test_it_is_left_by(tmp_path: Path, key: str) -> None:
    with showing(MATCH, tmp_path) as (terminal, process):
        terminal.shows(f"1/{STEPS}  turn 1 ")
        terminal.press(key)
        assert process.wait(PATIENCE) == 0


# Luck


class Dice(Evaluator):
    """A seat expects a hundredth more for each eye that it has just rolled."""

    def results(self, state: Any) -> Sequence[float]:
        eyes = (2 * (state.turn % 2) - 1) * sum(state.dice) / 100
        return [0.5 + eyes, 0.5 - eyes]


@pytest.fixture
def herd(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Record:
    """A match of Herd in the store, whose dice have a price."""
    monkeypatch.setattr(luck, "evaluator_of", lambda _game, _table: Dice())
    record = played("herd", options={"size": 2})
    with Store.open(arena.folder / "arena.db") as store:
        store.import_records([record])
    return record


def test_luck_is_told_of_each_chance_event_and_in_all(arena: Arena, herd: Record) -> None:
    told = [line.strip() for line in arena("show", "m-1").out.splitlines() if "luck" in line]
    eyes = [sum(map(int, e.do[5:].split(","))) - 7 for e in herd.log if e.by < 0]
    own = [value * (-1) ** roll for roll, value in enumerate(eyes)]
    rolls = [entry.do for entry in herd.log if entry.by < 0]
    assert told == [
        f"{roll}: luck ann {value:+.1f}%, bob {-value:+.1f}%"
        for roll, value in zip(rolls, own, strict=True)
    ]
    assert f"Luck in all: ann {sum(own):+.1f}%, bob {-sum(own):+.1f}%" in arena("show", "m-1").out


@pytest.mark.usefixtures("herd")
@pytest.mark.parametrize("words", [["--public"], ["--seat", "0"], ["--json"]])
def test_luck_is_told_to_who_sees_everything(arena: Arena, words: list[str]) -> None:
    assert "luck" not in arena("show", "m-1", *words).out.lower()


def test_a_game_without_an_evaluator_has_no_luck(
    arena: Arena, herd: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck, "evaluator_of", lambda _game, _table: None)
    assert "luck" not in arena("show", herd.match).out.lower()
