"""A bot that thinks ahead for as long as its clock allows: `python -m bots.search`.

It grows a tree (`bots.search_tree`) from states that fit what its seat knows, and plays what the
search tried most.
"""

import gc
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from functools import cache
from itertools import islice, repeat
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from bots.search_clock import TIME_FRACTION, Budget, Clock, Count, time_for
from bots.search_tree import EXPLORATION, Domain, Tree
from engine.game import AnyTable, Table
from engine.registry import game as game_named
from protocol.bot import Answer, run
from protocol.messages import Act, Start

GAMES: Final = ("savanna-ten", "herd")
FIRST_SHARE: Final = 0.5
"""The share of what is left that an action gets while others follow it in the same turn."""
FORETOLD: Final = 5
"""How many actions the note foretells."""


class Settings(Struct, frozen=True):
    """How to search."""

    time_fraction: float = TIME_FRACTION
    """How much of a turn's time to use."""
    nodes: int | None = None
    """Playouts a turn; None: as many as there is time for."""
    c: float = EXPLORATION


class Search:
    """The bot."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self._settings = settings
        self._clock = clock or Clock(settings.time_fraction)
        self._tree: Tree | None = None
        """Kept until the next question comes: letting go of a large tree takes time."""

    def decide(self, act: Act, start: Start) -> Answer:
        """The actions of the turn, what it is worth, and what the search expects to follow."""
        self._clock.start()
        self._tree = None
        game = game_named(start.game)
        table = Table(msgspec.convert(start.options, game.options_type), start.players)
        domain = domain_of(start.game, table)
        rng = Random(f"{start.seed}/{act.id}")
        states = domain.sampler(msgspec.convert(act.state, game.view_type), act.seat, rng)
        state = states()
        budget = self._budget(act, start, domain.turns(state))
        tree = self._tree = Tree(domain, state, rng, self._settings.c)
        turn, done, actions, values = game.turn(state), 0, [], []
        while True:
            if len(game.legal(state)) > 1:
                share = 1 if domain.due(state) == 1 else FIRST_SHARE
                done += budget.spend(lambda: tree.playout(states()), share)
            action = tree.root.best(domain.mask(state))
            actions.append(domain.name(state, action))
            values.append(float(tree.root.values[action]))
            state, seen = domain.play(state, action, rng)
            if game.to_act(state) != act.seat or game.turn(state) != turn:
                break
            tree.advance(seen, state)
            states = repeat(state).__next__
        line = [domain.seen(action) for action in islice(tree.line(), 1, 1 + FORETOLD)]
        share_of_win = share_of(values[0], max(game.sides(table)) + 1)
        return Answer(actions, f"{done} playouts, then {' '.join(line)}", share_of_win)

    def _budget(self, act: Act, start: Start, turns: float) -> Budget:
        if self._settings.nodes is not None:
            return Count(self._settings.nodes)
        self._clock.limit(time_for(act, start, turns))
        return self._clock


@cache
def domain_of(game: str, table: AnyTable) -> Domain:
    """The game on a table as the search sees it."""
    if game == "herd":
        from bots.search_herd import HerdDomain

        return HerdDomain(table)
    from bots.search_savanna_ten import SavannaDomain

    return SavannaDomain(table)


def share_of(result: float, sides: int) -> float:
    """The share of the win of a side that ranks ahead of each other with this chance.

    All others are taken to be alike (Plackett-Luce): with two sides the result itself.
    """
    return round(result / (result + (sides - 1) * (1 - result)), 3)


def main() -> None:
    parser = ArgumentParser(prog="search", description="Plays Savanna Ten and Herd by tree search.")
    parser.add_argument("--time-fraction", type=float, default=TIME_FRACTION)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--c", type=float, default=EXPLORATION)
    words = parser.parse_args()
    gc.disable()
    run(
        Search(Settings(words.time_fraction, words.nodes, words.c)).decide,
        name="search",
        version="1.0",
        games=GAMES,
        legal=False,
    )


if __name__ == "__main__":
    main()
