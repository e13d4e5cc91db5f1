"""A conversation with a running bot, by the referee's own means; remembers what was last said."""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Final, TypeAlias

import trio
from msgspec import Struct

from arena import REFEREE
from arena.check.sitting import Sitting
from arena.referee import procfs
from arena.referee.bot import Bot, launch
from arena.referee.faults import BotFault, Code, quoted
from arena.referee.process import Process
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.referee.wire import WireError
from engine.game import AnyGame
from protocol.codec import encode
from protocol.messages import Act, Action, Message

SILENCE: Final = 0.1
"""Seconds in which a bot that has nothing to say is heard out, on a host that is not busy."""

_PATIENCE_S: Final = 10
"""How long a bot may take to say something where others have the core."""
_ENOUGH_S: Final = 0.05
"""Seconds of a core in which a bot has said what it had to say: it computes something else."""
_PAUSE: Final = 0.01
"""Seconds between two pieces of a line."""

Dress: TypeAlias = Callable[[bytes], bytes]
"""Changes how a line looks on the wire, not what it means."""


class Measures(Struct):
    """What is measured on the way."""

    start_ms: list[float] = []
    answer_ms: list[float] = []
    turn_ms: list[float] = []
    """Of all answers of a turn together."""
    memory_mb: list[float] = []
    plays_the_same: bool = True
    """Two processes with the same seed play the same."""
    ponders: bool = False
    """It computes while it is not asked."""


class Lab(Struct):
    """Where a bot is checked."""

    program: Program
    level: Level
    games: tuple[AnyGame, ...]
    """Those that it plays."""
    start_s: float
    """The limit from the start of a program to its `ready`."""
    turn_s: float
    """The limit of an answer."""
    nursery: trio.Nursery
    measures: Measures
    talk: "Talk | None" = None
    """The conversation in progress, or the last one."""

    @asynccontextmanager
    async def bot(self) -> "AsyncIterator[Talk]":
        """A freshly started bot that said `ready`; it is ended behind the block.

        Raises:
            BotFault: `start`.
            CannotStart, HostFault: it cannot be started here.
        """
        self.talk = None
        began = trio.current_time()
        name = self.games[0].name
        bot = await launch(self.program, self.level, name, REFEREE, self.start_s, self.nursery)
        self.measures.start_ms.append((trio.current_time() - began) * 1000)
        self.talk = Talk(bot, self.turn_s, self.measures)
        try:
            yield self.talk
        finally:
            bot.process.kill()


class Talk:
    """A conversation with one process of a bot."""

    def __init__(self, bot: Bot, limit_s: float, measures: Measures) -> None:
        self.bot = bot
        self.sent = b""
        """The last line that it was sent, its end included."""
        self.received = b""
        """What it said to that."""
        self._limit = limit_s
        self._measures = measures
        self._matches: Iterator[int] = count(1)

    def new_match(self) -> str:
        """What the next match is called."""
        return f"m{next(self._matches)}"

    def say(self, message: Message | bytes) -> None:
        """Say something that needs no answer."""
        self.sent = message if isinstance(message, bytes) else encode(message)
        self.received = b""
        self.bot.process.wire.post(self.sent)

    async def ask(self, act: Act, line: bytes | None = None, pieces: int = 1) -> Action:
        """Put a question.

        Args:
            act: what is asked.
            line: how it looks on the wire, if not as usual.
            pieces: how many pieces it comes in, with pauses between them.

        Raises:
            BotFault: any code but `start` and `illegal`.
            HostFault: the host was too busy.
        """
        self.sent = line or encode(act)
        self.received = b""
        *pieces_before, last = _cut(self.sent, pieces)
        for piece in pieces_before:
            self.bot.process.wire.post(piece)
            await self.settle(_PAUSE)
        answer, used = await self.bot.ask(last, self._limit)
        self.received = answer
        self._measures.answer_ms.append(used * 1000)
        return await self.bot.understand(answer, act.id)

    async def play(
        self, sitting: Sitting, *, most: int | None = None, dress: Dress = lambda line: line
    ) -> None:
        """Play a match: the whole of it, or so many answers at most; then end it.

        Raises:
            BotFault: any code but `start`.
        """
        self.say(dress(encode(sitting.start())))
        turns: defaultdict[int, float] = defaultdict(float)
        answered = len(self._measures.answer_ms)
        while len(self._measures.answer_ms) - answered != most and (act := sitting.question()):
            turn = sitting.turn
            sitting.play(await self.ask(act, dress(encode(act))))
            turns[turn] += self._measures.answer_ms[-1]
        self._measures.turn_ms += turns.values()
        self._measures.memory_mb.append(self.memory_mb())
        self.say(dress(encode(sitting.end())))

    async def settle(self, seconds: float) -> None:
        """Leave the bot so long to speak; on a busy host, until it has had a core for it."""
        used = self.cpu_s()
        with trio.move_on_after(_PATIENCE_S):
            while True:
                await trio.sleep(seconds)
                if self._is_at_rest() or self.cpu_s() - used > _ENOUGH_S:
                    return

    async def hear_nothing(self, after: str, seconds: float = SILENCE) -> None:
        """See that the bot is silent.

        Raises:
            BotFault: `protocol` where it spoke, `crash` where it ended.
        """
        await self.settle(seconds)
        try:
            speech = self.bot.process.wire.overheard()
        except WireError:
            if await self.bot.process.leaves():
                self.bot.process.kill()
            ending = self.bot.process.ending()
            raise BotFault(Code.CRASH, f"the program {ending} {after}") from None
        if speech:
            self.received = speech
            raise BotFault(Code.PROTOCOL, f"it spoke {after}: {quoted(speech)}")

    def _is_at_rest(self) -> bool:
        """Whether it has done all that can be expected of what it was said, or never will."""
        process = self.bot.process
        doing = "".join(map(procfs.doing, process.members())).replace("Z", "")
        return (
            process.warden.leashed
            or not doing
            or not (process.wire.unheard() or set(doing) & set("RD"))
        )

    def memory_mb(self) -> float:
        """What its processes hold now, in MiB."""
        return sum(map(procfs.private_bytes, self.bot.process.members())) / (1 << 20)

    def delay_s(self) -> float:
        """For how long its processes could have run, but something else had the core."""
        processes = self.bot.process.members()
        return sum(share.delay for pid in processes for share in procfs.shares(pid).values())

    def cpu_s(self) -> float:
        """What its processes have computed, in seconds."""
        return sum(map(procfs.cpu_seconds, self.bot.process.members()))


def _cut(line: bytes, pieces: int) -> list[bytes]:
    size = -(-len(line) // pieces)
    return [line[cut : cut + size] for cut in range(0, len(line), size)]


def last_words(process: Process) -> bytes:
    """What a bot said unasked, also where it has left."""
    try:
        return process.wire.overheard()
    except WireError:
        return b""
