"""The server's end of a referee's process."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import IO, Final

import msgspec
import trio

from arena.web.play.wire import FromReferee, Open, ToReferee

GRACE: Final = 0.5
"""Seconds that a referee has to end its bots."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(FromReferee)


class Referee:
    """A referee that plays one match; used as a context."""

    def __init__(self, opened: Open) -> None:
        """Start it. Call from the main thread: the process ends with the thread."""
        self._opened = opened
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.web.play.referee"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which tells its referees
        )
        self._stdin = _stream(self._process.stdin)
        self._stdout = _stream(self._process.stdout)
        self._sending = trio.Lock()

    async def __aenter__(self) -> "Referee":
        await self.send(self._opened)
        return self

    async def __aexit__(self, *_: object) -> None:
        with trio.CancelScope(shield=True):
            await self._stdin.aclose()
            with trio.move_on_after(GRACE), suppress(trio.ClosedResourceError):
                async for _message in self._stdout:
                    pass
            await self._stdout.aclose()
            self._process.kill()
            self._process.wait()

    async def send(self, message: ToReferee) -> None:
        """Tell it something; one that has ended hears nothing."""
        async with self._sending:
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._stdin.send_all(_encoder.encode(message) + b"\n")

    async def messages(self) -> AsyncIterator[FromReferee]:
        """What it says, until it ends."""
        rest = b""
        async for chunk in self._stdout:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield _decoder.decode(line)


def _stream(pipe: IO[bytes] | None) -> trio.lowlevel.FdStream:
    assert pipe is not None
    with pipe:
        return trio.lowlevel.FdStream(os.dup(pipe.fileno()))
