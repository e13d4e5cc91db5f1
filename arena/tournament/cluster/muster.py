"""Can this machine play that? `python -m arena.tournament.cluster.muster`: order in, answer out.

A program of its own beside the Dask worker, since building and starting bots is the work of a
process that may adopt their orphans.
"""

import math
import os
import sys
from collections.abc import Sequence
from typing import Final

import msgspec
import trio
from msgspec.structs import replace

from arena.referee import tree
from arena.referee.faults import CannotStart, HostFault
from arena.referee.program import Program
from arena.referee.sandbox import Level, choose
from arena.tournament.build import built
from arena.tournament.cluster.bundle import resolve_source
from arena.tournament.cluster.order import Answer, Enlisted, Order, Refused
from arena.tournament.entry import BadName, Entry
from arena.tournament.job import Assignment, Player
from arena.tournament.trial import try_all
from engine.registry import UnknownGame, game

CLOCK_SCALE: Final = "ARENA_CLOCK_SCALE"
"""The variable in the environment of a Dask worker that all clocks are multiplied by there."""


async def muster(order: Order) -> Answer:
    """See whether this machine can play a run, and bring its bots into place."""
    try:
        scale = clock_scale(os.environ.get(CLOCK_SCALE, "1"))
        _check_game(order)
        level = choose(order.isolation)
        entries = [await _entry(name, order, level) for name in sorted(order.assignment.players)]
        await _try(entries, order.assignment, level)
    except (CannotStart, HostFault, UnknownGame, BadName) as error:
        return Refused(str(error))
    players = {
        entry.name: _player(order.assignment.players[entry.name], entry.program, scale)
        for entry in entries
    }
    return Enlisted(replace(order.assignment, isolation=level, players=players), scale)


def clock_scale(words: str) -> float:
    """What all clocks are multiplied by on this machine.

    Raises:
        CannotStart: it is no factor.
    """
    try:
        scale = float(words)
    except ValueError:
        scale = math.nan
    if 0 < scale < math.inf:
        return scale
    raise CannotStart(f"{CLOCK_SCALE} is '{words}' there, which is no factor; 1.5 would be one")


def _check_game(order: Order) -> None:
    here = game(order.assignment.game)
    if here.version != order.game_version:
        raise CannotStart(
            f"the game {here.name} has version {here.version} there, not {order.game_version}; "
            "install the same"
        )


async def _entry(name: str, order: Order, level: Level) -> Entry:
    """An entrant with the program that it is here, under the limits of the tournament."""
    entry = await built(resolve_source(order.sources[name]), level, order.trust)
    asked = order.assignment.players[name].program
    return replace(
        entry,
        entrant=replace(entry.entrant, name=name),
        program=replace(entry.program, name=name, env=asked.env, limits=asked.limits),
    )


def _player(asked: Player, program: Program, scale: float) -> Player:
    """A scale of clocks is a handicap that all have alike, and so it is in the record."""
    return replace(asked, program=program, time_handicap=asked.time_handicap * scale)


async def _try(entries: Sequence[Entry], assignment: Assignment, level: Level) -> None:
    failed = await try_all(entries, assignment.game, assignment.clocks, level)
    for name, fault in failed.items():
        raise CannotStart(f"bot {name} does not start there: {fault.message}")


def main() -> None:
    """Answer the order on stdin."""
    tree.die_with_parent()
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(trio.run(muster, order)))


if __name__ == "__main__":
    main()
