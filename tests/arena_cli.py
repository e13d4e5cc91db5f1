"""The command line, in this process where it can be and as a program where it must be."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import structlog
from msgspec import Struct

from arena.cli import command
from arena.referee import procfs
from arena.store.db import Store
from arena.store.errors import StoreError

PROGRAM = Path(sys.executable).with_name("arena")
PATIENCE = 180.0
"""Seconds after which a program hangs, on the busiest of machines."""

LITTLE = """\
import json, os, sys, time

mode, at = sys.argv[1:] + ["well", "5"][len(sys.argv) - 1:]
if mode == "never":
    sys.exit("no licence")
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        print(json.dumps({"type": "ready", "protocol": 1, "version": "0.1"}), flush=True)
    elif kind == "start":
        seed, asked = message["seed"], 0
    elif kind == "act":
        asked += 1
        legal = message["legal"]
        answer = {"type": "action", "id": message["id"]}
        answer["actions"] = [legal[(seed + message["id"]) % len(legal)]]
        if mode == "pid":
            answer["note"] = str(os.getpid())
        elif mode == "slow":
            time.sleep(float(at))
        elif mode == "gate":
            match, _, file = at.partition(":")
            while int(message["match"][1:]) >= int(match) and not os.path.exists(file):
                time.sleep(0.01)
        elif asked == int(at):
            if mode == "exit":
                sys.exit("out of ideas")
            elif mode == "hang":
                time.sleep(3600)
            elif mode == "garbage":
                answer = "I resign"
            elif mode == "illegal":
                answer["actions"] = ["lion@Z9"]
        print(json.dumps(answer), flush=True)
    elif kind == "quit":
        break
"""
"""A bot that plays by its seed alone and starts fast, unless the word after it says otherwise.

`never`: it never starts. `pid`: it tells its process in its notes. `slow 0.1`: so many seconds a
turn. `gate 3:FILE`: from its third match on it waits for that file. `exit`, `hang`, `garbage`,
`illegal`: what it does when it is asked for the 5th time, or for the time that the next word says.
"""

QUICK = ["--option", "size=2", "--isolation", "none", "--workers", "1"]
"""Of a `run` of Herd that is over soon."""


UNHURRIED = ["--start-time", "5m", "--margin", "5m"]
"""For bots that never fail: none is out of time, on the busiest of machines."""


class Done(Struct):
    """How a command ended."""

    status: int
    out: str
    err: str

    def json(self) -> Any:
        """What it printed, as data."""
        return json.loads(self.out)


class Arena:
    """Commands in a folder."""

    def __init__(self, folder: Path, captured: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._captured = captured

    def __call__(self, *words: str) -> Done:
        """Run a command in this process."""
        structlog.reset_defaults()  # its log would go to an older test's stderr
        self._captured.readouterr()
        status = command(unhurried(words))
        said = self._captured.readouterr()
        return Done(status, said.out, said.err)

    def data(self, *words: str) -> Any:
        """What a command that must succeed prints as JSON."""
        done = self(*words, "--json")
        assert done.status == 0, done.err
        return done.json()

    def bot(self, name: str, text: str = LITTLE) -> str:
        """A bot of this name; gives the word for it."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "bot.py").write_text(text)
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "bot.py"]\n')
        return f"./{name}"

    def records(self, *words: str) -> list[dict[str, Any]]:
        """The exported records of a store, without what differs from time to time."""
        done = self("export", *words)
        assert done.status == 0, done.err
        return [_timeless(json.loads(line)) for line in done.out.splitlines()]


def _timeless(record: dict[str, Any]) -> dict[str, Any]:
    log = [{k: v for k, v in entry.items() if k != "ms"} for entry in record["log"]]
    return {**record, "log": log, "started": ""}


def program(*words: str, cwd: Path, **options: Any) -> Done:
    """Run a command as a program of its own."""
    return finished([PROGRAM, *unhurried(words)], cwd, **options)


def unhurried(words: Sequence[str]) -> list[str]:
    """A command whose bots have all the time, unless it says itself what they have."""
    plays = words[:1] in (("match",), ("run",), ("compare",))
    return [*words, *(UNHURRIED if plays and "--margin" not in words else ())]


def finished(argv: Sequence[str | Path], cwd: Path, **options: Any) -> Done:
    """Run any program to its end."""
    done = subprocess.run(
        argv,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        **options,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@contextmanager
def started(*words: str, cwd: Path) -> Iterator["subprocess.Popen[str]"]:
    """A command that goes on; killed at the end if it has not ended."""
    process = subprocess.Popen(
        [PROGRAM, *unhurried(words)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.communicate()


def until(what: Any, patience: float = PATIENCE) -> Any:
    """The first value of a function that is true; fails when it takes too long."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if value := what():
            return value
        time.sleep(0.02)
    raise AssertionError("it never happened")


def matches_in(path: Path) -> int:
    """How many matches a store holds; none where it is not there yet."""
    try:
        with Store.open(path, read_only=True) as store:
            return sum(run.matches for run in store.runs())
    except StoreError:
        return 0


def is_worker(pid: int) -> bool:
    """Whether a process is one of the arena's workers."""
    return b"arena.tournament.worker" in procfs.read(f"/proc/{pid}/cmdline")


def descendants(pid: int) -> list[int]:
    """All processes below one."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ProcessLookupError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(folder.name))
    found, todo = [], [pid]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


def alive(pids: list[int]) -> list[int]:
    """Those that still run."""
    return [pid for pid in pids if _state(pid) not in ("", "Z")]


def _state(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return ""
