"""One match outside a tournament."""

from collections.abc import Sequence
from hashlib import blake2b

import trio
from msgspec import Struct

from arena.referee import tree
from arena.referee.clock import Clocks
from arena.referee.match import Setup, Watch, play
from arena.referee.sandbox import Level
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
    """In hex."""
    seed: str
    """Any words; the bots' own seeds and stand-ins follow from it."""


async def play_single(single: Single, watch: Watch | None = None) -> Record:
    """Start the bots, play, and end them.

    Raises:
        CannotStart, HostFault: nothing was played.
    """
    tree.adopt_orphans()
    setup = _setup(single)
    async with trio.open_nursery() as nursery:
        stable = Stable(
            {entry.name: entry.program for entry in single.entries},
            game=single.game.name,
            clocks=single.clocks,
            level=single.level,
            nursery=nursery,
        )
        try:
            record = await play(setup, await stable.bots(setup.names, 0), watch)
            await stable.clear_faulted()
            await stable.dismiss()
        finally:
            stable.kill()
    return record


def seating(names: Sequence[str], sides: Sequence[int]) -> list[int] | None:
    """Which of the names holds each seat: one name per seat, or one per side.

    None where their number fits neither.
    """
    if len(names) == len(sides):
        return list(range(len(names)))
    if len(names) == max(sides) + 1:
        return list(sides)
    return None


def _setup(single: Single) -> Setup:
    names = tuple(entry.name for entry in single.entries)
    digests = tuple(entry.entrant.digest for entry in single.entries)
    identity = "\0".join((single.game.name, single.deal, single.seed, *names, *digests))
    return Setup(
        match=blake2b(f"single\0{identity}".encode(), digest_size=8).hexdigest(),
        run=None,
        game=single.game,
        table=single.table,
        deal=single.deal,
        seed=seeds.hashed("single match", single.seed, single.deal),
        seeds=tuple(
            seeds.bot_seed("single match", single.seed, single.deal, seat)
            for seat in range(len(names))
        ),
        clocks=single.clocks,
        isolation=single.level,
        names=names,
        digests=digests,
    )
