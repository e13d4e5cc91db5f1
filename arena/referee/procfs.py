"""What Linux tells in /proc: which processes there are, who started whom, what each used.

A process can end at any moment: then a function here says that there was nothing to see.
"""

import os
import time
from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_EXITING: Final = 0x4  # PF_EXITING, see include/linux/sched.h
_PROCESS_CLOCK: Final = 2  # CPUCLOCK_SCHED of a whole process, see clock_getcpuclockid(3)


class Seen(Struct, frozen=True):
    """A line of the process table."""

    pid: int
    parent: int
    session: int
    zombie: bool


class Share(Struct, frozen=True):
    """What the scheduler gave a thread, in seconds since the thread began."""

    cpu: float
    """It ran for so long."""
    delay: float
    """It could have run for so much longer, but something else had the core."""


def look_at(pid: int) -> Seen | None:
    """A process, None when it is gone."""
    fields = read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    if not fields:
        return None
    return Seen(pid, int(fields[1]), int(fields[3]), fields[0] in (b"Z", b"X"))


def table() -> Iterator[Seen]:
    """All processes of this host, or of this container."""
    for name in os.listdir("/proc"):
        if name.isdigit() and (process := look_at(int(name))) is not None:
            yield process


def children(pid: int) -> list[int]:
    """The processes that this one started or adopted."""
    return [
        int(child)
        for thread in _threads(pid)
        for child in read(f"/proc/{pid}/task/{thread}/children").split()
    ]


def descendants(root: int) -> Iterator[int]:
    """A process and all below it, those above first, each while the next are still sought."""
    waiting = deque([root])
    while waiting:
        pid = waiting.popleft()
        yield pid
        waiting.extend(children(pid))


def shares(pid: int) -> dict[int, Share]:
    """What each living thread of a process got, by its id; empty where the kernel keeps no count.

    Source: Documentation/scheduler/sched-stats.rst, `/proc/<pid>/schedstat`.
    """
    found = {}
    for thread in _threads(pid):
        if fields := read(f"/proc/{pid}/task/{thread}/schedstat").split():
            found[int(thread)] = Share(int(fields[0]) / 1e9, int(fields[1]) / 1e9)
    return found


def is_runnable(thread: int) -> bool:
    """Whether a thread runs or waits for a core, and for nothing else."""
    return read(f"/proc/{thread}/stat").rpartition(b")")[2].split()[:1] == [b"R"]


def doing(pid: int) -> str:
    """What each thread of a process does, a letter each as in proc_pid_stat(5).

    R runs or waits for a core, D waits for a disk, Z has ended, others wait for something else.
    """
    stats = [read(f"/proc/{pid}/task/{thread}/stat") for thread in _threads(pid)]
    return "".join(chr(stat.rpartition(b")")[2][1]) for stat in stats if stat)


def is_leaving(pid: int) -> bool:
    """Whether a process has ended, or is past the point where it can do anything else."""
    fields = read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return not fields or fields[0] in (b"Z", b"X") or bool(int(fields[6]) & _EXITING)


def own_share() -> Share:
    """What the calling thread got; nothing where the kernel keeps no count."""
    fields = read("/proc/thread-self/schedstat").split()
    return Share(int(fields[0]) / 1e9, int(fields[1]) / 1e9) if fields else Share(0.0, 0.0)


def cpu_seconds(pid: int) -> float:
    """What a process used with all its threads, also those that ended; 0 when it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | _PROCESS_CLOCK)
    except OSError:
        return 0.0


def private_bytes(pid: int) -> int:
    """Memory that a process holds apart from files and shared memory."""
    fields = read(f"/proc/{pid}/statm").split()
    return (int(fields[1]) - int(fields[2])) * _PAGE if fields else 0


def proportional_bytes(pid: int) -> int:
    """Memory of a process, pages that it shares with a fork counted in parts. Slow."""
    for line in read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss_Anon:"):
            return int(line.split()[1]) * 1024
    return private_bytes(pid)


def environment(pid: int, name: str) -> str | None:
    """A variable that a process was started with, None where it has none or hides it."""
    prefix = f"{name}=".encode()
    for variable in read(f"/proc/{pid}/environ").split(b"\0"):
        if variable.startswith(prefix):
            return variable[len(prefix) :].decode(errors="replace")
    return None


def read(path: str) -> bytes:
    """A whole small file; empty when it is not there or not to be seen."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        chunks = []
        while chunk := os.read(descriptor, 65536):
            chunks.append(chunk)
        return b"".join(chunks)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
