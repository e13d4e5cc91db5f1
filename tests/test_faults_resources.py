"""The catalogue's rows on resources and escape, at each level of isolation.

What a level does not hold is tested too: it is what `arena doctor` and docs/security.md say.
"""

import gc
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from uuid import uuid4

import pytest
from msgspec.structs import replace

from arena.referee import procfs, users
from arena.referee.limits import Limits
from arena.referee.sandbox import Level
from tests.conftest import NeedsTool
from tests.contest import (
    QUICK,
    SYSTEM_PYTHON,
    Contest,
    alive,
    as_nobody,
    contest,
    escaping,
    hostile,
    open_to_others,
    why_not_nobody,
)

LEVELS = [Level.PROCESS, Level.BWRAP]
both_levels = pytest.mark.parametrize("level", LEVELS)


@pytest.fixture(autouse=True)
def _nothing_is_left(request: pytest.FixtureRequest, needs_tool: NeedsTool) -> Iterator[None]:
    if "level" in request.fixturenames and request.getfixturevalue("level") is Level.BWRAP:
        needs_tool("bwrap")
    yield
    assert not alive(f"ARENA_BOT={os.getpid()}-")


# 52 to 56: resources


@both_levels
async def test_row_52_a_memory_bomb(level: Level) -> None:
    played = await contest(hostile("memory", limits=Limits(memory_mb=64)), level)
    assert played.code in ("memory", "crash"), played.message
    if played.code == "memory":
        assert "MiB of memory, its limit is 64 MiB" in played.message
    else:
        assert "MemoryError" in played.message
    played.assert_the_others_played_on()


@both_levels
async def test_row_52_a_memory_bomb_of_many_processes(level: Level) -> None:
    bot = hostile("memory_of_children", 40, limits=Limits(memory_mb=64))
    played = await contest(bot, level)
    assert played.code == "memory"
    assert played.message.endswith("MiB of memory, its limit is 64 MiB")
    played.assert_the_others_played_on()


async def test_row_52_memory_that_is_shared_with_forks_counts_once() -> None:
    bot = hostile("shared_memory", 40, limits=Limits(memory_mb=100))
    assert (await contest(bot)).code is None


@both_levels
async def test_row_53_a_fork_bomb(level: Level) -> None:
    bot = hostile("forks", python=SYSTEM_PYTHON, limits=Limits(processes=40))
    if level is Level.PROCESS and (why := users.why_not(bot)) and os.geteuid() == 0:
        pytest.skip(f"root has no limit of processes, and {why}")
    played = await contest(bot, level, QUICK)
    assert played.code in ("timeout", "crash"), played.message
    played.assert_the_others_played_on()


async def test_row_54_a_full_disk_is_the_bots_own(needs_tool: NeedsTool) -> None:
    needs_tool("bwrap")
    bot = hostile("fill_the_disk", limits=Limits(folder_mb=20))
    played = await contest(bot, Level.BWRAP)
    assert 10 < int(played.notes[0]) <= 20
    played.assert_the_others_played_on()


@both_levels
async def test_row_54_a_long_file(level: Level) -> None:
    played = await contest(hostile("long_file", limits=Limits(file_mb=5)), level)
    assert (played.code, played.message) == (
        "crash",
        "the program was ended for a file of over 5 MiB",
    )


@both_levels
@pytest.mark.parametrize("mode", ["daemon", "bare_daemon"])
async def test_row_55_a_daemon_that_respawns(mode: str, level: Level, tmp_path: Path) -> None:
    mark = str(tmp_path)
    played = await contest(hostile(mode, mark), level)
    assert played.code is None
    assert not alive(mark)


@both_levels
async def test_row_56_sigterm_is_ignored(level: Level) -> None:
    assert (await contest(hostile("ignore_sigterm"), level)).code is None


async def test_computing_over_the_limit_is_named() -> None:
    played = await contest(hostile("burn", limits=Limits(cpu_s=1)))
    assert (played.code, played.message) == (
        "crash",
        "the program was ended for computing over 1 s",
    )


# 57 to 62: escape

HELD = {
    # attempt: held by bwrap, as another user at level process, as the referee's user there
    "signal_relatives": (True, True, False),
    "signal_process": (True, True, False),
    "trace": (True, True, True),
    "write_to_sibling": (True, True, False),
    "read_file": (True, False, False),
    "write_file": (True, True, False),
    "connect": (True, False, False),
    "connect_abstract": (True, False, False),
    "shared_memory": (True, False, False),
}
ROW = {
    "signal_relatives": 57,
    "signal_process": 57,
    "trace": 58,
    "write_to_sibling": 59,
    "read_file": 60,
    "write_file": 61,
    "connect": 62,
    "connect_abstract": 62,
    "shared_memory": 62,
}
attempts = pytest.mark.parametrize(
    "attempt", [pytest.param(name, id=f"{ROW[name]}-{name}") for name in HELD]
)


class Targets:
    """What a bot might reach for."""

    def __init__(self, folder: Path) -> None:
        self.secret = folder / "arena.db"
        self.secret.write_text("secret")
        self.secret.chmod(0o644)
        self.name = f"arena-test-{uuid4().hex}"
        self.shared = Path("/dev/shm") / self.name
        self.shared.write_text("secret")
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind("\0" + self.name)
        self.abstract.listen()
        for server in (self.tcp, self.abstract):
            Thread(target=_give_away, args=(server,), daemon=True).start()

    def words(self, attempt: str, referee: int) -> list[object]:
        """What the attempt is told."""
        words: dict[str, list[object]] = {
            "signal_process": [referee],
            "trace": [referee],
            "read_file": [self.secret],
            "write_file": [self.secret],
            "connect": [self.tcp.getsockname()[1]],
            "connect_abstract": [self.name],
            "shared_memory": [self.name],
        }
        return words.get(attempt, [])

    def close(self) -> None:
        self.shared.unlink()
        for server in (self.tcp, self.abstract):
            server.shutdown(socket.SHUT_RDWR)
            server.close()


def _give_away(server: socket.socket) -> None:
    while True:
        try:
            link, _ = server.accept()
        except OSError:
            return
        with link:
            link.sendall(b"secret")


@pytest.fixture
def targets(tmp_path: Path) -> Iterator[Targets]:
    everything = Targets(open_to_others(tmp_path))
    yield everything
    everything.close()


def assert_held(played: Contest, attempt: str, held: bool) -> None:
    assert played.code is None, played.message
    assert [note.split(" ")[0] for note in set(played.notes)] == ["held:" if held else "got"], (
        attempt,
        played.notes,
    )
    played.assert_the_others_played_on()


@attempts
async def test_row_at_bwrap(attempt: str, targets: Targets, needs_tool: NeedsTool) -> None:
    needs_tool("bwrap")
    bot = escaping(attempt, *targets.words(attempt, os.getpid()))
    assert_held(await contest(bot, Level.BWRAP), attempt, HELD[attempt][0])
    assert targets.secret.read_text() == "secret"


@attempts
async def test_row_at_process_as_another_user(attempt: str, targets: Targets) -> None:
    bot = escaping(attempt, *targets.words(attempt, os.getpid()), python=SYSTEM_PYTHON)
    if os.geteuid() != 0 or users.why_not(bot):
        pytest.skip("needs root, and a tree that others can read")
    assert_held(await contest(bot, Level.PROCESS), attempt, HELD[attempt][1])


@attempts
@pytest.mark.parametrize("level", LEVELS)
def test_row_of_an_ordinary_user(
    attempt: str, level: Level, targets: Targets, needs_tool: NeedsTool
) -> None:
    if reason := why_not_nobody():
        pytest.skip(reason)
    targets.secret.chmod(0o666)
    words = targets.words(attempt, 0)
    if attempt in ("signal_process", "trace"):
        words = ["referee"]
    bot = escaping(attempt, *words, python=SYSTEM_PYTHON)
    assert_held(as_nobody(bot, level), attempt, HELD[attempt][0 if level is Level.BWRAP else 2])


# 63 and 64: what is inherited


@both_levels
async def test_row_63_no_secrets_in_the_environment(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    bot = replace(escaping("environment"), env={"MINE": "1"})
    (note,) = set((await contest(bot, level)).notes)
    names = set(note.removeprefix("got ").split())
    assert names >= {"ARENA_BOT", "HOME", "LANG", "MINE", "PATH", "TMPDIR"}
    assert names <= {
        *("ARENA_BOT", "HOME", "JAVA_TOOL_OPTIONS", "LANG", "MINE", "PATH", "TMPDIR"),
        *("PWD", "SHLVL", "_", "OLDPWD", "LC_CTYPE"),  # what a shell or Python sets
    }


@both_levels
async def test_row_64_only_three_descriptors_are_inherited(level: Level) -> None:
    read, write = os.pipe()
    os.set_inheritable(write, True)
    try:
        played = await contest(escaping("descriptors"), level)
    finally:
        os.close(read)
        os.close(write)
    assert set(played.notes) == {"got 0 1 2 3"}  # 3 is the look itself


async def test_the_referees_descriptors_and_memory_stay_flat() -> None:
    await contest(hostile("play_well"))
    gc.collect()
    descriptors = len(os.listdir("/proc/self/fd"))
    memory = procfs.private_bytes(os.getpid())
    for mode in ("endless_line", "flood", "exit_at_once", "close_stdin", "banner"):
        await contest(hostile(mode))
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert procfs.private_bytes(os.getpid()) - memory < 8 << 20
