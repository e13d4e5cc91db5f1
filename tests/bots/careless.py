#!/usr/bin/env python3
"""Bots that break one rule of the protocol each: `careless.py MODE` plays well but for MODE.

A mode is a class below; its docstring says what is wrong with it.
"""

import json
import os
import random
import sys
import time
from typing import Any


class Good:
    """Nothing is wrong."""

    protocol = 1
    legal = True
    end = "\n"

    def __init__(self) -> None:
        self.start: dict[str, Any] = {}

    def run(self) -> None:
        for line in sys.stdin:
            self.hear(line)
        self.at_end_of_input()

    def hear(self, line: str) -> None:
        message = json.loads(line)
        self.see(message)
        getattr(self, f"on_{message['type']}", self.on_unknown)(message)

    def say(self, **message: Any) -> None:
        print(json.dumps(message), end=self.end, flush=True)

    def see(self, message: dict[str, Any]) -> None: ...

    def at_end_of_input(self) -> None: ...

    def on_hello(self, _message: dict[str, Any]) -> None:
        self.say(type="ready", protocol=self.protocol, legal=self.legal)

    def on_start(self, message: dict[str, Any]) -> None:
        self.start = message

    def on_act(self, message: dict[str, Any]) -> None:
        self.say(type="action", id=message["id"], actions=[self.choose(message)])

    def choose(self, act: dict[str, Any]) -> str:
        action: str = act["legal"][0]
        return action

    def on_end(self, _message: dict[str, Any]) -> None: ...

    def on_error(self, _message: dict[str, Any]) -> None: ...

    def on_unknown(self, _message: dict[str, Any]) -> None: ...

    def on_quit(self, _message: dict[str, Any]) -> None:
        sys.exit()


# The handshake


class Banner(Good):
    """Greets."""

    def run(self) -> None:
        print("SuperBot 3000", flush=True)
        super().run()


class Buffered(Good):
    """Does not flush."""

    def say(self, **message: Any) -> None:
        print(json.dumps(message))


class Mute(Good):
    """Never says ready."""

    def on_hello(self, _message: dict[str, Any]) -> None: ...


class Endless(Good):
    """Ends no line."""

    end = ""


class Newer(Good):
    """Speaks another version."""

    protocol = 2


class Gone(Good):
    """Ends at once."""

    def run(self) -> None:
        sys.exit("no weights found")


class Elsewhere(Good):
    """Plays another game."""

    def on_hello(self, _message: dict[str, Any]) -> None:
        self.say(type="ready", protocol=1, games=["chess"])


# Lines


class Chunky(Good):
    """Takes every read for a line."""

    def run(self) -> None:
        while chunk := os.read(0, 1 << 20):
            for line in chunk.decode().splitlines():
                self.hear(line)


class Forgetful(Good):
    """Takes one line from a read and drops the others."""

    def run(self) -> None:
        rest = ""
        while chunk := os.read(0, 1 << 20):
            rest += chunk.decode()
            if "\n" in rest:
                line, rest = rest.split("\n")[0], ""
                self.hear(line)


class Short(Good):
    """Has a buffer of 8 KiB."""

    def run(self) -> None:
        while line := sys.stdin.readline(8192):
            self.hear(line)


class Windows(Good):
    """Ends its lines as Windows does, which is fine."""

    end = "\r\n"


# Fields and messages


class Strict(Good):
    """Knows every field, or ends."""

    def see(self, message: dict[str, Any]) -> None:
        if message["type"] == "act":
            assert list(message) == [
                "type",
                "match",
                "id",
                "seat",
                "state",
                "events",
                "legal",
                "time",
            ]


class Seeker(Good):
    """Looks for a word, not for a field."""

    def hear(self, line: str) -> None:
        if '"type":"act"' in line:
            number = int(line.split('"id":')[1].split(",", maxsplit=1)[0])
            self.say(type="action", id=number, actions=[json.loads(line)["legal"][0]])
        else:
            super().hear(line)


class Closed(Good):
    """Ends when it does not know a message."""

    def on_unknown(self, _message: dict[str, Any]) -> None:
        sys.exit(1)


class Counting(Good):
    """Counts the questions itself."""

    def on_start(self, message: dict[str, Any]) -> None:
        super().on_start(message)
        self.count = 0

    def on_act(self, message: dict[str, Any]) -> None:
        self.count += 1
        super().on_act(message | {"id": self.count})


class Hurried(Good):
    """Divides its time."""

    def choose(self, act: dict[str, Any]) -> str:
        assert act["time"]["turn_ms"] / 2 > 0
        return super().choose(act)


class Helpless(Good):
    """Wants no legal actions and cannot find them."""

    legal = False


# When it speaks


class Chatty(Good):
    """Says goodbye."""

    def on_end(self, _message: dict[str, Any]) -> None:
        self.say(type="bye")


class Twice(Good):
    """Answers twice."""

    def on_act(self, message: dict[str, Any]) -> None:
        super().on_act(message)
        super().on_act(message)


class Sorry(Good):
    """Answers an error."""

    def on_error(self, _message: dict[str, Any]) -> None:
        self.say(type="sorry")


class Lasting(Good):
    """Stays after quit."""

    def on_quit(self, _message: dict[str, Any]) -> None: ...


class Waiting(Good):
    """Stays after the end of its input."""

    def at_end_of_input(self) -> None:
        time.sleep(60)


# Matches


class Single(Good):
    """Plays one match."""

    def on_end(self, _message: dict[str, Any]) -> None:
        sys.exit()


class Impatient(Good):
    """Answers one question a turn."""

    def on_start(self, message: dict[str, Any]) -> None:
        super().on_start(message)
        self.turn = 0

    def on_act(self, message: dict[str, Any]) -> None:
        turn, self.turn = self.turn, message["state"]["turn"]
        if self.turn != turn:
            super().on_act(message)


class Alone(Good):
    """Knows no teams."""

    def see(self, message: dict[str, Any]) -> None:
        assert not message.get("options", {}).get("teams")


class Shouting(Good):
    """Writes its actions in capitals."""

    def choose(self, act: dict[str, Any]) -> str:
        return super().choose(act).upper()


# Advice


class Restless(Good):
    """Rolls dice of its own, and computes while others are to move."""

    def choose(self, act: dict[str, Any]) -> str:
        action: str = random.choice(act["legal"])
        return action

    def run(self) -> None:
        os.set_blocking(0, False)
        rest = b""
        while True:
            try:
                chunk = os.read(0, 1 << 20)
            except BlockingIOError:
                continue
            if not chunk:
                return
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self.hear(line.decode())


MODES = {mode.__name__.lower(): mode for mode in list(globals().values()) if isinstance(mode, type)}

if __name__ == "__main__":
    MODES[sys.argv[1]]().run()
