"""A person at a table: asked and told what a bot would be."""

from collections.abc import Callable
from math import inf

import msgspec
import trio
from msgspec import Struct

from arena.referee.faults import BotFault, Code
from arena.web.play.wire import Asked
from protocol.codec import decode_action, encode
from protocol.messages import VERSION, Act, Action, ActTime, Message, Ready, Start


class Question(Struct, frozen=True):
    """An `act` as it was put."""

    start: Start
    act: Act


class _Act(Struct):
    """What of an `act` a page needs."""

    id: int
    state: msgspec.Raw
    legal: tuple[str, ...]
    time: ActTime


class Person:
    """Holds a seat in a match, and answers when the server brings an answer."""

    def __init__(self, seat: int, tell: Callable[[Asked], None], *, timed: bool) -> None:
        """Sit down.

        Args:
            seat: where.
            tell: passes on what the person is asked.
            timed: the clock holds; else there is all the time in the world.
        """
        self.ready = Ready(VERSION)
        self.matches = 0
        self.usable = True
        self.question: Question | None = None
        """What is asked just now."""
        self._seat = seat
        self._tell = tell
        self._timed = timed
        self._answer: tuple[str, ...] | None = None
        self._news = trio.Event()
        self._left = False

    def answer(self, question: int, actions: tuple[str, ...]) -> None:
        """Give an answer; one to another question than the present one is dropped."""
        if self.question is not None and self.question.act.id == question:
            self._answer = actions
            self._news.set()

    def leave(self) -> None:
        """Give up the seat."""
        self._left = True
        self._news.set()

    # As a player

    def begin(self, start: Start) -> None:
        """Hear that a match begins."""
        self.matches += 1
        self._start = start

    def post(self, message: Message) -> None:
        """Hear what needs no answer: the server knows it from elsewhere."""

    def note(self, text: str) -> None:
        """A person keeps no log."""

    async def ask(self, line: bytes | bytearray, limit: float) -> tuple[bytes, float]:
        """Have the person answer.

        Raises:
            BotFault: `timeout`, or `crash` where the person left.
        """
        asked = msgspec.json.decode(line, type=_Act)
        self.question = Question(self._start, msgspec.json.decode(line, type=Act))
        self._tell(Asked(self._seat, asked.id, asked.state, asked.legal, asked.time))
        began = trio.current_time()
        try:
            with trio.move_on_after(limit if self._timed else inf):
                while self._answer is None and not self._left:
                    await self._news.wait()
                    self._news = trio.Event()
            return self._line(asked.id), trio.current_time() - began if self._timed else 0.0
        finally:
            self.question = self._answer = None

    async def understand(self, line: bytes, question: int) -> Action:  # noqa: ARG002  # a player's
        """The answer."""
        return decode_action(line)

    def _line(self, question: int) -> bytes:
        if self._left:
            raise BotFault(Code.CRASH, "left the table")
        if self._answer is None:
            raise BotFault(Code.TIMEOUT, "no answer in time")
        return encode(Action(question, list(self._answer)))
