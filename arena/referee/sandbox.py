"""Levels of isolation: how a bot's program is wrapped before it is executed."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from arena.referee import tree
from arena.referee.program import Program


class Level(StrEnum):
    """What a bot is kept from."""

    PROCESS = "process"
    """A session and a clean environment of its own, ended whole. For bots you trust."""
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


def prepare(program: Program, level: Level, marker: str) -> Launch:
    """Make the working folder and the environment of one process of a bot.

    Raises:
        OSError: the host has no room for a folder.
    """
    cwd = _working_folder(program)
    env = _environment(program, cwd) if level != Level.NONE else {**os.environ, **program.env}
    env[tree.MARKER] = marker
    return Launch(program.command, env, cwd, marker, tree.die_with_parent)


def discard(launch: Launch) -> None:
    """Remove the working folder with all that the bot left in it."""
    shutil.rmtree(launch.cwd, ignore_errors=True)


def _working_folder(program: Program) -> str:
    """A folder of the process's own in which the entries of the bot's folder are seen."""
    cwd = tempfile.mkdtemp(prefix="arena-bot-")
    if program.folder is not None:
        for entry in Path(program.folder).iterdir():
            os.symlink(entry, os.path.join(cwd, entry.name))
    return cwd


def _environment(program: Program, home: str) -> dict[str, str]:
    """The bare environment: nothing of the operator's, the arena's own Python first."""
    path = [os.path.dirname(sys.executable), os.path.dirname(program.command[0])]
    path += ["/usr/local/bin", "/usr/bin", "/bin"]
    bare = {
        "PATH": ":".join(dict.fromkeys(path)),
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
    }
    return bare | program.env
