"""The server's end of a referee's process."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import IO, Final

import msgspec
import trio

from arena.referee import tree
from arena.web.play.wire import FromReferee, Open, ToReferee

GRACE: Final = 0.5
"""Seconds that a referee has to end its bots."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(FromReferee)


@asynccontextmanager
async def start(opened: Open) -> "AsyncIterator[Referee]":
    """A referee that plays a match, ended with all its bots when the context ends."""
    referee = Referee()
    try:
        await referee.send(opened)
        yield referee
    finally:
        with trio.CancelScope(shield=True):
            await referee.end()


class Referee:
    """The process of a referee, and what is said to it and by it."""

    def __init__(self) -> None:
        """Start it. Call from the main thread: the process ends with the thread."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.web.play.referee"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which tells its referees
        )
        tree.keep(self._process.pid)
        self._stdin = _stream(self._process.stdin)
        self._stdout = _stream(self._process.stdout)
        self._sending = trio.Lock()
        self._rest = b""

    async def send(self, message: ToReferee) -> None:
        """Tell it something; one that has ended hears nothing."""
        async with self._sending:
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._stdin.send_all(_encoder.encode(message) + b"\n")

    async def receive(self) -> list[FromReferee] | None:
        """What it says next; None when it has ended."""
        chunk = await self._stdout.receive_some()
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [_decoder.decode(line) for line in lines] if chunk else None

    async def end(self) -> None:
        """Have it end its bots, then itself."""
        await self._stdin.aclose()
        with trio.move_on_after(GRACE):
            while await self._stdout.receive_some():
                pass
        await self._stdout.aclose()
        self._process.kill()
        self._process.wait()


def _stream(pipe: IO[bytes] | None) -> trio.lowlevel.FdStream:
    assert pipe is not None
    with pipe:
        return trio.lowlevel.FdStream(os.dup(pipe.fileno()))
