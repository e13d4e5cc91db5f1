"""One match outside a tournament."""

from collections.abc import Mapping

import msgspec
import trio
from msgspec import Struct

from arena.referee import tree
from arena.referee.clock import Clocks
from arena.referee.faults import CannotStart, HostFault
from arena.referee.match import Setup, Watch, play
from arena.referee.sandbox import Level
from arena.referee.seat import Player
from arena.referee.tap import Hear, Tap
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
    people: Mapping[int, Player] = {}
    """Who holds a seat without being a program."""

    @property
    def bots(self) -> tuple[Entry, ...]:
        """Those that are programs, in seat order."""
        return tuple(e for seat, e in enumerate(self.entries) if seat not in self.people)


async def play_single(
    single: Single, watch: Watch | None = None, hear: Hear | None = None
) -> Record:
    """Start the bots, play, and end them.

    Args:
        single: what is played.
        watch: sees every action as it happens.
        hear: gets every line that the bots hear and say.

    Raises:
        CannotStart, HostFault: nothing was played.
    """
    tree.adopt_orphans()
    async with trio.open_nursery() as nursery:
        stable = Stable(
            {entry.name: entry.program for entry in single.bots},
            game=single.game.name,
            clocks=single.clocks,
            level=single.level,
            nursery=nursery,
            starter=None if hear is None else Tap(hear, _seats_of_bots(single)).launch,
        )
        try:
            played: Record | CannotStart | HostFault = await _play(single, stable, watch)
        except (CannotStart, HostFault) as error:  # itself, not the nursery's group with it
            played = error
        finally:
            stable.kill()
    if isinstance(played, Record):
        return played
    raise played


async def _play(single: Single, stable: Stable, watch: Watch | None) -> Record:
    bots = iter(await stable.bots([entry.name for entry in single.bots], 0))
    seats = range(len(single.entries))
    players = [single.people.get(seat) or next(bots) for seat in seats]
    record = await play(_setup(single), players, watch)
    await stable.clear_faulted()
    await stable.dismiss()
    return record


def _seats_of_bots(single: Single) -> list[int]:
    return [seat for seat in range(len(single.entries)) if seat not in single.people]


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
