"""A run that is interrupted, killed, or loses a worker.

What was stored is kept, nothing is played twice, and no process is left.
"""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from arena.store.db import Store
from arena.store.errors import StoreError
from tests.arena_cli import (
    PATIENCE,
    Arena,
    alive,
    descendants,
    is_worker,
    program,
    started,
    until,
)

SIZE = ["--option", "size=3", "--isolation", "none", "--workers", "2"]
LONG = ["run", "herd", "./b", "--deals", "8", "--seed", "1", *SIZE]
THINKING = ["run", "herd", "./a hang 3", "./b", "--turn-time", "10m", "--seed", "1", *SIZE]


@pytest.fixture(autouse=True)
def _bots(arena: Arena) -> None:
    arena.bot("a")
    arena.bot("b")


@pytest.fixture
def gate(arena: Arena) -> Path:
    """Each process of `a` waits before its third match until this file is there."""
    return arena.folder / "gate"


@pytest.fixture
def long(gate: Path) -> list[str]:
    """A run of 16 matches, of which some are stored and two go on until the gate is open."""
    return [*LONG, f"./a gate 3:{gate}"]


def stored() -> list[str]:
    """The ids of the matches in the store."""
    try:
        with Store.open(Path("arena.db"), read_only=True) as store:
            return [match.match for match in store.matches()]
    except StoreError:  # it is not there yet
        return []


def underway(process: "subprocess.Popen[str]") -> list[int]:
    """Waits for some matches to be stored; gives the processes of the run."""
    until(lambda: len(stored()) >= 4 or process.poll() is not None)
    until(lambda: len(workers(descendants(process.pid))) == 2 or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    return descendants(process.pid)


def workers(pids: list[int]) -> list[int]:
    return [pid for pid in pids if is_worker(pid)]


def finish(arena: Arena, long: list[str], before: list[str]) -> None:
    """The same command again plays what is missing, and nothing twice."""
    done = arena(*long)
    assert done.status == 0, done.err
    after = stored()
    assert len(after) == len(set(after)) == 16
    assert set(before) <= set(after)
    assert arena("verify", "--store", "arena.db").status == 0


def test_a_worker_that_is_killed_is_replaced(arena: Arena, long: list[str], gate: Path) -> None:
    with started(*long, cwd=arena.folder) as process:
        pids = underway(process)
        one, _ = workers(pids)
        os.kill(one, signal.SIGKILL)
        gate.touch()
        assert process.wait(PATIENCE) == 0
    assert len(stored()) == len(set(stored())) == 16
    assert arena("verify", "--store", "arena.db").status == 0
    until(lambda: not alive(pids))


def test_row_69_an_interrupted_run_ends_at_once_and_keeps_what_was_finished(
    arena: Arena, long: list[str], gate: Path
) -> None:
    with started(*long, cwd=arena.folder) as process:
        pids = underway(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        until(lambda: not alive(pids))
    before = stored()
    assert 4 <= len(before) < 16
    gate.touch()
    finish(arena, long, before)


@pytest.mark.parametrize(
    "number",
    [pytest.param(signal.SIGINT, id="69-ctrl-c"), pytest.param(signal.SIGTERM, id="70-sigterm")],
)
def test_ending_does_not_wait_for_a_thinking_bot(arena: Arena, number: signal.Signals) -> None:
    with started(*THINKING, cwd=arena.folder) as process:
        pids = until(lambda: len(found := descendants(process.pid)) == 6 and found)  # with 4 bots
        process.send_signal(number)
        assert process.wait(PATIENCE) == 130
        until(lambda: not alive(pids))


def test_row_71_a_killed_run_leaves_no_process_and_continues_exactly(
    arena: Arena, long: list[str], gate: Path
) -> None:
    with started(*long, cwd=arena.folder) as process:
        pids = underway(process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        until(lambda: not alive(pids))
    gate.touch()
    finish(arena, long, stored())


def test_row_73_a_run_that_is_played_is_not_played_by_another(arena: Arena) -> None:
    with started(*THINKING, cwd=arena.folder) as process:
        until(lambda: len(workers(descendants(process.pid))) == 2)
        done = program(*THINKING, cwd=arena.folder)
        assert done.status == 3
        assert f"is being played by another arena (process {process.pid})" in done.err
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
