"""A bot at a recorded match: asked again what a seat was asked, under no clock."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import inf
from typing import Final

import trio
from msgspec import UNSET, Struct
from msgspec.structs import replace

from arena import REFEREE
from arena.decisions import Decision, start_of
from arena.referee import tree
from arena.referee.bot import Bot, greet
from arena.referee.faults import BotFault, Code, HostFault
from arena.referee.process import Process, spawn
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.replay import Replay
from engine.game import IllegalAction
from protocol.codec import encode
from protocol.messages import Action


class Answer(Struct, frozen=True):
    """What a bot said to a decision that was put to it again."""

    action: Action | None
    """None where it said nothing that is an answer."""
    fault: BotFault | None
    """What a referee would say against it."""
    seconds: float
    stderr: str
    """What it wrote since the answer before."""


class Again:
    """A bot that holds a seat of a match that is over."""

    def __init__(self, replay: Replay, bot: Bot) -> None:
        self.bot: Final = bot
        self._game = replay.game

    async def put(self, decision: Decision) -> Answer:
        """Put a decision of its seat; those of a match in their order, or only some.

        A fault is an answer, too; after any but `illegal` there is no point in going on.

        Raises:
            HostFault: the host has no means to.
        """
        bot, act = self.bot, decision.act
        line = encode(act if bot.ready.legal else replace(act, legal=UNSET))
        action, fault, seconds = None, None, 0.0
        try:
            answer, seconds = await bot.ask(line, inf)
            action = await bot.understand(answer, act.id)
            self._try(decision, action)
        except BotFault as error:
            fault = error
        return Answer(action, fault, seconds, self._wrote())

    def _try(self, decision: Decision, action: Action) -> None:
        """See that an answer is legal, as far as chance and the others do not come between.

        Raises:
            BotFault: `illegal`.
        """
        game, state = self._game, decision.before
        for word in action.actions:
            if game.to_act(state) != decision.seat or game.turn(state) != decision.turn:
                return
            try:
                state = game.apply(state, word)
            except IllegalAction as error:
                raise BotFault(Code.ILLEGAL, error.detail) from None

    def _wrote(self) -> str:
        self.bot.process.catch_up()
        text = self.bot.process.log.text()
        self.bot.process.log.clear()
        return text


Hold = Callable[[Process], Awaitable[None]]
"""What comes between the start of a program and the first line that it is sent."""


@asynccontextmanager
async def seated(
    program: Program,
    level: Level,
    replay: Replay,
    seat: int,
    *,
    start_s: float = inf,
    hold: Hold | None = None,
) -> AsyncIterator[Again]:
    """A bot in a seat, sent the `start` that the seat was sent; it is ended behind the block.

    Args:
        program: what to execute.
        level: how it is isolated.
        replay: of the match.
        seat: whose knowledge it gets.
        start_s: its start-up limit in seconds.
        hold: see `Hold`.

    Raises:
        BotFault: `start`.
        CannotStart, HostFault: as starting a program does.
    """
    tree.adopt_orphans()
    process = spawn(program, level)
    process.warden.release()
    failure: BotFault | HostFault | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.tend)
        try:
            if hold is not None:
                await hold(process)
            bot = await greet(process, replay.game.name, REFEREE, start_s)
            bot.begin(start_of(replay, seat))
            yield Again(replay, bot)
        except (BotFault, HostFault) as error:  # itself, not the nursery's group with it
            failure = error
        finally:
            process.kill()
    if failure is not None:
        raise failure
