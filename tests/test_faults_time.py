"""The catalogue's rows on time, where a single verdict does not tell enough."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import pytest
import trio

from arena.referee import procfs, tree
from arena.referee.bot import Bot, launch
from arena.referee.clock import Clocks
from arena.referee.faults import HostFault
from arena.referee.sandbox import Level
from tests.conftest import NeedsTool
from tests.contest import QUICK, contest, first, hostile


@contextmanager
def busy_cores(per_core: int) -> Iterator[None]:
    """Keep every core that this process may use busy."""
    children = []
    for core in os.sched_getaffinity(0):
        for _ in range(per_core):
            child = os.fork()
            if child == 0:
                os.sched_setaffinity(0, {core})
                while True:
                    pass
            children.append(child)
    try:
        yield
    finally:
        for child in children:
            os.kill(child, 9)
            os.waitpid(child, 0)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and the bots that it starts to one core, as a worker does."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


SHORT = Clocks(turn_ms=100, first_ms=100, start_ms=9000)


async def test_row_14_in_time_while_every_core_is_busy() -> None:
    """The distribution of 10,000 turns is shown by benchmarks/fair_clocks.py."""
    with one_core(), busy_cores(2):
        played = await contest(hostile("answer_before", 0.02), clocks=SHORT, turns=90)
    assert played.code is None, played.message
    charged = [entry.ms or 0 for entry in played.record.log if entry.by == 0]
    assert len(charged) == 30
    assert median(charged) > 78, "what others took is excused, not what the bot slept"


async def test_row_15_late_while_every_core_is_busy() -> None:
    for _ in range(3):
        with one_core(), busy_cores(2):
            played = await contest(hostile("answer_before", -0.03), clocks=SHORT, turns=90)
        assert played.code == "timeout"


@pytest.mark.parametrize("level", [Level.PROCESS, Level.BWRAP])
async def test_row_18_a_ponderer_is_stopped_outside_its_turns(
    level: Level, needs_tool: NeedsTool
) -> None:
    if level is Level.BWRAP:
        needs_tool("bwrap")
    tree.adopt_orphans()
    with one_core():
        async with trio.open_nursery() as nursery:
            bots = [
                await launch(program, level, "toy", "referee", 9, nursery)
                for program in (hostile("ponder"), hostile("play_well"))
            ]
            ponderer, other = bots
            try:
                with trio.fail_after(5):
                    while not ponderer.process.warden.leashed:
                        await trio.sleep(0.02)
                await trio.sleep(0.05)
                used = _cpu(ponderer)
                await trio.sleep(0.3)
                assert _cpu(ponderer) == used  # stopped
                assert not other.process.warden.leashed
                line = b'{"type":"act","id":1,"legal":["one"]}\n'
                answer, _ = await ponderer.ask(line, 1.0)  # it runs in its turn
                assert answer.startswith(b'{"type": "action", "id": 1')
                await trio.sleep(0.05)
                used = _cpu(ponderer)
                await trio.sleep(0.2)
                assert _cpu(ponderer) == used  # and not after it
            finally:
                for bot in bots:
                    bot.process.kill()


def _cpu(bot: Bot) -> float:
    return sum(map(procfs.cpu_seconds, bot.process.members()))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may starve a host")
async def test_row_19_a_starved_host_voids() -> None:
    """Processes that outrank all others take the core for a while."""
    slow = hostile("compute_before", 0.05)
    with one_core(), starved(after_s=0.8, for_s=20), pytest.raises(BaseExceptionGroup) as caught:
        await contest(slow, clocks=QUICK, turns=90)
    assert caught.group_contains(HostFault, match="the host was too busy: .* --workers")


@contextmanager
def starved(after_s: float, for_s: float) -> Iterator[None]:
    """Take this core from everybody else, for 95 % of the time."""
    child = os.fork()
    if child == 0:
        time.sleep(after_s)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        end = time.monotonic() + for_s
        while time.monotonic() < end:
            pass
        os._exit(0)
    try:
        yield
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


async def test_row_20_a_wall_clock_that_steps_has_no_effect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = iter(range(0, 10**9, 86_400))
    monkeypatch.setattr(time, "time", lambda: next(steps))
    played = await contest(first())
    assert played.code is None
    assert all((entry.ms or 0) < 1000 for entry in played.record.log)


async def test_row_22_a_bank_runs_out_on_move_40() -> None:
    clocks = Clocks(turn_ms=None, first_ms=None, bank_ms=600, increment_ms=2, start_ms=9000)
    played = await contest(hostile("slow_on_move_40", 0.05), clocks=clocks, turns=150)
    assert played.code == "timeout"
    assert played.record.faults[0].turn == 39 * 3 + 1
    played = await contest(hostile("slow_on_move_40", -0.05), clocks=clocks, turns=150)
    assert played.code is None, played.message


async def test_row_23_the_clocks_of_two_matches_at_a_time_are_independent() -> None:
    slow = hostile("answer_before", 0.1)
    played = {}

    async def one(name: str, turns: int) -> None:
        played[name] = await contest(slow if name == "slow" else first(), turns=turns)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(one, "slow", 6)
        nursery.start_soon(one, "quick", 3000)
    assert [each.code for each in played.values()] == [None, None]
    slow_ms = [entry.ms or 0 for entry in played["slow"].record.log if entry.by == 0]
    quick_ms = [entry.ms or 0 for entry in played["quick"].record.log if entry.by == 0]
    assert max(slow_ms) > 145
    assert sorted(quick_ms)[len(quick_ms) // 2] < 50
