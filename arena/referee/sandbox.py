"""Levels of isolation: how a bot's program is wrapped before it is executed."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from pathlib import Path

from msgspec import Struct

from arena.referee import bubblewrap, tree
from arena.referee.faults import CannotStart
from arena.referee.program import Program


class Level(StrEnum):
    """What a bot is kept from."""

    BWRAP = "bwrap"
    """Everything but its own folder and a read-only system, with bubblewrap."""
    PROCESS = "process"
    """A session, a clean environment and limits of its own, ended whole. For bots you trust."""
    NONE = "none"
    """A session of its own, nothing else."""


class Launch(Struct, frozen=True):
    """Everything that executing a program takes."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    marker: str
    """What the bot's processes carry in their environment."""
    before_exec: Callable[[], None]
    """Runs in the child between fork and exec."""


def choose(words: str) -> Level:
    """The level that `--isolation` asks for; `auto` is the best that works here.

    Raises:
        CannotStart: there is no such level, or it does not work here.
    """
    if words == "auto":
        return Level.PROCESS if why_no_bwrap() else Level.BWRAP
    if words not in set(Level):
        raise CannotStart(f"there is no isolation '{words}'; use auto, {', '.join(Level)}")
    level = Level(words)
    if level is Level.BWRAP and (reason := why_no_bwrap()):
        raise CannotStart(f"isolation bwrap does not work here: {reason}")
    return level


@cache
def why_no_bwrap() -> str | None:
    """What keeps bubblewrap from working, found by a real trial; None: it works."""
    if bubblewrap.executable() is None:
        return "bubblewrap is not installed; apt-get install bubblewrap brings it"
    argv = bubblewrap.command(Program("trial", ("/usr/bin/true",)), 0)
    trial = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=10)
    return (trial.stderr.strip() or "it failed") if trial.returncode else None


def prepare(program: Program, level: Level, number: int) -> Launch:
    """Make the working folder and the environment of one process of a bot.

    Args:
        program: what to execute.
        level: how to isolate it.
        number: tells this process from the others of this referee.

    Raises:
        OSError: the host has no room for a folder.
    """
    marker = f"{os.getpid()}-{number}"
    cwd = tempfile.mkdtemp(prefix="arena-bot-")
    if level is Level.BWRAP:
        argv, home = bubblewrap.command(program, number), bubblewrap.WORKING_FOLDER
    else:
        argv, home = program.command, cwd
        _show_entries(program, cwd)
    env = dict(os.environ) if level is Level.NONE else _bare_environment(program, home)
    env |= program.env | {tree.MARKER: marker}
    return Launch(argv, env, cwd, marker, tree.die_with_parent)


def discard(launch: Launch) -> None:
    """Remove the working folder with all that the bot left in it."""
    shutil.rmtree(launch.cwd, ignore_errors=True)


def _show_entries(program: Program, cwd: str) -> None:
    """Links to the entries of the bot's folder, so that its relative paths work."""
    if program.folder is not None:
        for entry in Path(program.folder).iterdir():
            os.symlink(entry, os.path.join(cwd, entry.name))


def _bare_environment(program: Program, home: str) -> dict[str, str]:
    """Nothing of the operator's; the arena's own Python comes first on the path."""
    path = [os.path.dirname(sys.executable), os.path.dirname(program.command[0])]
    path += ["/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "PATH": ":".join(dict.fromkeys(path)),
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
    }
