"""Levels of isolation: how a bot's program is wrapped before it is executed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from arena.referee import bubblewrap, limits, scratch, tree, users
from arena.referee.faults import CannotStart
from arena.referee.program import Program

CHANNELS: Final = (8, 9)
"""Where a wrapped program finds its stdin and stdout: a shell redirects single digits only."""


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
    descriptors: tuple[int, ...] = ()
    """What the child inherits beside stdin, stdout and stderr."""
    wrappers: int = 0
    """How many processes of the wrapping stand above the bot's own."""


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
    try:
        trial = _run(prepare(Program("trial", ("/bin/sh", "-c", "true")), Level.BWRAP, 0))
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (trial.stderr.strip() or "it failed") if trial.returncode else None


def prepare(program: Program, level: Level, number: int) -> Launch:
    """Make the working folder and the environment of one process of a bot.

    Args:
        program: what to execute.
        level: how to isolate it.
        number: tells this process from the others of this referee.

    Raises:
        CannotStart: it cannot be executed at this level.
        OSError: the host has no room for a folder.
    """
    marker = f"{os.getpid()}-{number}"
    cwd = scratch.working_folder()
    try:
        return _PREPARE[level](program, cwd, marker, number)
    except BaseException:
        shutil.rmtree(cwd, ignore_errors=True)
        raise


def discard(launch: Launch) -> None:
    """Remove the working folder with all that the bot left in it."""
    shutil.rmtree(launch.cwd, ignore_errors=True)


def _run(launch: Launch) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            launch.argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
            cwd=launch.cwd,
            env=launch.env,
            pass_fds=launch.descriptors,
            preexec_fn=launch.before_exec,  # one thread, and few system calls
        )
    finally:
        discard(launch)


# The levels


def _in_bubblewrap(program: Program, cwd: str, marker: str, number: int) -> Launch:
    user = users.of_bot(number)
    if user is not None and (closed := users.why_not_shown(program)):
        raise CannotStart(
            f"bot {program.name} cannot be executed: {closed}, and root runs each bot as a user of "
            "its own; chmod -R o+rX mends it"
        )
    _reserve(CHANNELS)
    return Launch(
        argv=bubblewrap.command(program, user),
        env=_bare_environment(program, bubblewrap.WORKING_FOLDER, marker),
        cwd=cwd,
        marker=marker,
        before_exec=partial(_become_wrapper, program.limits),
        descriptors=CHANNELS,
        wrappers=bubblewrap.WRAPPERS,
    )


def _as_process(program: Program, cwd: str, marker: str, number: int) -> Launch:
    user = users.of_bot(number)
    if user is not None and users.why_not(program):
        user = None
    _show_entries(program, cwd)
    if user is not None:
        os.chown(cwd, user, user)
    return Launch(
        argv=program.command,
        env=_bare_environment(program, cwd, marker),
        cwd=cwd,
        marker=marker,
        before_exec=partial(
            _become_bot, program.limits, user, users.room_for(program.limits.processes, user)
        ),
    )


def _as_it_is(program: Program, cwd: str, marker: str, _: int) -> Launch:
    _show_entries(program, cwd)
    env = dict(os.environ) | program.env | {tree.MARKER: marker}
    return Launch(program.command, env, cwd, marker, tree.die_with_parent)


_PREPARE: Final = {
    Level.BWRAP: _in_bubblewrap,
    Level.PROCESS: _as_process,
    Level.NONE: _as_it_is,
}


# Between fork and exec


def _become_wrapper(allowed: limits.Limits) -> None:
    """Keep the pipes out of the wrapper's own hands, or their ends would outlive the bot's."""
    for standard, channel in enumerate(CHANNELS):
        os.dup2(standard, channel)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    limits.apply(allowed, processes=None)
    tree.die_with_parent()


def _become_bot(allowed: limits.Limits, user: int | None, processes: int) -> None:
    limits.apply(allowed, processes)
    if user is not None:
        users.become(user)
    tree.forbid_privileges()
    tree.die_with_parent()


def _reserve(descriptors: tuple[int, ...]) -> None:
    """Have these descriptors open, with whatever, so that no pipe gets their number."""
    for descriptor in descriptors:
        try:
            os.fstat(descriptor)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != descriptor:
                os.dup2(null, descriptor, inheritable=False)
                os.close(null)


# What a bot finds


def _show_entries(program: Program, cwd: str) -> None:
    """Links to the entries of the bot's folder, so that its relative paths work."""
    if program.folder is not None:
        for entry in Path(program.folder).iterdir():
            os.symlink(entry, os.path.join(cwd, entry.name))


def _bare_environment(program: Program, home: str, marker: str) -> dict[str, str]:
    """Nothing of the operator's; the arena's own Python comes first on the path."""
    path = [os.path.dirname(sys.executable), os.path.dirname(program.command[0])]
    path += ["/usr/local/bin", "/usr/bin", "/bin"]
    java = f"-XX:MaxRAM={program.limits.memory_mb}m -XX:MaxRAMPercentage=50"
    bare = {
        "PATH": ":".join(dict.fromkeys(path)),
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "JAVA_TOOL_OPTIONS": java,  # else a JVM takes its share of the machine, not of the limit
    }
    return bare | program.env | {tree.MARKER: marker}
