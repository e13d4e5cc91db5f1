"""What is said at a table, line by line, for whoever debugs a bot.

A tapped bot has a wire and a log that tell what passes; others do not know that taps exist.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from time import perf_counter
from typing import Final, TypeAlias

import trio
from msgspec import Struct

from arena.referee.bot import Bot, greet
from arena.referee.log import BotLog
from arena.referee.process import spawn
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.referee.wire import Broken, Wire, WireError


class Way(Enum):
    """Who says it to whom."""

    TO_BOT = ">"
    FROM_BOT = "<"
    STDERR = "!"
    NOTE = "#"
    """The referee, into the bot's log."""


class Line(Struct, frozen=True):
    """A line that passed, without its end."""

    seat: int
    name: str
    way: Way
    text: bytes
    at: float
    """Seconds since the tap was opened."""
    took: float | None = None
    """Of an answer: seconds since its question."""


Hear: TypeAlias = Callable[[Line], None]
Tell: TypeAlias = Callable[[Way, bytes, float | None], None]


class Tap:
    """Starts the bots of one match so that every line of theirs is heard."""

    def __init__(self, hear: Hear, seats: Iterable[int]) -> None:
        """Open it.

        Args:
            hear: gets each line as it passes.
            seats: of the bots, in the order in which they are started.
        """
        self._hear = hear
        self._seats: Iterator[int] = iter(seats)
        self._opened: Final = perf_counter()

    async def launch(
        self,
        program: Program,
        level: Level,
        game: str,
        referee: str,
        start_s: float,
        nursery: trio.Nursery,
    ) -> Bot:
        """As `arena.referee.bot.launch`."""
        seat = next(self._seats)

        def tell(way: Way, text: bytes, took: float | None = None) -> None:
            at = perf_counter() - self._opened
            self._hear(Line(seat, program.name, way, text.rstrip(b"\n"), at, took))

        def catch_up() -> None:
            process.catch_up()
            log.cut()

        log = TappedLog(tell)
        process = spawn(program, level, lambda i, o: TappedWire(i, o, tell, catch_up))
        process.log = log
        nursery.start_soon(process.tend)
        return await greet(process, game, referee, start_s)


class TappedWire(Wire):
    """A wire that tells what passes."""

    def __init__(self, stdin: int, stdout: int, tell: Tell, catch_up: Callable[[], None]) -> None:
        """Connect to a bot.

        Args:
            stdin: the bot's.
            stdout: the bot's.
            tell: hears every line.
            catch_up: has what was written to stderr until now be told before an answer.
        """
        super().__init__(stdin, stdout)
        self._tell = tell
        self._catch_up = catch_up
        self._asked = 0.0

    def post(self, line: bytes) -> None:
        """Say something that needs no answer."""
        self._tell(Way.TO_BOT, line, None)
        super().post(line)

    async def ask(self, line: bytes | bytearray, deadline: float) -> bytes:
        """Say something and wait for a line."""
        self._tell(Way.TO_BOT, bytes(line), None)
        self._asked = perf_counter()
        try:
            return await super().ask(line, deadline)
        except WireError as error:
            if error.why is Broken.SPEECH:
                self._tell(Way.FROM_BOT, error.rest, None)
            raise

    async def answer(self, deadline: float) -> bytes:
        """Go on with an exchange."""
        try:
            line = await super().answer(deadline)
        except WireError as error:
            if error.rest and error.why is not Broken.TIMEOUT:  # then it may go on
                self._tell(Way.FROM_BOT, error.rest, None)
            raise
        took = perf_counter() - self._asked
        self._catch_up()
        self._tell(Way.FROM_BOT, line, took)
        return line


class TappedLog(BotLog):
    """A log that tells each line of stderr."""

    def __init__(self, tell: Tell) -> None:
        super().__init__()
        self._tell = tell
        self._begun = b""

    def write(self, data: bytes | bytearray) -> None:
        """Append what the bot wrote."""
        super().write(data)
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            self._tell(Way.STDERR, line, None)

    def note(self, text: str) -> None:
        """Append a line of the referee's."""
        self.cut()
        super().write(f"[referee] {text}\n".encode())
        self._tell(Way.NOTE, text.encode(), None)

    def cut(self) -> None:
        """Tell what was written of a line that has not ended."""
        if self._begun:
            self._tell(Way.STDERR, self._begun, None)
            self._begun = b""
