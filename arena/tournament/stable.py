"""The living bots of a worker: started once, used for many matches, ended together.

A process never meets the same deal twice: rotation k of every deal is played by the k-th set
of processes, and in each set every seat of an entrant has a process of its own.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeAlias

import trio

from arena import REFEREE
from arena.referee.bot import Bot, launch
from arena.referee.clock import Clocks
from arena.referee.faults import BotFault
from arena.referee.program import Program
from arena.referee.sandbox import Level

LIVING: Final = 32
"""How many bots are kept alive beside those at the table."""

Launch: TypeAlias = Callable[[Program, Level, str, str, float, trio.Nursery], Awaitable[Bot]]
"""Starts a bot as `launch` does."""

Stall: TypeAlias = tuple[str, int, int]
"""An entrant's name, the rotation, and the how-manieth seat of the entrant it holds."""


class Stable:
    """Bots by stall, the least recently used first."""

    def __init__(
        self,
        programs: Mapping[str, Program],
        *,
        game: str,
        clocks: Clocks,
        level: Level,
        nursery: trio.Nursery,
        starter: Launch | None = None,
    ) -> None:
        self._programs = programs
        self._game = game
        self._clocks = clocks
        self._level = level
        self._nursery = nursery
        self._launch = starter or launch
        self._bots: dict[Stall, Bot] = {}
        self._living: set[Bot] = set()
        """Those in stalls, and those that are on their way out."""

    async def bots(self, seating: Sequence[str], rotation: int) -> list[Bot | BotFault]:
        """A bot for each seat; a fault stands for one that did not start.

        Raises:
            CannotStart, HostFault: as starting a program does.
        """
        stalls = stalls_of(seating, rotation)
        table = [await self._bot(stall) for stall in stalls]
        await self._thin_out(spare=set(stalls))
        return table

    async def clear_faulted(self) -> None:
        """End the bots that were faulted."""
        for stall, bot in list(self._bots.items()):
            if not bot.usable:
                del self._bots[stall]
                await self._expel(bot)

    async def dismiss(self) -> None:
        """Let every bot leave, all at once."""
        bots, self._bots = list(self._bots.values()), {}
        async with trio.open_nursery() as nursery:
            for bot in bots:
                nursery.start_soon(self._dismiss, bot)

    def kill(self) -> None:
        """End every bot now."""
        for bot in self._living:
            bot.process.kill()

    async def _bot(self, stall: Stall) -> Bot | BotFault:
        bot = self._bots.pop(stall, None)
        if bot is not None:
            bot.check_silence()
            if bot.usable:
                bot.process.log.clear()
            else:
                await self._expel(bot)
                bot = None
        if bot is None:
            try:
                bot = await self._launch(
                    self._programs[stall[0]],
                    self._level,
                    self._game,
                    REFEREE,
                    self._clocks.start_ms / 1000,
                    self._nursery,
                )
            except BotFault as fault:
                return fault
            self._living.add(bot)
        self._bots[stall] = bot
        return bot

    async def _thin_out(self, spare: set[Stall]) -> None:
        surplus = len(self._bots) - len(spare) - LIVING
        for stall in [stall for stall in self._bots if stall not in spare][: max(0, surplus)]:
            await self._dismiss(self._bots.pop(stall))

    async def _dismiss(self, bot: Bot) -> None:
        await bot.dismiss()
        self._living.discard(bot)

    async def _expel(self, bot: Bot) -> None:
        await bot.expel()
        self._living.discard(bot)


def stalls_of(seating: Sequence[str], rotation: int) -> list[Stall]:
    """The stall that each seat's bot comes from."""
    held: dict[str, int] = {}
    stalls = []
    for name in seating:
        stalls.append((name, rotation, held.get(name, 0)))
        held[name] = held.get(name, 0) + 1
    return stalls
