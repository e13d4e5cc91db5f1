"""Users of their own for the bots of a referee that runs as root."""

import os
import stat
import sys
from pathlib import Path
from typing import Final

from arena.referee.program import Program

_FIRST: Final = 61_184
"""Where the ids begin. systemd hands out the same range for the same purpose."""
_REFEREES: Final = 64
_BOTS: Final = 64
"""Ids of one referee: more than it keeps bots."""


def of_bot(number: int) -> int | None:
    """The id for a bot's process, None where the referee is an ordinary user.

    Args:
        number: tells the process from the others of this referee.
    """
    if os.geteuid() != 0:
        return None
    return _FIRST + os.getpid() % _REFEREES * _BOTS + number % _BOTS


def become(user: int) -> None:
    """Change to a user for good. Runs between fork and exec."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def why_not(program: Program) -> str | None:
    """What of a program another user could not read, None where it could be run."""
    needed = [program.command[0]]
    needed += [word for word in program.command[1:] if os.path.isabs(word) and os.path.exists(word)]
    if program.folder is not None:
        needed.append(program.folder)
    if program.command[0] == sys.executable:
        needed.append(os.__file__)
    for path in needed:
        for place in (path, os.path.realpath(path)):
            if closed := _closed(Path(place)):
                return f"{closed} is closed to other users"
    return None


def why_not_shown(program: Program) -> str | None:
    """The same where a sandbox shows a program without the folders that it lies in."""
    for place in (program.folder, os.path.realpath(program.command[0])):
        if place is not None and os.path.exists(place) and not _is_open(Path(place)):
            return f"{place} is closed to other users"
    return None


def room_for(processes: int, user: int | None) -> int:
    """The limit of processes that leaves room for so many more of the user who is to run them."""
    return processes + (_processes_of(os.geteuid()) if user is None else 0)


def _closed(path: Path) -> Path | None:
    """The part of a path that others cannot read."""
    for folder in reversed(path.parents):
        if folder.exists() and not folder.stat().st_mode & stat.S_IXOTH:
            return folder
    return None if not path.exists() or _is_open(path) else path


def _is_open(path: Path) -> bool:
    wanted = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0)
    return path.stat().st_mode & wanted == wanted


def _processes_of(user: int) -> int:
    """Threads of a user right now."""
    count = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if folder.stat().st_uid == user:
                    count += len(os.listdir(folder / "task"))
            except OSError:
                continue  # ended meanwhile
    return count
