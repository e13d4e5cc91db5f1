"""Lines to and from one bot over two pipes: one buffer, one deadline per exchange.

The hot path never enters Trio: write, let the bot have the core (`sched_yield`), read. Only when
the answer is not there yet does it wait in Trio, under the deadline.
"""

import os
import select
import struct
import termios
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from fcntl import ioctl
from typing import Final

import trio

from protocol.codec import LINE_LIMIT

CHUNK: Final = LINE_LIMIT + 2
"""Bytes taken at a time: a whole line with its end."""


class Broken(Enum):
    """Why an exchange gave no line."""

    TIMEOUT = auto()
    """The deadline passed."""
    CLOSED = auto()
    """The bot closed a pipe or ended."""
    OVERLONG = auto()
    """More than a line's limit came without an end of line."""
    SPEECH = auto()
    """The bot spoke before it was asked."""


class WireError(Exception):
    """An exchange gave no line."""

    def __init__(self, why: Broken, rest: bytes = b"") -> None:
        super().__init__(why.name.lower())
        self.why = why
        self.rest = rest
        """What had arrived instead."""


class Wire:
    """The referee's end of a bot's stdin and stdout; both descriptors become non-blocking."""

    def __init__(self, stdin: int, stdout: int) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._unsent = bytearray()
        self._received = b""
        self._waiting: trio.CancelScope | None = None
        self.deaf = False
        """The bot closed its stdin: nothing more can be said."""
        self.mute = False
        """The bot closed its stdout: nothing more will be heard."""
        self.ended = False
        """The process has ended; what is in the pipe is all there will be."""
        self._poll = select.poll()
        self._poll.register(stdout, select.POLLIN)
        os.set_blocking(stdin, False)
        os.set_blocking(stdout, False)

    def close(self) -> None:
        """Close both pipes; a second call does nothing."""
        self.hang_up()
        if self._stdout >= 0:
            os.close(self._stdout)
            self._stdout = -1
        self.mute = True

    def hang_up(self) -> None:
        """Close the bot's stdin: it hears that this was all. A second call does nothing."""
        if self._stdin >= 0:
            os.close(self._stdin)
            self._stdin = -1
        self.deaf = True

    @property
    def waiting(self) -> bool:
        """Whether an exchange waits for the bot."""
        return self._waiting is not None

    def process_ended(self) -> None:
        """Wake an exchange that waits for a process which is no more."""
        self.ended = True
        if self._waiting is not None:
            self._waiting.cancel()

    def post(self, line: bytes) -> None:
        """Say something that needs no answer, without waiting; what does not fit goes out later."""
        if not self.deaf:
            self._unsent += line
            self._push()

    def unheard(self) -> int:
        """How many bytes of what was said the bot has not read yet."""
        if self.deaf:
            return 0
        (waiting,) = struct.unpack("i", ioctl(self._stdin, termios.FIONREAD, bytes(4)))
        return len(self._unsent) + int(waiting)

    def overheard(self) -> bytes:
        """What the bot said since its last answer, b"" for silence.

        Raises:
            WireError: CLOSED.
        """
        if not self._received and (self.mute or self._poll.poll(0)):
            self._received = self._take() or b""
            if not self._received and self.mute:
                raise WireError(Broken.CLOSED)
        return self._received

    async def ask(self, line: bytes | bytearray, deadline: float) -> bytes:
        """Say something and wait for a line, returned without its end.

        Args:
            line: with its end.
            deadline: on Trio's clock, for writing and reading together.

        Raises:
            WireError: any.
        """
        if self.overheard():
            raise WireError(Broken.SPEECH, self._received)
        if self._unsent:
            self._unsent += line
        elif (sent := self._write(line)) < len(line):
            self._unsent += line[sent:]
        os.sched_yield()
        return await self.answer(deadline)

    async def answer(self, deadline: float) -> bytes:
        """Go on with an exchange whose deadline has passed: as `ask` does, with a later one."""
        if self._unsent or self.deaf:
            await self._send(deadline)
        while True:
            chunk = self._take()
            if chunk is None:
                await self._wait(trio.lowlevel.wait_readable, self._stdout, deadline)
                continue
            if not chunk:
                return self._last_line()
            end = chunk.find(b"\n")
            if end >= 0:
                line = self._received + chunk[:end] if self._received else chunk[:end]
                self._received = chunk[end + 1 :]
            else:
                line = self._received = self._received + chunk
            if len(line) > LINE_LIMIT + line.endswith(b"\r"):
                raise WireError(Broken.OVERLONG, line)
            if end >= 0:
                return line

    def _last_line(self) -> bytes:
        """What came before the end of the output counts as a line, if anything did."""
        line, self._received = self._received, b""
        if not line:
            raise WireError(Broken.CLOSED)
        return line

    def _take(self) -> bytes | None:
        """What is in the pipe: None when nothing is there yet, b"" when nothing will be."""
        if self.mute:
            return b""
        try:
            chunk = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            if not self.ended:
                return None
            chunk = b""
        except OSError:
            chunk = b""
        if not chunk:
            self.mute = True
        return chunk

    async def _send(self, deadline: float) -> None:
        while True:
            self._push()
            if self.deaf or self.ended:
                raise WireError(Broken.CLOSED)
            if not self._unsent:
                return
            await self._wait(trio.lowlevel.wait_writable, self._stdin, deadline)

    def _push(self) -> None:
        sent = self._write(self._unsent)
        if sent:
            del self._unsent[:sent]

    def _write(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError:
            self.deaf = True
            return 0

    async def _wait(
        self, until: Callable[[int], Awaitable[None]], descriptor: int, deadline: float
    ) -> None:
        """Wait in Trio for a pipe, for the end of the process or for the deadline.

        A pipe that is ready at the deadline is seen as ready: Trio looks at the pipes first.
        """
        with trio.CancelScope(deadline=deadline) as self._waiting:
            await until(descriptor)
        scope, self._waiting = self._waiting, None
        if scope.cancelled_caught and not self.ended:
            raise WireError(Broken.TIMEOUT, self._received)
