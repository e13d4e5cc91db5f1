"""A bot that is a task of the test: real pipes and a real wire, no process.

With Trio's autojump clock its waits take no time and its answers come at exact moments.
"""
# ruff: noqa: ARG002  # nothing has to be waited for

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import msgspec
import pytest
import trio

from arena.referee import meter, procfs
from arena.referee.bot import Bot
from arena.referee.faults import BotFault, HostFault
from arena.referee.limits import Limits
from arena.referee.log import BotLog
from arena.referee.meter import Meter
from arena.referee.process import Process
from arena.referee.procfs import Share
from arena.referee.warden import Warden
from arena.referee.wire import Wire
from protocol.messages import Ready


class Pipes:
    """The bot's end of its two pipes."""

    def __init__(self, stdin: int, stdout: int) -> None:
        os.set_blocking(stdin, False)
        os.set_blocking(stdout, False)
        self._stdin = stdin
        self.stdout = stdout
        self._rest = b""
        self.heard: list[bytes] = []
        """Every line so far."""

    async def line(self) -> bytes:
        """The next line, b"" at the end of input."""
        while b"\n" not in self._rest:
            await trio.lowlevel.wait_readable(self._stdin)
            chunk = os.read(self._stdin, 65536)
            if not chunk:
                return b""
            self._rest += chunk
        line, self._rest = self._rest.split(b"\n", 1)
        self.heard.append(line)
        return line

    async def question(self) -> dict[str, object]:
        """The next `act`, whatever comes before it; {} at the end of input."""
        while line := await self.line():
            message: dict[str, object] = msgspec.json.decode(line)
            if message["type"] == "act":
                return message
        return {}

    async def say(self, text: bytes) -> None:
        """Write, as much as it takes."""
        while text:
            await trio.lowlevel.wait_writable(self.stdout)
            text = text[os.write(self.stdout, text) :]

    async def answer(self, question: dict[str, object], *actions: str) -> None:
        """Answer an `act`."""
        message = {"type": "action", "id": question["id"], "actions": actions}
        await self.say(msgspec.json.encode(message) + b"\n")

    def close_stdin(self) -> None:
        if self._stdin >= 0:
            os.close(self._stdin)
        self._stdin = -1

    def close_stdout(self) -> None:
        if self.stdout >= 0:
            os.close(self.stdout)
        self.stdout = -1

    def messages(self, kind: str) -> list[dict[str, object]]:
        """The messages of a type heard so far."""
        return [m for line in self.heard if (m := msgspec.json.decode(line))["type"] == kind]


class ScriptedProcess(Process):
    """What the referee takes for a process."""

    def __init__(self) -> None:
        bot_in, referee_out = os.pipe()
        referee_in, bot_out = os.pipe()
        self.pipes = Pipes(bot_in, bot_out)
        self.log = BotLog()
        self.wire = Wire(referee_out, referee_in)
        self.meter = Meter(lambda: self.members())  # noqa: PLW0108  # tests replace `members`
        self.warden = Warden(self, Limits())
        self.over_memory = ""
        self.stops = 0
        self.runs = 0

    def members(self) -> list[int]:
        return []

    def stop(self) -> None:
        self.stops += 1

    def go_on(self) -> None:
        self.runs += 1

    async def wait(self, seconds: float) -> bool:
        return self.wire.ended

    async def end(self, grace: float) -> None:
        self.kill()

    def kill(self) -> None:
        self.wire.close()

    def ending(self) -> str:
        return "ended"


Script = Callable[[Pipes], Awaitable[None]]


@asynccontextmanager
async def scripted(*scripts: Script) -> AsyncIterator[list[Bot]]:
    """Bots that said `ready` and follow their scripts, each in a task of its own."""
    processes = [ScriptedProcess() for _ in scripts]

    async def follow(script: Script, pipes: Pipes) -> None:
        with suppress(BrokenPipeError):  # the referee had enough of it
            await script(pipes)

    fault: BotFault | HostFault | None = None
    async with trio.open_nursery() as nursery:
        for script, process in zip(scripts, processes, strict=True):
            nursery.start_soon(follow, script, process.pipes)
        try:
            yield [Bot(process, Ready(1, name="scripted")) for process in processes]
        except (BotFault, HostFault) as raised:
            fault = raised  # to leave as it is, not as a group
        nursery.cancel_scope.cancel()
    for process in processes:
        process.wire.close()
        process.pipes.close_stdin()
        process.pipes.close_stdout()
    if fault is not None:
        raise fault


def pipes_of(bot: Bot) -> Pipes:
    """The bot's end of a scripted bot's pipes."""
    assert isinstance(bot.process, ScriptedProcess)
    return bot.process.pipes


def hide_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real processor time has no place on a mock clock."""
    monkeypatch.setattr(procfs, "own_share", lambda: Share(0.0, 0.0))
    monkeypatch.setattr(meter, "perf_counter", lambda: 0.0)


async def silent(pipes: Pipes) -> None:
    """Never answers, but listens."""
    while await pipes.line():
        pass


def always(*actions: str) -> Script:
    """Answers every question alike, and at once."""
    return answering(*actions)


def answering(*actions: str, after: float = 0.0) -> Script:
    """Answers every question alike, so many seconds after it came."""

    async def script(pipes: Pipes) -> None:
        while question := await pipes.question():
            if after:
                await trio.sleep(after)
            await pipes.answer(question, *actions)
        while await pipes.line():
            pass

    return script
