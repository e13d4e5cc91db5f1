#!/usr/bin/env python3
"""Attempts to escape: `escaping.py ATTEMPT [WORDS…]` plays well and tells in its notes how it went.

A note begins with `got` where the attempt worked, and with `held` where something held it.
"""

import contextlib
import ctypes
import os
import signal
import socket
import sys
from collections.abc import Callable

from speaking import asked, good, play_on, say  # type: ignore[import-not-found]  # run as a program: its folder is on the path


def signal_process(pid: str) -> str:
    """Whether it may send a signal to a process."""
    os.kill(referee(pid), 0)
    return "a signal through"


def signal_relatives() -> str:
    """Whether it may send a signal to its parent, or to any other bot."""
    reached = []
    for pid in [os.getppid(), *other_bots()]:
        with contextlib.suppress(OSError):
            os.kill(pid, 0)
            reached.append(pid)
    if reached in ([], [1]):  # in a sandbox 1 is its own first process, deaf to signals
        raise PermissionError("there is nobody")
    return f"signals through to {len(reached)}"


def other_bots() -> list[int]:
    """The processes of the program called `first` that can be seen."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
            if file.read().split(b"\0")[0].endswith(b"/first"):
                found.append(int(name))
    return found


def trace(pid: str) -> str:
    """ptrace, then the memory of a process through /proc."""
    libc = ctypes.CDLL(None, use_errno=True)
    target = referee(pid)
    attached = libc.ptrace(16, target, 0, 0) == 0  # PTRACE_ATTACH
    if attached:
        libc.ptrace(17, target, 0, 0)
        os.kill(target, signal.SIGCONT)
    with open(f"/proc/{target}/mem", "rb"):
        return "the memory"


def referee(pid: str) -> int:
    """The process that is meant: in a sandbox the number may be another's."""
    if pid != "referee":
        return int(pid)
    if os.getppid() <= 2:
        raise ProcessLookupError("the referee is not to be seen")
    return os.getppid()


def write_to_sibling() -> str:
    """Writes a line into another bot's stdin."""
    for sibling in other_bots():
        with contextlib.suppress(OSError), open(f"/proc/{sibling}/fd/0", "wb", 0) as file:
            file.write(b"")
            return "hold of its stdin"
    raise PermissionError("no other bot is within reach")


def read_file(path: str) -> str:
    with open(path) as file:
        return file.read()


def look_into(folder: str) -> str:
    return " ".join(sorted(os.listdir(folder)))


def write_file(path: str) -> str:
    with open(path, "a") as file:
        file.write("forged")
    return "it written"


def connect(port: str) -> str:
    with socket.create_connection(("127.0.0.1", int(port)), timeout=30) as link:
        return link.recv(10).decode()


def connect_abstract(name: str) -> str:
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(30)
        link.connect("\0" + name)
        return link.recv(10).decode()


def shared_memory(name: str) -> str:
    with open(f"/dev/shm/{name}") as file:
        return file.read()


def environment() -> str:
    return " ".join(sorted(os.environ))


def descriptors() -> str:
    return " ".join(sorted(os.listdir("/proc/self/fd"), key=int))


ATTEMPTS = {
    deed.__name__: deed
    for deed in (
        signal_process,
        signal_relatives,
        trace,
        write_to_sibling,
        look_into,
        read_file,
        write_file,
        connect,
        connect_abstract,
        shared_memory,
        environment,
        descriptors,
    )
}


def main(name: str, *words: str) -> None:
    act = asked()
    attempt: Callable[..., str] = ATTEMPTS[name]
    try:
        note = f"got {attempt(*words)}"
    except OSError as error:
        note = f"held: {type(error).__name__}: {error}"
    say(good(act) | {"note": note})
    play_on(note)


if __name__ == "__main__":
    main(*sys.argv[1:])
