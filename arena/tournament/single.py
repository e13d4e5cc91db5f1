"""One match outside a tournament."""

import msgspec
import trio
from msgspec import Struct

from arena.referee import tree
from arena.referee.clock import Clocks
from arena.referee.faults import CannotStart, HostFault
from arena.referee.match import Setup, Watch, play
from arena.referee.sandbox import Level
from arena.store.model import Slot
from arena.tournament import seeds
from arena.tournament.entry import Entry
from arena.tournament.stable import Stable
from engine.game import AnyGame, AnyTable
from protocol.record import Record


class Single(Struct, frozen=True):
    """A match as it is asked for."""

    game: AnyGame
    table: AnyTable
    entries: tuple[Entry, ...]
    """In seat order."""
    clocks: Clocks
    level: Level
    deal: str
    """Any words; chance follows from them, whoever plays."""
    seed: str
    """Any words; the bots' own seeds and stand-ins follow from them."""


async def play_single(single: Single, watch: Watch | None = None) -> Record:
    """Start the bots, play, and end them.

    Raises:
        CannotStart, HostFault: nothing was played.
    """
    tree.adopt_orphans()
    async with trio.open_nursery() as nursery:
        stable = Stable(
            {entry.name: entry.program for entry in single.entries},
            game=single.game.name,
            clocks=single.clocks,
            level=single.level,
            nursery=nursery,
        )
        try:
            played: Record | CannotStart | HostFault = await _play(_setup(single), stable, watch)
        except (CannotStart, HostFault) as error:  # itself, not the nursery's group with it
            played = error
        finally:
            stable.kill()
    if isinstance(played, Record):
        return played
    raise played


async def _play(setup: Setup, stable: Stable, watch: Watch | None) -> Record:
    record = await play(setup, await stable.bots(setup.names, 0), watch)
    await stable.clear_faulted()
    await stable.dismiss()
    return record


def _setup(single: Single) -> Setup:
    names = tuple(entry.name for entry in single.entries)
    digests = tuple(entry.entrant.digest for entry in single.entries)
    terms = msgspec.json.encode(
        (single.game.name, single.game.version, single.table.options, single.clocks)
    ).decode()
    deal = seeds.deal(single.deal, (), 0)
    slot = Slot(0, (deal, *names), 0)
    return Setup(
        match=seeds.match_id("single", slot, (single.seed, terms, *digests)),
        run=None,
        game=single.game,
        table=single.table,
        deal=deal,
        seed=seeds.match_seed(single.seed, slot),
        seeds=seeds.bot_seeds(single.seed, slot, len(names)),
        clocks=single.clocks,
        isolation=single.level,
        names=names,
        digests=digests,
    )
