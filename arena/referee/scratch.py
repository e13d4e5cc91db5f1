"""Where a referee's bots have their working folders: in one folder per referee.

The referee holds a lock on it. One that is killed cannot remove its folder: the next referee on
this machine finds it without a lock, and does.
"""

import atexit
import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

PREFIX: Final = "arena-referee-"
_SETTLED: Final = 60.0
"""Seconds in which a folder without a lock may be one that is just being made."""


def working_folder() -> str:
    """A new empty folder for a process of a bot.

    Raises:
        OSError: the host has no room for it.
    """
    return tempfile.mkdtemp(prefix="bot-", dir=_folder_of(os.getpid()))


@cache
def _folder_of(referee: int) -> str:
    """The folder of this very process, removed when it exits. A fork of it gets another."""
    parent = Path(tempfile.gettempdir())
    sweep(parent)
    folder = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
    os.chmod(folder, 0o711)  # its bots may run as other users
    _lock(folder)
    atexit.register(_remove, folder, referee)
    return folder


def sweep(parent: Path) -> None:
    """Remove what referees left that were killed."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):  # another user's, or another sweep was faster
            if folder.stat().st_mtime < time.time() - _SETTLED:
                os.close(_lock(folder))
                shutil.rmtree(folder, ignore_errors=True)


def _lock(folder: str | Path) -> int:
    """Hold a folder for as long as the descriptor is open.

    Raises:
        OSError: somebody else holds it.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _remove(folder: str, referee: int) -> None:
    if os.getpid() == referee:
        shutil.rmtree(folder, ignore_errors=True)
