"""How the hostile bots speak when they behave: the protocol in few words."""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

STDIN, STDOUT, STDERR = 0, 1, 2

Message = dict[str, Any]


class _Input:
    rest = b""


def line() -> bytes:
    """The next line from the referee; the end of input ends the program."""
    while b"\n" not in _Input.rest:
        chunk = os.read(STDIN, 65536)
        if not chunk:
            sys.exit(0)
        _Input.rest += chunk
    first, _Input.rest = _Input.rest.split(b"\n", 1)
    return first


def say(data: bytes | Message) -> None:
    """Write bytes as they are, or a message as a line."""
    data = data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n"
    while data:
        data = data[os.write(STDOUT, data) :]


def hear(kind: str, *, leave: bool = True) -> Message:
    """The next message of a kind; `quit` ends the program, if it is one to obey."""
    while True:
        message: Message = json.loads(line())
        if message["type"] == kind:
            return message
        if message["type"] == "quit" and leave:
            sys.exit(0)


def shake_hands(**extra: object) -> None:
    """Answer `hello`."""
    hear("hello")
    say({"type": "ready", "protocol": 1, "name": "hostile", "version": "1.0"} | extra)


def asked() -> Message:
    """Shake hands and wait for the first question."""
    shake_hands()
    return hear("act")


def good(act: Message) -> Message:
    """A proper answer: the first legal action."""
    return {"type": "action", "id": act["id"], "actions": act["legal"][:1]}


def play_on(note: str = "") -> NoReturn:
    """Answer every question well, forever."""
    while True:
        answer = good(hear("act"))
        say(answer | {"note": note} if note else answer)


def fall_silent() -> NoReturn:
    """Read on, answer nothing."""
    while True:
        hear("quit")


def say_once(data: bytes | Message) -> NoReturn:
    """Give this for an answer to the first question, and no more."""
    asked()
    say(data)
    fall_silent()


def hang() -> NoReturn:
    """Do nothing, forever."""
    while True:
        time.sleep(100)


def spin(seconds: float = 1e9) -> None:
    """Compute."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def left_s(act: Message) -> float:
    """Seconds for this turn."""
    return float(act["time"]["turn_ms"]) / 1000


def children(count: int, deed: Callable[[], object]) -> None:
    """Start processes that do something and end."""
    for _ in range(count):
        if os.fork() == 0:
            deed()
            os._exit(0)
