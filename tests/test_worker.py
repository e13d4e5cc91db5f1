"""A worker process: it plays what it is sent, and ends when nobody wants results any more."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.store.model import Slot
from arena.tournament.job import Assignment, Done, Enough, FromWorker, Job, Player, ToWorker, Void
from arena.tournament.schedule import rotations, seating
from arena.tournament.worker import Outbox
from protocol.record import Record, decode_record
from tests.arena_cli import LITTLE, PATIENCE, alive, descendants, until
from tests.contest import PATIENT

COMMAND = [sys.executable, "-P", "-m", "arena.tournament.worker"]


@pytest.fixture
def little(tmp_path: Path) -> Path:
    path = tmp_path / "little.py"
    path.write_text(LITTLE)
    return path


def player(program: Path, *words: str) -> Player:
    name = words[0] if words else "well"
    return Player("digest", Program(name, (sys.executable, str(program), *words)))


def assignment(players: dict[str, Player], **other: Any) -> Assignment:
    options = {"size": 3, "turn_limit": 8}
    return Assignment("herd", options, 2, "the-run", PATIENT, Level.NONE, players, **other)


def jobs(*names: str, deals: int = 1) -> list[Job]:
    group = tuple(sorted(names))
    slots = [slot for deal in range(deals) for slot in rotations(group, deal)]
    return [
        Job(slot, f"m-{slot.deal}-{slot.rotation}", f"d{slot.deal}", "5eed", (7, 8), seats)
        for slot in slots
        for seats in [seating("s", slot, (0, 1))]
    ]


@contextmanager
def worker(*messages: ToWorker) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker that was told this."""
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    try:
        for message in messages:
            process.stdin.write(msgspec.json.encode(message) + b"\n")
        process.stdin.flush()
        yield process
    finally:
        process.kill()
        process.communicate()


def results(process: "subprocess.Popen[bytes]") -> list[FromWorker]:
    """All that it says until it ends by itself."""
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return [msgspec.json.decode(line, type=FromWorker) for line in out.splitlines()]


def records(said: Sequence[FromWorker]) -> list[Record]:
    return [decode_record(bytes(result.record)) for result in said if isinstance(result, Done)]


def pids(record: Record) -> set[str]:
    """The processes that played, as they told in their notes."""
    return {entry.note for entry in record.log if entry.note}


def test_it_plays_its_jobs_in_order_and_ends(little: Path) -> None:
    todo = jobs("a", "b", deals=3)
    players = {"a": player(little, "pid"), "b": player(little, "pid")}
    with worker(assignment(players), *todo, Enough()) as process:
        said = results(process)
    assert [result.slot for result in said] == [job.slot for job in todo]
    played = records(said)
    assert [record.match for record in played] == [job.match for job in todo]
    for record, job in zip(played, todo, strict=True):
        assert tuple(bot.name for bot in record.bots) == job.seating
        assert (record.run, record.deal, record.seed) == ("the-run", job.deal, job.seed)
        assert record.seeds == job.seeds
        assert record.isolation == "none"
        assert not record.faults
    sets = [pids(record) for record in played]
    assert sets[0] == sets[2] == sets[4]
    assert sets[1] == sets[3] == sets[5]
    assert len(sets[0] | sets[1]) == 4


def test_fresh_gives_every_match_new_processes(little: Path) -> None:
    players = {"a": player(little, "pid"), "b": player(little, "pid")}
    with worker(assignment(players, fresh=True), *jobs("a", "b"), Enough()) as process:
        first, second = map(pids, records(results(process)))
    assert len(first | second) == 4


def test_it_keeps_to_its_core(little: Path) -> None:
    core = max(os.sched_getaffinity(0))
    players = {"a": player(little), "b": player(little)}
    with worker(assignment(players, core=core), *jobs("a", "b")) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = [process.pid, *descendants(process.pid)]
        assert len(found) >= 3
        assert all(os.sched_getaffinity(pid) == {core} for pid in found)


def test_lanes_play_at_the_same_time(little: Path, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    players = {"a": player(little, "gate", f"1:{gate}"), "b": player(little)}
    todo = jobs("a", "b", deals=2)
    with worker(assignment(players, lanes=4), *todo, Enough()) as process:
        until(lambda: len(descendants(process.pid)) == 8)
        gate.touch()
        said = results(process)
    assert sorted(result.slot for result in said) == [job.slot for job in todo]


def test_the_log_of_a_faulted_bot_comes_along(little: Path) -> None:
    players = {"a": player(little, "exit", "1"), "b": player(little)}
    with worker(assignment(players), *jobs("a", "b"), Enough()) as process:
        said = results(process)
    for result in said:
        assert isinstance(result, Done)
        (fault,) = decode_record(bytes(result.record)).faults
        assert fault.code == "crash"
        assert "out of ideas" in result.logs[fault.seat]


def test_a_program_that_is_gone_voids_its_matches(little: Path) -> None:
    gone = little.with_name("gone")
    players = {
        "a": Player("digest", Program("a", (str(gone),))),
        "b": player(little),
        "c": player(little),
    }
    todo = [*jobs("a", "b"), *jobs("b", "c")]
    with worker(assignment(players), *todo, Enough()) as process:
        first, second, third, fourth = results(process)
    for void in (first, second):
        assert isinstance(void, Void)
        assert void.reason.startswith("bot a cannot be executed: ")
    assert isinstance(third, Done)
    assert isinstance(fourth, Done)


def test_when_nobody_wants_results_it_ends_at_once_with_its_bots(little: Path) -> None:
    players = {"a": player(little, "hang", "1"), "b": player(little)}
    with worker(assignment(players), *jobs("a", "b")) as process:
        below = until(lambda: len(found := descendants(process.pid)) >= 2 and found)
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
        assert results(process) == []
        until(lambda: not alive(below))


def test_bots_die_with_a_worker_that_is_killed(little: Path) -> None:
    players = {"a": player(little, "hang", "1"), "b": player(little)}
    with worker(assignment(players), *jobs("a", "b")) as process:
        below = until(lambda: len(found := descendants(process.pid)) >= 2 and found)
        process.kill()
        until(lambda: not alive(below))


class Reader:
    """What came out of an outbox."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor

    def slots(self) -> list[int]:
        try:
            lines = os.read(self._descriptor, 65536).splitlines()
        except BlockingIOError:
            return []
        return [json.loads(line)["slot"]["deal"] for line in lines]


async def test_results_are_written_in_batches_but_none_waits_long() -> None:
    reading, writing = os.pipe()
    outbox, reader = Outbox(writing), Reader(reading)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(outbox.keep_flushing)
        for deal in range(3):
            outbox.put(Void(Slot(deal, ("a", "b"), 0), "why"))
        assert reader.slots() == []
        with trio.fail_after(PATIENCE):
            while not (slots := reader.slots()):
                await trio.sleep(0.01)
        assert slots == [0, 1, 2]
        nursery.cancel_scope.cancel()
    outbox.put(Void(Slot(3, ("a", "b"), 0), "why"))
    outbox.flush()
    assert reader.slots() == [3]
    os.close(reading)
    os.close(writing)
