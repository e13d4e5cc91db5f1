"""Process trees: find all that a bot started, stop it, and end it.

A bot's processes are its descendants, those of its session, and those that carry its marker in
their environment. The referee is a child subreaper, so that a
daemon whose parent ended becomes the referee's own child instead of escaping to init.
"""

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec import Struct

from arena.referee import procfs
from arena.referee.procfs import Seen

MARKER: Final = "ARENA_BOT"
"""The environment variable that every process of a bot inherits."""

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4
_PR_SET_CHILD_SUBREAPER: Final = 36
_PR_SET_NO_NEW_PRIVS: Final = 38
_SWEEPS: Final = 500
_PAUSE: Final = 0.0005
"""Seconds between two sweeps."""
_LONGER: Final = 2e-5
"""Seconds by which that grows from sweep to sweep."""

_libc = ctypes.CDLL(None, use_errno=True)
_own_children: set[int] = set()


class Tree(Struct, frozen=True):
    """The processes of one bot, by what tells them from others."""

    root: int
    """The process that was started, leader of a session. Not reaped as long as this is used."""
    marker: str
    """The value of MARKER in its environment."""


def adopt_orphans() -> None:
    """Make this process the parent of every descendant whose own parent ends."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def forbid_peeking() -> None:
    """Keep other processes of this user out of this one's memory and descriptors."""
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends. Cleared when the user changes."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def forbid_privileges() -> None:
    """No set-user-id program gives this process or its children more rights than it has."""
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def keep(child: int) -> None:
    """Tell that a child of this process with a session of its own is no orphan of a bot's."""
    _own_children.add(child)


def members(tree: Tree, others: Collection[Tree] = ()) -> list[int]:
    """The processes of a bot, those above first: all below its root, and its daemons.

    Args:
        tree: the bot's.
        others: the trees of the other living bots of this referee.
    """
    return list(_walk(tree, others))


def stop(tree: Tree, others: Collection[Tree] = ()) -> None:
    """Stop every process of a bot until `go_on`, also those that it is just starting."""
    stopped: set[int] = set()
    for _ in range(_SWEEPS):
        before = len(stopped)
        for pid in _walk(tree, others):
            if pid not in stopped:
                _signal(pid, signal.SIGSTOP)
                stopped.add(pid)
        if len(stopped) == before:
            return


def go_on(tree: Tree, others: Collection[Tree] = ()) -> None:
    """Let a stopped bot run again."""
    for pid in members(tree, others):
        _signal(pid, signal.SIGCONT)


def kill(tree: Tree, others: Collection[Tree] = ()) -> None:
    """End a bot's processes, whatever they do. The root stays a zombie, for its parent to reap.

    They are stopped first, so that processes that fork faster than they are killed cannot.
    """
    _signal(tree.root, signal.SIGKILL)  # the root of a sandbox takes all others along
    for sweep in range(_SWEEPS):
        stop(tree, others)
        victims = _alive(members(tree, others), tree) or _alive(_strays(tree), tree)
        if not victims:
            return
        for pid in victims:
            _signal(pid, signal.SIGKILL)
        time.sleep(_PAUSE + _LONGER * sweep)  # on a busy host it takes them a while to end


def _walk(tree: Tree, others: Collection[Tree]) -> Iterator[int]:
    yield from procfs.descendants(tree.root)
    for orphan in _orphans(tree, others):
        yield from procfs.descendants(orphan)


def _orphans(tree: Tree, others: Collection[Tree]) -> Iterator[int]:
    """Adopted children of this process that are this bot's, or nobody's that still lives.

    Those that have ended are reaped on the way.
    """
    known = {tree.root, *_own_children, *(other.root for other in others)}
    markers = {other.marker for other in others}
    for child in procfs.children(os.getpid()):
        if child in known or _shares_session(child) or _reap(child):
            continue
        if procfs.environment(child, MARKER) not in markers:
            yield child


def _shares_session(pid: int) -> bool:
    """Whether a process is of the referee's own session, which every bot has left."""
    try:
        return os.getsid(pid) == os.getsid(0)
    except ProcessLookupError:
        return True


def _reap(child: int) -> bool:
    """Whether a child had ended."""
    try:
        return os.waitpid(child, os.WNOHANG)[0] == child
    except ChildProcessError:
        return True


def _strays(tree: Tree) -> list[int]:
    """What is a bot's by other signs than where it hangs in the tree: looks at all processes."""
    return [process.pid for process in procfs.table() if _is_of(process, tree)]


def _is_of(process: Seen, tree: Tree) -> bool:
    orphan = process.parent == 1
    return process.session == tree.root or (
        orphan and procfs.environment(process.pid, MARKER) == tree.marker
    )


def _alive(pids: Iterable[int], tree: Tree) -> set[int]:
    """Those that run, or are for this process to reap."""
    seen = [process for pid in pids if (process := procfs.look_at(pid)) is not None]
    return {process.pid for process in seen if not _rests(process, tree)}


def _rests(process: Seen, tree: Tree) -> bool:
    """A zombie that somebody else reaps."""
    return process.zombie and (process.pid == tree.root or process.parent != os.getpid())


def _signal(pid: int, number: int) -> None:
    """Signal a process with its whole group: in one step, so that none forks away meanwhile."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        group = os.getpgid(pid)
        if group == os.getpgrp():
            os.kill(pid, number)
        else:
            os.killpg(group, number)
