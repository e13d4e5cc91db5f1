"""One running program: started, listened to, ended whole; nothing is left of it."""

import errno
import gc
import os
import subprocess

import pytest
import trio

from arena.referee import procfs, tree
from arena.referee.bot import launch
from arena.referee.faults import BotFault, CannotStart, HostFault
from arena.referee.limits import Limits
from arena.referee.process import Process, spawn
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.referee.warden import Warden
from arena.referee.wire import WireError
from tests.arena_cli import PATIENCE, until
from tests.conftest import NeedsTool
from tests.contest import alive, first, hostile

LEVELS = list(Level)
pytestmark = pytest.mark.usefixtures("never_void")
both_levels = pytest.mark.parametrize("level", LEVELS)


@pytest.fixture(autouse=True)
def _subreaper(needs_tool: NeedsTool) -> None:
    needs_tool("bwrap")
    tree.adopt_orphans()


@pytest.fixture
def no_hurry_to_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that has heard `quit` has all the time."""
    monkeypatch.setattr("arena.referee.bot.QUIT_GRACE", PATIENCE)


def shell(script: str, **limits: int) -> Program:
    return Program("shell", ("/bin/sh", "-c", script), limits=Limits(**limits))


async def ended(script: str, level: Level = Level.PROCESS) -> Process:
    """A process after its end."""
    async with trio.open_nursery() as nursery:
        process = spawn(shell(script), level)
        nursery.start_soon(process.tend)
        assert await process.wait(PATIENCE)
        process.kill()
    return process


@both_levels
@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 0", "ended with exit code 0"),
        ("exit 7", "ended with exit code 7"),
        ("kill -SEGV $$", "was killed by SIGSEGV"),
        ("kill -KILL $$", "was killed by SIGKILL"),
        ("exec no-such-program-anywhere", "ended with exit code 127"),
    ],
)
async def test_the_end_is_told_in_words(script: str, words: str, level: Level) -> None:
    assert (await ended(script, level)).ending() == words


@both_levels
async def test_stderr_is_kept(level: Level) -> None:
    process = await ended("echo one >&2; echo two >&2", level)
    assert process.log.text() == "one\ntwo\n"


async def test_an_exit_is_waited_for_as_long_as_allowed() -> None:
    async with trio.open_nursery() as nursery:
        process = spawn(shell("sleep 1000"), Level.PROCESS)
        nursery.start_soon(process.tend)
        assert not await process.wait(0.05)
        assert process.ending() == "closed its input or output"
        process.kill()
    assert process.ending() == "was killed by SIGKILL"


@both_levels
async def test_quit_is_obeyed(level: Level, no_hurry_to_leave: None) -> None:
    async with trio.open_nursery() as nursery:
        bot = await launch(first(), level, "toy", "referee", PATIENCE, nursery)
        await bot.dismiss()
        assert not bot.usable
    assert bot.process.ending() == "ended with exit code 0"


@both_levels
async def test_quit_is_enforced_after_a_second(level: Level) -> None:
    async with trio.open_nursery() as nursery:
        bot = await launch(hostile("ignore_sigterm"), level, "toy", "referee", PATIENCE, nursery)
        began = trio.current_time()
        await bot.dismiss()
        assert trio.current_time() - began >= 1
    assert bot.process.ending() == "was killed by SIGKILL"


@both_levels
async def test_a_bot_that_closes_its_output_is_told_from_one_that_ends(level: Level) -> None:
    async with trio.open_nursery() as nursery:
        for script, ends in (("exec >&-; sleep 1000", False), ("exit 3", True)):
            process = spawn(shell(script), level)
            nursery.start_soon(process.tend)
            with pytest.raises(WireError):
                await process.wire.ask(b"", trio.current_time() + PATIENCE)
            assert await process.leaves() is ends
            process.kill()


async def test_a_leashed_bot_is_let_go_to_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(procfs, "is_leaving", lambda _: True)
    async with trio.open_nursery() as nursery:
        process = spawn(shell("read line; exit 3"), Level.PROCESS)
        nursery.start_soon(process.tend)
        process.warden.leashed = True
        process.stop()
        process.wire.post(b"\n")
        assert await process.leaves()
        process.kill()
    assert process.ending() == "ended with exit code 3"


def test_a_process_that_leaves_is_told_from_one_that_stays() -> None:
    with subprocess.Popen(["sleep", "1000"]) as staying:
        assert not procfs.is_leaving(staying.pid)
        assert set(procfs.doing(os.getpid())) <= set("RSD")
        staying.kill()
        until(lambda: procfs.doing(staying.pid) == "Z")
        assert procfs.is_leaving(staying.pid)
        staying.wait()
        assert procfs.is_leaving(staying.pid)
        assert procfs.doing(staying.pid) == ""


async def test_a_second_kill_does_nothing() -> None:
    process = await ended("exit 3")
    process.kill()
    assert process.ending() == "ended with exit code 3"


async def test_the_process_id_stays_its_own_until_the_process_is_killed() -> None:
    async with trio.open_nursery() as nursery:
        process = spawn(shell("exit"), Level.PROCESS)
        nursery.start_soon(process.tend)
        assert await process.wait(PATIENCE)
        seen = procfs.look_at(process.pid)
        assert seen is not None
        assert seen.zombie  # not reaped: no other process can get the number
        process.kill()
        assert procfs.look_at(process.pid) is None


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (errno.ENOENT, CannotStart),
        (errno.EACCES, CannotStart),
        (errno.ENOEXEC, CannotStart),
        (errno.EMFILE, HostFault),
        (errno.ENFILE, HostFault),
        (errno.ENOMEM, HostFault),
        (errno.EAGAIN, HostFault),
        (errno.ENOSPC, HostFault),
    ],
)
def test_a_host_without_means_is_told_from_a_bad_program(
    code: int, kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(kind, match=os.strerror(code)):
        spawn(shell("exit"), Level.PROCESS)


@both_levels
async def test_nothing_is_left_of_a_bot_that_failed_to_start(level: Level) -> None:
    gc.collect()
    descriptors = len(os.listdir("/proc/self/fd"))
    for mode in ("banner", "never_ready", "exit_at_once"):
        async with trio.open_nursery() as nursery:
            with pytest.raises(BotFault):
                await launch(hostile(mode), level, "toy", "referee", 0.3, nursery)
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert not alive(f"ARENA_BOT={os.getpid()}-")


async def test_a_cancelled_start_leaves_nothing_behind() -> None:
    async with trio.open_nursery() as nursery:
        with trio.move_on_after(0.2) as scope:
            await launch(hostile("never_ready"), Level.PROCESS, "toy", "referee", PATIENCE, nursery)
    assert scope.cancelled_caught
    assert not alive(f"ARENA_BOT={os.getpid()}-")


async def test_a_bot_is_ended_also_when_its_farewell_is_cut_short() -> None:
    async with trio.open_nursery() as nursery:
        bot = await launch(
            hostile("ignore_sigterm"), Level.PROCESS, "toy", "referee", PATIENCE, nursery
        )
        with trio.move_on_after(0.05) as scope:
            await bot.dismiss()
        assert scope.cancelled_caught
        assert not alive(f"ARENA_BOT={os.getpid()}-")


async def test_a_leashed_bot_still_hears_quit(no_hurry_to_leave: None) -> None:
    async with trio.open_nursery() as nursery:
        bot = await launch(first(), Level.PROCESS, "toy", "referee", PATIENCE, nursery)
        bot.process.warden.leashed = True
        bot.process.stop()
        await bot.dismiss()
    assert bot.process.ending() == "ended with exit code 0"


@pytest.mark.parametrize(
    ("level", "memory_mb"), [(Level.PROCESS, 20), (Level.PROCESS, 4000), (Level.BWRAP, 20)]
)
async def test_memory_is_watched_while_the_bot_is_idle(level: Level, memory_mb: int) -> None:
    eater = hostile("eat_when_idle", 40, limits=Limits(memory_mb=memory_mb))
    async with trio.open_nursery() as nursery:
        bot = await launch(eater, level, "toy", "referee", PATIENCE, nursery)
        gone = await bot.process.wait(PATIENCE if memory_mb == 20 else 1.0)
        assert gone == (memory_mb == 20)
        bot.check_silence()
        assert bot.usable != gone
        bot.process.kill()
    assert (f"its limit is {memory_mb} MiB" in bot.process.over_memory) == gone


class Accused:
    """A bot whose use of the host is made up."""

    def __init__(self) -> None:
        self.asked = False
        self.stops = 0
        self.used = 0.0

    def members(self) -> list[int]:
        return [os.getpid()]

    def stop(self) -> None:
        self.stops += 1

    def go_on(self) -> None:
        self.stops -= 1

    def kill_for_memory(self, used: int) -> None:
        raise AssertionError(used)


@pytest.mark.parametrize(
    ("given", "spent", "stopped"),
    [
        (0.0, 0.0, False),
        (0.0, 0.004, False),
        (0.0, 0.1, True),
        (0.1, 0.1, False),
        (0.1, 0.12, False),
        (0.1, 0.5, True),
    ],
)
def test_computing_out_of_turn_is_told_from_a_turn(
    given: float, spent: float, stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Accused()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    monkeypatch.setattr(procfs, "cpu_seconds", lambda _: 5.0 + bot.used)
    warden = Warden(bot, Limits(memory_mb=100_000))
    warden.given = 5.0  # its start
    warden.look()
    warden.given += given
    bot.used = spent
    assert warden.look() == (spent > 0)
    assert (bot.stops, warden.leashed) == (int(stopped), stopped)
    warden.forgive()
    assert (bot.stops, warden.leashed) == (0, False)


async def test_what_it_took_to_execute_a_bot_is_not_held_against_it(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    bot = Accused()
    monkeypatch.setattr(procfs, "cpu_seconds", lambda _: 5.0 + bot.used)
    warden = Warden(bot, Limits(memory_mb=100_000))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(warden.watch)
        await trio.sleep(1)
        before = warden.leashed
        bot.used = 1.0
        await trio.sleep(1)
        assert (before, warden.leashed) == (False, True)
        nursery.cancel_scope.cancel()


def test_a_released_bot_computes_when_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Accused()
    monkeypatch.setattr(procfs, "cpu_seconds", lambda _: 100.0)
    warden = Warden(bot, Limits(memory_mb=100_000))
    warden.look()
    assert warden.leashed
    warden.release()
    monkeypatch.setattr(procfs, "cpu_seconds", lambda _: 200.0)
    warden.look()
    assert (bot.stops, warden.leashed) == (0, False)


def test_a_bot_is_not_judged_in_the_middle_of_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Accused()
    monkeypatch.setattr(procfs, "cpu_seconds", lambda _: 100.0)
    bot.asked = True
    warden = Warden(bot, Limits(memory_mb=100_000))
    assert warden.look()
    assert not bot.stops
