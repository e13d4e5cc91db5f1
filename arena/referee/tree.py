"""Process trees on Linux: find all that a bot started, and end it.

A bot's processes are its descendants, those of its session, and those that carry its marker in
their environment. The referee is a child subreaper, so that a daemon whose parent ended becomes
the referee's own child instead of escaping to init.
"""

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct

MARKER: Final = "ARENA_BOT"
"""The environment variable that every process of a bot inherits."""

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4
_PR_SET_CHILD_SUBREAPER: Final = 36
_SWEEPS: Final = 200

_libc = ctypes.CDLL(None, use_errno=True)


class _Seen(Struct, frozen=True):
    """A line of the process table."""

    pid: int
    parent: int
    session: int
    zombie: bool


def adopt_orphans() -> None:
    """Make this process the parent of every descendant whose own parent ends."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def forbid_peeking() -> None:
    """Keep other processes of this user out of this one's memory and descriptors."""
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends. Runs between fork and exec."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def kill_tree(root: int, marker: str, spare: Collection[int] = ()) -> None:
    """End a bot's processes, whatever they do: returns when none is left.

    Args:
        root: the process that was started as the leader of a session.
        marker: the value of MARKER in its environment.
        spare: roots of other bots of this referee, left alone with all that is theirs.
    """
    for _ in range(_SWEEPS):
        victims = list(_family(root, marker, spare))
        if not victims:
            return
        for process in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        _reap_orphans(victims, root)
        time.sleep(0.001)


def _family(root: int, marker: str, spare: Collection[int]) -> Iterator[_Seen]:
    table = {process.pid: process for process in _process_table()}
    for process in table.values():
        if process.zombie and process.parent != os.getpid():
            continue  # its own parent will reap it
        if process.pid == root and process.zombie:
            continue  # reaped by who started it
        if _belongs(process, table, root, marker, spare):
            yield process


def _belongs(
    process: _Seen, table: dict[int, _Seen], root: int, marker: str, spare: Collection[int]
) -> bool:
    top = process
    while top.pid != root and top.parent in table and top.parent != os.getpid():
        top = table[top.parent]
    if root in (top.pid, process.session):
        return True
    if top.parent != os.getpid() or top.pid in spare or process.session in spare:
        return False
    if process.session == os.getsid(0):
        return False  # a child of the referee's own: every bot has left its session
    return _marker(process.pid) in (marker, None)


def _marker(pid: int) -> str | None:
    """The marker that a process carries, None where it has none."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            environment = file.read().split(b"\0")
    except OSError:
        return None
    prefix = f"{MARKER}=".encode()
    return next((v[len(prefix) :].decode() for v in environment if v.startswith(prefix)), None)


def _process_table() -> Iterator[_Seen]:
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue  # ended meanwhile
            yield _Seen(int(name), int(fields[1]), int(fields[3]), fields[0] in (b"Z", b"X"))


def _reap_orphans(processes: list[_Seen], root: int) -> None:
    for process in processes:
        if process.parent == os.getpid() and process.pid != root:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process.pid, os.WNOHANG)
