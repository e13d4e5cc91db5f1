"""The catalogue's rows on time, where a single verdict does not tell enough."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

import pytest
import trio
from trio.testing import MockClock

from arena.referee import procfs, tree
from arena.referee.bot import Bot, launch
from arena.referee.clock import Clocks
from arena.referee.faults import HostFault
from arena.referee.match import play
from arena.referee.sandbox import Level
from protocol.messages import ActTime
from tests.arena_cli import PATIENCE
from tests.conftest import NeedsTool
from tests.contest import QUICK, contest, first, hostile, setup_of
from tests.scripted import Pipes, always, answering, hide_scheduler, scripted
from tests.toy_game import ToyGame


@contextmanager
def one_core(crowd: int = 0) -> Iterator[None]:
    """Keep this process and the bots that it starts to one core, as a worker does.

    Args:
        crowd: how many others want that core all the time, each as much as a bot.
    """
    before = os.sched_getaffinity(0)
    core = max(before)
    others = [spinning(core) for _ in range(crowd)]
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
        for child in others:
            os.kill(child, 9)
            os.waitpid(child, 0)


def spinning(core: int) -> int:
    """A process that wants a core all the time, as long as this one lives."""
    child = os.fork()
    if child == 0:
        tree.die_with_parent()
        os.setsid()  # some kernels share a core between sessions, not between processes
        os.sched_setaffinity(0, {core})
        while True:
            pass
    tree.keep(child)
    return child


CROWD = 4
SECOND = Clocks(turn_ms=1000, first_ms=1000, start_ms=60_000)


async def test_row_14_in_time_by_20_ms_a_thousand_times(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    hide_scheduler(monkeypatch)
    async with scripted(answering("one", after=0.98), always("one")) as bots:
        setup = setup_of(ToyGame(), ("slow", "quick"), SECOND, {"turns": 2000})
        record = await play(setup, bots)
    assert not record.faults
    assert [entry.ms for entry in record.log if entry.by == 0] == [980.0] * 1000


@pytest.mark.usefixtures("never_void")
async def test_row_14_in_time_while_the_core_is_busy() -> None:
    """A quarter of the limit computed, which takes over a second: others have most of the core.

    The distribution of 10,000 turns is shown by benchmarks/fair_clocks.py.
    """
    with one_core(CROWD):
        played = await contest(hostile("compute_before", 0.75), clocks=SECOND)
    assert played.code is None, played.message


@pytest.mark.usefixtures("never_void")
async def test_row_15_late_while_the_core_is_busy() -> None:
    with one_core(CROWD):
        played = await contest(hostile("answer_before", -60), clocks=QUICK)
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
                await launch(program, level, "toy", "referee", PATIENCE, nursery)
                for program in (hostile("ponder"), hostile("play_well"))
            ]
            ponderer, other = bots
            try:
                with trio.fail_after(PATIENCE):
                    while not ponderer.process.warden.leashed:
                        await trio.sleep(0.02)
                await _stands_still(ponderer)
                assert not other.process.warden.leashed
                line = b'{"type":"act","id":1,"legal":["one"]}\n'
                answer, _ = await ponderer.ask(line, PATIENCE)  # it runs in its turn
                assert answer.startswith(b'{"type": "action", "id": 1')
                await _stands_still(ponderer)  # and not after it
            finally:
                for bot in bots:
                    bot.process.kill()


async def _stands_still(bot: Bot) -> None:
    """See that all its processes are stopped, and compute nothing then."""
    with trio.fail_after(PATIENCE):
        while set("".join(map(procfs.doing, bot.process.members()))) != {"T"}:
            await trio.sleep(0.02)
    used = _cpu(bot)
    await trio.sleep(0.2)
    assert _cpu(bot) == used


def _cpu(bot: Bot) -> float:
    return sum(map(procfs.cpu_seconds, bot.process.members()))


async def test_row_19_a_starved_host_voids() -> None:
    """A bot needs a quarter of a second, of which others keep it for longer than the limit."""
    slow = hostile("compute_before", 0.75)
    with one_core(2 * CROWD), pytest.raises(BaseExceptionGroup) as caught:
        await contest(slow, clocks=SECOND, turns=90)
    assert caught.group_contains(HostFault, match="the host was too busy: .* --workers")


async def test_row_20_a_wall_clock_that_steps_has_no_effect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = iter(range(0, 10**9, 86_400))
    monkeypatch.setattr(time, "time", lambda: next(steps))
    played = await contest(first())
    assert played.code is None
    assert all((entry.ms or 0) < 60_000 for entry in played.record.log)


@pytest.mark.parametrize(("over_s", "code"), [(0.05, "timeout"), (-0.05, None)])
async def test_row_22_a_bank_runs_out_on_move_40(
    over_s: float, code: str | None, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async def slow_on_move_40(pipes: Pipes) -> None:
        for move in count(1):
            if not (question := await pipes.question()):
                break
            time = ActTime(**question["time"])  # type: ignore[arg-type]  # as JSON
            if move == 40:
                assert time.bank_ms == 600 + 39 * 2
                await trio.sleep(time.bank_ms / 1000 + over_s)
            await pipes.answer(question, "one")

    hide_scheduler(monkeypatch)
    clocks = Clocks(turn_ms=None, first_ms=None, bank_ms=600, increment_ms=2)
    async with scripted(slow_on_move_40, always("one")) as bots:
        setup = setup_of(ToyGame(), ("slow", "quick"), clocks, {"turns": 100})
        record = await play(setup, bots)
    assert [(fault.code, fault.turn) for fault in record.faults] == ([(code, 79)] if code else [])


async def test_row_23_the_clocks_of_two_matches_at_a_time_are_independent(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    hide_scheduler(monkeypatch)
    charged: dict[float, set[float | None]] = {}

    async def one(after: float, turns: int, bots: Sequence[Bot]) -> None:
        setup = setup_of(ToyGame(), ("one", "other"), SECOND, {"turns": turns})
        record = await play(setup, bots)
        assert not record.faults
        charged[after] = {entry.ms for entry in record.log if entry.by == 0}

    scripts = [
        answering("one", after=0.9),
        always("one"),
        answering("one", after=0.01),
        always("one"),
    ]
    async with scripted(*scripts) as bots, trio.open_nursery() as nursery:
        nursery.start_soon(one, 0.9, 4, bots[:2])
        nursery.start_soon(one, 0.01, 300, bots[2:])
    assert charged == {0.9: {900.0}, 0.01: {10.0}}
