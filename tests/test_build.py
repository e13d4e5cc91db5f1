"""Bots that are built: when, from what, where to, and what a build cannot do."""

import os
import shlex
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.referee import sandbox, scratch
from arena.referee.faults import CannotStart
from arena.referee.sandbox import Level
from arena.tournament import build
from arena.tournament.build import built
from arena.tournament.entry import Entry, resolve
from tests.conftest import NeedsTool

SCRIPT = "printf '#!/bin/sh\\necho %s\\n' \"$(cat words)\" >bot; chmod +x bot"
"""A build without a compiler: the program says what is in the file words."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where builds are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/savanna-arena/builds"


@pytest.fixture(autouse=True)
def _no_folder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    os.rmdir(scratch.working_folder())  # the referee's own, made once, is elsewhere
    working = tmp_path / "working"
    working.mkdir(mode=0o777)
    working.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(working))
    yield
    assert list(working.iterdir()) == []


@pytest.fixture(params=[Level.PROCESS, Level.BWRAP])
def level(request: pytest.FixtureRequest, needs_tool: NeedsTool) -> Level:
    level: Level = request.param
    if level is Level.BWRAP:
        needs_tool("bwrap")
        if reason := sandbox.why_no_bwrap():
            pytest.skip(reason)
    return level


@pytest.fixture
def bwrap(needs_tool: NeedsTool) -> Level:
    needs_tool("bwrap")
    if reason := sandbox.why_no_bwrap():
        pytest.skip(reason)
    return Level.BWRAP


def make_bot(folder: Path, script: str = SCRIPT, command: str = "./bot") -> Entry:
    """A bot that is built by a shell script in its bot.toml."""
    folder.mkdir(exist_ok=True)
    (folder / "words").write_text("hello")
    quoted = script.replace("\\", "\\\\").replace('"', '\\"')
    (folder / "bot.toml").write_text(
        f'name = "mine"\nbuild = ["sh", "-c", "{quoted}"]\ncommand = ["{command}"]\n'
    )
    return resolve(shlex.quote(str(folder)))


def said(entry: Entry) -> str:
    with os.popen(shlex.join(entry.program.command)) as pipe:
        return pipe.read().strip()


async def test_it_is_built_in_a_copy(tmp_path: Path, level: Level, cache: Path) -> None:
    entry = make_bot(tmp_path / "my bot")
    before = sorted((tmp_path / "my bot").iterdir())
    made = await built(entry, level, trust=True)
    assert said(made) == "hello"
    assert made.program.folder is not None
    assert Path(made.program.folder).is_relative_to(cache)
    assert made.entrant == entry.entrant
    assert sorted((tmp_path / "my bot").iterdir()) == before


async def test_a_bot_without_build_is_left_alone(level: Level) -> None:
    entry = resolve("random")
    assert await built(entry, level, trust=False) is entry


def test_row_78_naming_a_bot_builds_nothing(tmp_path: Path, cache: Path) -> None:
    entry = make_bot(tmp_path / "mybot", "touch built")
    assert entry.build == ("sh", "-c", "touch built")
    assert not cache.exists()


async def test_it_is_built_when_its_sources_changed(tmp_path: Path, bwrap: Level) -> None:
    told: list[str] = []
    folder = tmp_path / "mybot"
    first = await built(make_bot(folder), bwrap, trust=False, announce=told.append)
    again = await built(resolve(str(folder)), bwrap, trust=False, announce=told.append)
    assert again == first
    assert len(told) == 1
    assert told[0].startswith("building mine: sh -c printf")

    (folder / "words").write_text("goodbye")
    other = await built(resolve(str(folder)), bwrap, trust=False, announce=told.append)
    assert (said(first), said(other)) == ("hello", "goodbye")
    assert len(told) == 2

    (folder / "words").write_text("hello")
    assert await built(resolve(str(folder)), bwrap, trust=False, announce=told.append) == first
    assert len(told) == 2


async def test_the_words_of_a_bot_do_not_build_it_anew(tmp_path: Path, bwrap: Level) -> None:
    folder = tmp_path / "mybot"
    told: list[str] = []
    await built(make_bot(folder), bwrap, trust=False, announce=told.append)
    entry = await built(resolve(f"{folder} --depth 3"), bwrap, trust=False, announce=told.append)
    assert entry.program.command[1:] == ("--depth", "3")
    assert len(told) == 1


async def test_what_lies_in_the_folder_is_no_build(tmp_path: Path, bwrap: Level) -> None:
    folder = tmp_path / "mybot"
    make_bot(folder, f"test ! -e bot && test ! -e target && test ! -e .git && {SCRIPT}")
    (folder / "bot").write_text("#!/bin/sh\necho old\n")
    (folder / "bot").chmod(0o755)
    for name in ("target", ".git"):
        (folder / name).mkdir()
        (folder / name / "x").touch()
    assert said(await built(resolve(str(folder)), bwrap, trust=False)) == "hello"


async def test_the_last_builds_are_kept(tmp_path: Path, bwrap: Level, cache: Path) -> None:
    folder = tmp_path / "mybot"
    make_bot(folder)
    made = []
    for number in range(build.KEPT + 2):
        (folder / "words").write_text(str(number))
        made.append(await built(resolve(str(folder)), bwrap, trust=False))
        os.utime(made[-1].program.folder or "", (number, number))
    there = [Path(entry.program.command[0]).exists() for entry in made]
    assert there == [False] * 2 + [True] * build.KEPT
    [shelf] = cache.iterdir()
    assert len(list(shelf.iterdir())) == build.KEPT


async def test_what_the_compiler_says_is_shown(tmp_path: Path, level: Level, cache: Path) -> None:
    entry = make_bot(tmp_path / "mybot", "echo bot.c:3: expected a semicolon >&2; exit 2")
    with pytest.raises(CannotStart) as caught:
        await built(entry, level, trust=True)
    assert str(caught.value) == (
        "bot mine cannot be built: the build ended with exit code 2:\nbot.c:3: expected a semicolon"
    )
    assert [path for shelf in cache.iterdir() for path in shelf.iterdir()] == []


async def test_much_is_shown_in_part_and_escaped(tmp_path: Path, bwrap: Level) -> None:
    entry = make_bot(tmp_path / "mybot", "seq 500; printf '\\033[2J'; exit 1")
    with pytest.raises(CannotStart) as caught:
        await built(entry, bwrap, trust=False)
    first, *lines = str(caught.value).splitlines()
    assert first == "bot mine cannot be built: the build ended with exit code 1:"
    assert lines == [*map(str, range(1, 101)), "(401 more lines)"]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("true", "it makes no bot, which command in bot.toml names"),
        ("mkdir bot", "it makes no bot, which command in bot.toml names"),
        ("mkfifo bot; chmod +x bot", "it makes no bot, which command in bot.toml names"),
        ("touch bot", "is not executable"),
        ("kill -9 $$", "the build was killed by SIGKILL"),
    ],
)
async def test_a_build_that_makes_no_program(
    tmp_path: Path, bwrap: Level, script: str, why: str
) -> None:
    with pytest.raises(CannotStart, match=why):
        await built(make_bot(tmp_path / "mybot", script), bwrap, trust=False)


async def test_a_compiler_that_is_not_there(tmp_path: Path, bwrap: Level) -> None:
    folder = tmp_path / "mybot"
    make_bot(folder)
    (folder / "bot.toml").write_text('name = "mine"\nbuild = ["cobc", "x"]\ncommand = ["./x"]\n')
    with pytest.raises(CannotStart, match="cobc is not on the PATH; install it"):
        await built(resolve(str(folder)), bwrap, trust=False)


async def test_a_folder_that_cannot_be_kept_is_told(
    tmp_path: Path, bwrap: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(CannotStart, match=r"bot mine cannot be built: .*: not a directory"):
        await built(make_bot(tmp_path / "mybot"), bwrap, trust=False)


# A build that attacks


@pytest.mark.parametrize("level", [Level.PROCESS, Level.NONE])
async def test_row_78_without_a_sandbox_it_has_to_be_trusted(tmp_path: Path, level: Level) -> None:
    entry = make_bot(tmp_path / "mybot")
    with pytest.raises(CannotStart, match=f"isolation {level} does not hold .* --trust"):
        await built(entry, level, trust=False)
    made = await built(entry, level, trust=True)
    assert said(made) == "hello"
    assert await built(entry, level, trust=False) == made, "what was built is not built again"


async def test_row_78_it_sees_and_writes_nothing_else(tmp_path: Path, bwrap: Level) -> None:
    secret = tmp_path / "secret"
    secret.write_text("precious")
    secret.chmod(0o666)
    attack = f"echo bad >{secret}; echo bad >{tmp_path}/mybot/words; cat {secret}"
    with pytest.raises(CannotStart, match="No such file"):
        await built(make_bot(tmp_path / "mybot", attack), bwrap, trust=False)
    assert secret.read_text() == "precious"
    assert (tmp_path / "mybot/words").read_text() == "hello"


async def test_row_78_it_has_no_network(tmp_path: Path, bwrap: Level) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
        entry = make_bot(tmp_path / "mybot", f'python3 -c \\"{script}\\"'.replace('\\"', '"'))
        with pytest.raises(CannotStart, match=r"Network is unreachable|Connection refused"):
            await built(entry, bwrap, trust=False)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody came
            server.accept()


async def test_row_78_its_time_is_limited(
    tmp_path: Path, bwrap: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "SECONDS", 8)
    entry = make_bot(tmp_path / "mybot", "echo hm; sleep 600")
    with pytest.raises(CannotStart, match="it takes over 0 minutes:\nhm"):
        await built(entry, bwrap, trust=False)


async def test_its_memory_is_limited(
    tmp_path: Path, bwrap: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = build.LIMITS.__class__(memory_mb=100, processes=64, file_mb=8, folder_mb=8)
    monkeypatch.setattr(build, "LIMITS", limits)
    entry = make_bot(
        tmp_path / "mybot", "python3 -c 'import time; x = bytearray(150 << 20); time.sleep(600)'"
    )
    with pytest.raises(CannotStart, match=r"used \d+ MiB of memory, its limit is 100 MiB"):
        await built(entry, bwrap, trust=False)


async def test_the_disk_that_it_fills_is_its_own(
    tmp_path: Path, bwrap: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = build.LIMITS.__class__(memory_mb=100, processes=64, file_mb=64, folder_mb=8)
    monkeypatch.setattr(build, "LIMITS", limits)
    entry = make_bot(tmp_path / "mybot", "head -c 20000000 /dev/zero >big")
    with pytest.raises(CannotStart, match="No space left on device"):
        await built(entry, bwrap, trust=False)


async def test_what_it_leaves_running_ends(tmp_path: Path, level: Level) -> None:
    sleep = f"sleep 4321.{os.getpid()}"  # another process may try the same
    entry = make_bot(tmp_path / "mybot", f"setsid {sleep} & {SCRIPT}")
    await built(entry, level, trust=True)
    with os.popen("ps -eo args") as pipe:
        assert sleep not in pipe.read().splitlines()


async def test_links_of_its_own_lead_nowhere_new(tmp_path: Path, bwrap: Level) -> None:
    entry = make_bot(tmp_path / "mybot", "ln -s /etc/shadow key; ln -s /bin/true bot")
    made = await built(entry, bwrap, trust=False)
    folder = Path(made.program.folder or "")
    assert (folder / "key").is_symlink(), "as it is, for a bot that cannot read what it leads to"
    assert os.path.samefile(made.program.command[0], "/bin/true")


async def test_rights_are_left_behind(tmp_path: Path, bwrap: Level) -> None:
    entry = make_bot(
        tmp_path / "mybot", f"{SCRIPT}; chmod 6777 bot; chmod 400 words; mkdir -m 700 d"
    )
    made = await built(entry, bwrap, trust=False)
    folder = Path(made.program.folder or "")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert (modes["bot"], modes["d"]) == (0o755, 0o755)
    assert {path.stat().st_uid for path in folder.iterdir()} == {os.getuid()}


async def test_rustups_programs_are_passed_over(
    tmp_path: Path, bwrap: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They need the user's home: what they would choose is called instead."""
    chosen = tmp_path / "toolchain/bin/cargo"
    home = tmp_path / "cargo/bin"
    home.mkdir(parents=True)
    chosen.parent.mkdir(parents=True)
    chosen.write_text(f"#!/bin/sh\n{SCRIPT}\n")
    (home / "rustup").write_text(f"#!/bin/sh\ntest $1 = which && echo {chosen}\n")
    for program in (chosen, home / "rustup"):
        program.chmod(0o755)
    (home / "cargo").symlink_to("rustup")
    monkeypatch.setenv("PATH", f"{home}:{os.environ['PATH']}")
    make_bot(tmp_path / "mybot")
    toml = 'name = "mine"\nbuild = ["cargo", "build"]\ncommand = ["./bot"]\n'
    (tmp_path / "mybot/bot.toml").write_text(toml)
    assert said(await built(resolve(str(tmp_path / "mybot")), bwrap, trust=False)) == "hello"
