"""The local farm: every job is settled once, whatever its workers do. The workers are scripts."""

import json
import os
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.referee.clock import Clocks
from arena.referee.sandbox import Level
from arena.store.model import Slot
from arena.tournament import farm as module
from arena.tournament.farm import LIVES, LocalFarm, WorkerDied
from arena.tournament.job import Assignment, Done, Job, Void
from tests.arena_cli import PATIENCE

PYTHON = sys.executable

TELLS = """
import json, os, sys

def done(job):
    line = {"type": "Done", "slot": job["slot"], "record": {"pid": os.getpid()}, "logs": {}}
    print(json.dumps(line), flush=True)

def messages():
    for line in sys.stdin:
        yield json.loads(line)
"""
OBEDIENT = """
for message in messages():
    if message["type"] == "Assignment":
        with open("assignments", "a") as file:
            file.write(json.dumps(message) + "\\n")
    if message["type"] == "Job":
        done(message)
    if message["type"] == "Enough":
        break
"""
MORTAL = """
for message in messages():
    if message["type"] == "Job":
        if os.path.exists("dead"):
            done(message)
        else:
            open("dead", "w").close()
            os._exit(1)
    if message["type"] == "Enough":
        break
"""
DYING = "os._exit(1)"
LEAVING_LATE = """
jobs = []
for message in messages():
    if message["type"] == "Job":
        jobs.append(message)
        open("told", "w").close()
for job in jobs[:1]:
    done(job)
"""
"""It tells what it has done only when it is told to stop."""
BABBLING = """
for message in messages():
    if message["type"] == "Job":
        done(message)
    if message["type"] == "Enough":
        print("x" * 100, end="", flush=True)
        break
"""


class Tray:
    """A docket that gives void slots again."""

    def __init__(self, matches: int) -> None:
        self.open = deque(Slot(deal, ("a", "b"), 0) for deal in range(matches))
        self.done: list[Slot] = []
        self.pids: set[int] = set()
        self.void: list[Void] = []
        self.most_out = 0
        self._out = 0

    def take(self) -> Job | None:
        if not self.open:
            return None
        self._out += 1
        self.most_out = max(self.most_out, self._out)
        slot = self.open.popleft()
        return Job(slot, "m", "d", "s", (1, 2), slot.group)

    def settle(self, results: Sequence[Done | Void]) -> None:
        self._out -= len(results)
        for result in results:
            if isinstance(result, Void):
                self.void.append(result)
                self.open.append(result.slot)
            else:
                self.done.append(result.slot)
                self.pids.add(json.loads(bytes(result.record))["pid"])


ASSIGNMENT = Assignment("herd", {}, 2, "run", Clocks(), Level.NONE, {})


@pytest.fixture
def play_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes a farm whose workers are a script."""
    monkeypatch.chdir(tmp_path)

    def make(script: str, workers: int = 1, lanes: int = 1) -> LocalFarm:
        program = tmp_path / "worker"
        program.write_text(f"#!{PYTHON} -SE\n{TELLS}\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))
        return LocalFarm(workers, lanes)

    return make


@pytest.mark.parametrize("workers", [1, 2, 5])
async def test_every_job_is_settled_once(play_with: Any, workers: int) -> None:
    tray = Tray(60)
    with trio.fail_after(PATIENCE):
        await play_with(OBEDIENT, workers).play(ASSIGNMENT, tray)
    assert sorted(tray.done) == [Slot(deal, ("a", "b"), 0) for deal in range(60)]
    assert not tray.void


async def test_no_worker_is_started_without_a_job_for_it(play_with: Any) -> None:
    with trio.fail_after(PATIENCE):
        await play_with(OBEDIENT, 5).play(ASSIGNMENT, Tray(0))
        assert not Path("assignments").exists()
        await play_with(OBEDIENT, 5).play(ASSIGNMENT, Tray(1))
    assert len(Path("assignments").read_text().splitlines()) == 1


async def test_workers_hold_no_more_than_they_need(play_with: Any) -> None:
    tray = Tray(2000)
    with trio.fail_after(PATIENCE):
        await play_with(OBEDIENT).play(ASSIGNMENT, tray)
    assert tray.most_out <= module.MOST_AHEAD


async def test_each_worker_is_told_its_core_where_there_are_enough(play_with: Any) -> None:
    cores = sorted(os.sched_getaffinity(0))
    for workers, told in ((len(cores), cores), (len(cores) + 1, [None] * (len(cores) + 1))):
        Path("assignments").unlink(missing_ok=True)
        with trio.fail_after(PATIENCE):
            await play_with(OBEDIENT, workers, lanes=3).play(ASSIGNMENT, Tray(20 * workers))
        lines = [json.loads(line) for line in Path("assignments").read_text().splitlines()]
        assert sorted(line["core"] for line in lines if line["core"] is not None) == [
            core for core in told if core is not None
        ]
        assert {line["lanes"] for line in lines} == {3}


def test_a_worker_per_core_is_the_default() -> None:
    assert LocalFarm().workers == len(os.sched_getaffinity(0))


async def test_a_worker_that_dies_is_replaced_and_its_jobs_come_again(play_with: Any) -> None:
    tray = Tray(20)
    with trio.fail_after(PATIENCE):
        await play_with(MORTAL, 2).play(ASSIGNMENT, tray)
    assert sorted(tray.done) == [Slot(deal, ("a", "b"), 0) for deal in range(20)]
    assert 1 <= len(tray.void) <= 4
    assert {void.reason for void in tray.void} == {"its worker process ended"}


async def test_workers_that_die_again_and_again_end_the_farm(play_with: Any) -> None:
    tray = Tray(20)
    with trio.fail_after(PATIENCE), pytest.RaisesGroup(WorkerDied, flatten_subgroups=True) as found:
        await play_with(DYING).play(ASSIGNMENT, tray)
    assert not tray.done
    assert str(found.value.exceptions[0]) == (
        f"a worker process ended {LIVES} times without being asked to"
    )


async def test_what_was_finished_is_kept_when_it_is_interrupted(
    play_with: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STOP_GRACE", PATIENCE)
    tray = Tray(20)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_with(LEAVING_LATE).play, ASSIGNMENT, tray)
        with trio.fail_after(PATIENCE):
            while not Path("told").exists():
                await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert len(tray.done) == 1


async def test_a_worker_that_does_not_leave_is_killed(play_with: Any) -> None:
    tray = Tray(20)
    begun = trio.current_time()
    with trio.move_on_after(0.2):
        await play_with("import time; time.sleep(600)").play(ASSIGNMENT, tray)
    assert trio.current_time() - begun < PATIENCE


async def test_the_end_of_a_line_is_no_result(play_with: Any) -> None:
    tray = Tray(3)
    with trio.fail_after(PATIENCE):
        await play_with(BABBLING).play(ASSIGNMENT, tray)
    assert len(tray.done) == 3
