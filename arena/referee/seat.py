"""One player at one table: its clock, what it has yet to be told, its questions."""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import UNSET, Struct

from arena.referee.clock import Clocks, SeatClock
from arena.referee.faults import BotFault
from protocol.codec import encode_into
from protocol.messages import Act, Action, End, Error, Message, Ready, Result, Start


class Player(Protocol):
    """Who holds a seat: a bot, or somebody who speaks the protocol by other means."""

    ready: Ready
    matches: int
    """How many it was started for."""
    usable: bool
    """False once it was faulted."""

    def begin(self, start: Start) -> None:
        """Hear that a match begins."""

    def post(self, message: Message) -> None:
        """Hear what needs no answer."""

    async def ask(self, line: bytes | bytearray, limit: float) -> tuple[bytes, float]:
        """Answer an `act` within so many seconds; gives the line and the seconds charged.

        Raises:
            BotFault: any code but `start` and `illegal`.
            HostFault: the match is void.
        """

    async def understand(self, line: bytes, question: int) -> Action:
        """The answer to a question.

        Raises:
            BotFault: it is none.
        """

    def note(self, text: str) -> None:
        """Write into its log."""


class Seat:
    """A seat of a match and the player that holds it."""

    def __init__(self, bot: Player, start: Start, clocks: Clocks) -> None:
        self.bot: Final = bot
        self.clock: Final = SeatClock(clocks)
        self.events: list[Struct] = []
        """What happened since the last question, as this seat may see it."""
        self._match = start.match
        self._number = start.seat
        self._question = 0
        self._line = bytearray()
        bot.begin(start)

    async def ask(self, view: Struct, legal: Sequence[str]) -> tuple[Action, float]:
        """Put the question of this turn.

        Returns:
            The answer and the seconds charged for it.

        Raises:
            BotFault: any code but `start` and `illegal`.
            HostFault: the match is void.
        """
        self._question += 1
        act = Act(
            self._match,
            self._question,
            self._number,
            view,
            self.events,
            legal if self.bot.ready.legal else UNSET,
            self.clock.told(),
        )
        encode_into(act, self._line)
        self.events.clear()
        line, used = await self.bot.ask(self._line, self.clock.left())
        self.clock.charge(used)
        return await self.bot.understand(line, self._question), used

    def end(self, result: Result | None) -> None:
        """Tell the bot how the match ended; None: it goes on without this seat."""
        self.bot.post(End(self._match, result, self.events))

    def blame(self, fault: BotFault) -> None:
        """Tell the bot what was wrong with its last answer."""
        self.bot.usable = False
        self.bot.post(Error(self._match, self._question, fault.code, fault.message))
        self.bot.note(f"fault {fault.code}: {fault.message}")
