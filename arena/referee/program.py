"""A bot's program: what is executed, and whether it can be at all."""

import os
from pathlib import Path

from msgspec import Struct

from arena.referee.faults import CannotStart, printable
from arena.referee.limits import Limits


class Program(Struct, frozen=True):
    """What to execute for a bot."""

    name: str
    """The entrant's name, for messages."""
    command: tuple[str, ...]
    """The program, an absolute path, and its arguments."""
    folder: str | None = None
    """The bot's folder, an absolute path; its entries are seen in the working folder."""
    env: dict[str, str] = {}
    """Set on top of the bare environment."""
    network: bool = False
    """The bot calls a service."""
    limits: Limits = Limits()
    tools: tuple[str, ...] = ()
    """Other programs that it calls, absolute paths: a sandbox shows where they are installed."""


def check_executable(program: Program) -> None:
    """See before anything is played whether a program can be executed.

    Raises:
        CannotStart: with one sentence that names the bot and the mend.
    """
    if program.folder is not None and not os.path.isdir(program.folder):
        raise _refused(program, f"its folder {program.folder} does not exist")
    path = Path(program.command[0])
    if not path.exists():
        raise _refused(program, f"{path} does not exist")
    if path.is_dir():
        raise _refused(program, f"{path} is a folder, not a program")
    if not os.access(path, os.X_OK):
        raise _refused(program, f"{path} is not executable; chmod +x makes it so")
    with path.open("rb") as file:
        head = file.read(256)
    if head.startswith(b"#!"):
        _check_interpreter(program, path, head)
    elif not head.startswith(b"\x7fELF"):
        what = "is empty" if not head else "is a script without a first line"
        raise _refused(program, f"{path} {what}; start it with one such as #!/usr/bin/env python3")


def _check_interpreter(program: Program, path: Path, head: bytes) -> None:
    line = head[2:].split(b"\n", 1)[0]
    words = line.decode(errors="surrogateescape").split()
    if b"\r" in line:
        raise _refused(
            program, f"the first line of {path} ends in a carriage return; save it with Unix ends"
        )
    if not words or not os.access(words[0], os.X_OK) or os.path.isdir(words[0]):
        interpreter = words[0] if words else "nothing"
        raise _refused(program, f"the first line of {path} names {interpreter}, which is not there")


def _refused(program: Program, reason: str) -> CannotStart:
    return CannotStart(printable(f"bot {program.name} cannot be executed: {reason}"))
