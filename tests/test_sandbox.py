"""Levels of isolation: what is chosen, how a program is started, what it finds, what it costs."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from arena.referee import bubblewrap, sandbox, scratch, tree, users
from arena.referee.bot import launch
from arena.referee.faults import CannotStart
from arena.referee.levels import describe, warnings
from arena.referee.limits import Limits
from arena.referee.program import Program
from arena.referee.sandbox import Level, choose, discard, prepare
from tests.conftest import NeedsTool
from tests.contest import BOTS, contest, hostile

LEVELS = list(Level)
SHELL = Program("shell", ("/bin/sh", "-c", "true"))


def test_auto_is_bubblewrap_where_it_works(
    needs_tool: NeedsTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_tool("bwrap")
    assert choose("auto") is Level.BWRAP
    monkeypatch.setattr(sandbox, "why_no_bwrap", lambda: "it is broken")
    assert choose("auto") is Level.PROCESS
    with pytest.raises(CannotStart, match="isolation bwrap does not work here: it is broken"):
        choose("bwrap")


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_can_be_asked_for(level: Level, needs_tool: NeedsTool) -> None:
    needs_tool("bwrap")
    assert choose(level.value) is level


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(CannotStart) as caught:
        choose("jail")
    assert str(caught.value) == "there is no isolation 'jail'; use auto, bwrap, process, none"


def test_the_trial_tells_why_bubblewrap_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    assert sandbox.why_no_bwrap.__wrapped__() == (
        "bubblewrap is not installed; apt-get install bubblewrap brings it"
    )
    monkeypatch.setattr(bubblewrap, "executable", lambda: "/bin/false")
    assert sandbox.why_no_bwrap.__wrapped__() == "it failed"
    monkeypatch.setattr(bubblewrap, "executable", lambda: "/no/such/bwrap")
    assert "No such file" in str(sandbox.why_no_bwrap.__wrapped__())


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_says_what_it_holds_and_what_it_does_not(level: Level) -> None:
    told = describe(level)
    assert told.holds
    assert told.misses
    assert not set(told.holds) & set(told.misses)
    assert (told.raised_by is None) == (level is Level.BWRAP)


def test_a_higher_level_holds_more() -> None:
    bwrap, process, none = (set(describe(level).holds) for level in LEVELS)
    assert none < process < bwrap


def test_a_level_that_holds_little_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    own = replace(SHELL, name="own", folder=str(closed))
    little = "isolation {} holds little: play trusted bots only"
    assert list(warnings(Level.BWRAP, [SHELL, own])) == []
    assert list(warnings(Level.NONE, [SHELL, own])) == [little.format("none")]
    first, *more = warnings(Level.PROCESS, [SHELL, own])
    assert first == little.format("process")
    assert [words.partition(":")[0] for words in more] == ["run as root, with all its rights"]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert list(warnings(Level.PROCESS, [SHELL, own])) == [first]


@pytest.mark.parametrize("level", LEVELS)
def test_a_working_folder_is_made_and_removed(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "working_folder", lambda: tempfile.mkdtemp(dir=tmp_path))
    start = prepare(replace(SHELL, folder=str(BOTS)), level, 1)
    assert Path(start.cwd).parent == tmp_path
    assert Path(start.cwd).stat().st_mode & 0o777 == 0o700
    if level is not Level.BWRAP:
        assert (Path(start.cwd) / "first.c").samefile(BOTS / "first.c")
    discard(start)
    assert not list(tmp_path.iterdir())
    assert (BOTS / "first.c").exists()  # links are removed, not what they lead to


def test_a_folder_that_cannot_be_shown_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "working_folder", lambda: tempfile.mkdtemp(dir=tmp_path))
    with pytest.raises(OSError, match="gone"):
        prepare(replace(SHELL, folder="/gone"), Level.PROCESS, 1)
    assert not list(tmp_path.iterdir())


def test_the_environment_is_bare_but_for_level_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "hush")
    program = replace(SHELL, env={"MINE": "1"})
    for level in LEVELS:
        start = prepare(program, level, 7)
        discard(start)
        assert start.env["MINE"] == "1"
        assert start.env[tree.MARKER] == f"{os.getpid()}-7" == start.marker
        assert ("SECRET" in start.env) == (level is Level.NONE)


def test_a_bot_cannot_choose_its_marker() -> None:
    start = prepare(replace(SHELL, env={tree.MARKER: "mine"}), Level.PROCESS, 7)
    discard(start)
    assert start.env[tree.MARKER] == f"{os.getpid()}-7"


# Interpreters


@pytest.mark.parametrize("level", LEVELS)
async def test_node_starts_under_the_default_limits(level: Level, needs_tool: NeedsTool) -> None:
    needs_tool("node", "bwrap")
    path = shutil.which("node")
    assert path is not None
    program = Program("bad", (path, str(BOTS / "first.js")), folder=str(BOTS))
    assert (await contest(program, level)).code is None


@pytest.mark.skipif(shutil.which("java") is None, reason="java is missing")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("memory_mb", [512, 256])
async def test_java_starts_under_the_limits(level: Level, memory_mb: int) -> None:
    java = shutil.which("java")
    assert java is not None
    program = Program(
        "java",
        (java, "-XshowSettings:vm", "-version"),
        limits=Limits(memory_mb=memory_mb),
    )
    async with trio.open_nursery() as nursery:
        with pytest.raises(BaseException, match="ended with exit code 0") as caught:
            await launch(program, level, "toy", "referee", 60, nursery)
    assert "OutOfMemory" not in str(caught.value)


@pytest.mark.parametrize("level", [Level.PROCESS, Level.BWRAP])
async def test_an_interpreter_in_a_home_is_shown(
    level: Level, tmp_path: Path, needs_tool: NeedsTool
) -> None:
    """As nvm, pyenv and rustup lay them out: a prefix with bin and lib, and a link to it."""
    needs_tool("bwrap")
    prefix = tmp_path / ".nvm" / "versions" / "v1"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "lib").mkdir()
    (prefix / "lib" / "greeting").write_text("hello")
    program = prefix / "bin" / "interpreter"
    program.write_text(
        "#!/bin/sh\n"
        'test -e "$(dirname "$0")/../lib/greeting" || exit 9\n'
        f'exec {sys.executable} "$@"\n'
    )
    program.chmod(0o755)
    link = tmp_path / "current"
    link.symlink_to(prefix)
    bot = hostile("play_well", python=str(link / "bin" / "interpreter"))
    assert (await contest(bot, level)).code is None


# Users


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives its bots users of their own")
def test_bots_of_root_have_users_of_their_own() -> None:
    first, second = users.of_bot(1), users.of_bot(2)
    assert first is not None
    assert second is not None
    assert first != second
    assert users.of_bot(1) == first
    assert 61_184 <= first < 65_280  # the range that systemd hands out for the same purpose


def test_what_is_closed_to_others_is_named(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    tmp_path.chmod(0o700)
    assert users.why_not(Program("b", (str(program),))) is not None
    assert users.why_not(Program("b", ("/bin/sh",))) is None
    assert users.why_not(Program("b", ("/bin/sh", str(program)))) is not None
    assert users.why_not(Program("b", ("/bin/sh",), folder=str(tmp_path))) is not None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives its bots users of their own")
@pytest.mark.parametrize("closed", ["folder", "program"])
def test_a_bot_that_its_own_user_could_not_read_is_refused(closed: str, tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700 if closed == "program" else 0o755)
    tmp_path.chmod(0o700 if closed == "folder" else 0o755)
    with pytest.raises(CannotStart) as caught:
        prepare(Program("mine", (str(program),), folder=str(tmp_path)), Level.BWRAP, 1)
    named = program if closed == "program" else tmp_path
    assert str(caught.value) == (
        f"bot mine cannot be executed: {named} is closed to other users, and root runs each bot "
        "as a user of its own; chmod -R o+rX mends it"
    )
