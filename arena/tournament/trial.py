"""Every entrant is started once before anything is played."""

from collections.abc import Sequence

import trio

from arena import REFEREE
from arena.referee import tree
from arena.referee.bot import launch
from arena.referee.clock import Clocks
from arena.referee.faults import BotFault
from arena.referee.sandbox import Level
from arena.tournament.entry import Entry


async def try_all(
    entries: Sequence[Entry], game: str, clocks: Clocks, level: Level
) -> dict[str, BotFault]:
    """Start each bot, shake hands, and let it leave; gives the faults of those that failed.

    Raises:
        CannotStart, HostFault: as starting a program does.
    """
    tree.adopt_orphans()
    failed: dict[str, BotFault] = {}

    async def try_one(entry: Entry) -> None:
        async with trio.open_nursery() as tending:
            try:
                start_s = clocks.start_ms / 1000
                bot = await launch(entry.program, level, game, REFEREE, start_s, tending)
            except BotFault as fault:
                failed[entry.name] = fault
            else:
                try:
                    await bot.dismiss()
                finally:
                    bot.process.kill()

    async with trio.open_nursery() as nursery:
        for entry in entries:
            nursery.start_soon(try_one, entry)
    return failed
