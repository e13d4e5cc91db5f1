"""A bot that thinks ahead for as long as its clock allows: `python -m bots.search`.

It grows a tree (`bots.search_tree`) from states that fit what its seat knows, and plays what the
search tried most.
"""

import gc
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import islice
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from bots.search_clock import TIME_FRACTION, Budget, Clock, Count, time_for
from bots.search_tree import EXPLORATION, Domain, Tree
from engine.game import CHANCE, AnyTable
from engine.options import make_table
from engine.registry import game as game_named
from protocol.bot import Answer, run
from protocol.messages import Act, Start

GAMES: Final = ("savanna-ten", "herd")
USUAL_TABLES: Final[Sequence[tuple[str, int, Mapping[str, bool | str]]]] = (
    ("savanna-ten", 2, {}),
    ("savanna-ten", 3, {}),
    ("savanna-ten", 4, {}),
    ("savanna-ten", 4, {"teams": True}),
    ("savanna-ten", 2, {"mouse": "add"}),
    ("savanna-ten", 3, {"mouse": "add"}),
    ("savanna-ten", 4, {"mouse": "add"}),
    ("savanna-ten", 4, {"mouse": "add", "teams": True}),
    ("herd", 2, {}),
)
WARM_UP: Final = 20
"""Playouts at each of them before anything is asked."""
FORETOLD: Final = 3
"""How many actions the note foretells."""


class Settings(Struct, frozen=True):
    """How to search."""

    time_fraction: float = TIME_FRACTION
    """How much of a turn's time to use."""
    nodes: int | None = None
    """Playouts a turn; None: as many as there is time for."""
    c: float = EXPLORATION
    """The weight of the bonus for actions that were little tried."""


class Search:
    """The bot."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self._settings = settings
        self._clock = clock or Clock(settings.time_fraction)
        self._tree: Tree | None = None
        """Kept until the next question comes: letting go of a large tree takes time."""

    def decide(self, act: Act, start: Start) -> Answer:
        """The best turn, what it is worth, and what the search expects to follow."""
        self._clock.start()
        self._tree = None
        game = game_named(start.game)
        table = make_table(game, start.players, start.options)
        domain = domain_of(start.game, table)
        rng = Random(f"{start.seed}/{act.id}")
        states = domain.sampler(msgspec.convert(act.state, game.view_type), act.seat, rng)
        state = states()
        legal = game.legal(state)
        if act.legal and len(act.legal) < len(legal):
            domain.limit(state, act.legal)
        tree = self._tree = Tree(domain, states, rng, self._settings.c)
        playouts = 0
        if len(legal) > 1:
            playouts = self._budget(act, start, domain.turns(state)).spend(tree.playout)
        best = tree.best()
        line = [domain.seen(action) for action in islice(tree.line(), 1, 1 + FORETOLD)]
        value = share_of_win(float(tree.root.values[best]), max(game.sides(table)) + 1)
        return Answer(domain.names(state, best), note(playouts, line), value)

    def _budget(self, act: Act, start: Start, turns: float) -> Budget:
        if self._settings.nodes is not None:
            return Count(self._settings.nodes)
        self._clock.limit(time_for(act, start, turns))
        return self._clock


def note(playouts: int, line: Sequence[str]) -> str:
    """`1342 playouts, then lion@D2 zebra@E1`."""
    thought = f"{playouts} playouts" if playouts else "forced"
    return f"{thought}, then {' '.join(line)}" if line else thought


def share_of_win(result: float, sides: int) -> float:
    """From the chance to rank ahead of another side to the chance to win.

    The others are taken to be alike (Plackett and Luce); between two sides both are the same.
    """
    return round(result / (result + (sides - 1) * (1 - result)), 3)


@cache
def domain_of(game: str, table: AnyTable) -> Domain:
    """A game on a table as the search sees it."""
    if game == "herd":
        from bots.search_herd import HerdDomain

        return HerdDomain(table)
    from bots.search_savanna_ten import SavannaDomain

    return SavannaDomain(table)


def prepare() -> None:
    """Search a little at the usual tables: what is made once is made before a clock runs."""
    for name, players, options in USUAL_TABLES:
        game, rng = game_named(name), Random(0)
        table = make_table(game, players, options)
        state = game.initial(table)
        while (seat := game.to_act(state)) == CHANCE:
            state = game.apply(state, game.chances(state)[0][0])
        assert seat is not None
        domain = domain_of(name, table)
        tree = Tree(domain, domain.sampler(game.view(state, seat), seat, rng), rng)
        Count(WARM_UP).spend(tree.playout)


def number(least: float, most: float, kind: type[int] | type[float]) -> Callable[[str], float]:
    """Reads a number between two others from the command line."""

    def read(word: str) -> float:
        value = kind(word)
        if not least <= value <= most:
            raise ArgumentTypeError(f"{word} is not between {least} and {most}")
        return value

    return read


def settings(words: Sequence[str] | None = None) -> Settings:
    """The settings that the words of a command line stand for; None: those of this program's."""
    parser = ArgumentParser(prog="search", description="Plays Savanna Ten and Herd by tree search.")
    parser.add_argument(
        "--time-fraction",
        type=number(0.01, 1, float),
        default=TIME_FRACTION,
        help="how much of a turn's time to use (default %(default)s)",
    )
    parser.add_argument(
        "--nodes",
        type=number(1, 10**9, int),
        help="playouts a turn, whatever the time: the same seed gives the same game",
    )
    parser.add_argument(
        "--c",
        type=number(0, 100, float),
        default=EXPLORATION,
        help="how much actions that were little tried are favoured (default %(default)s)",
    )
    return msgspec.convert(vars(parser.parse_args(words)), Settings)


if __name__ == "__main__":
    gc.disable()  # no cycles are made, and a collection takes longer than a playout
    chosen = settings()
    prepare()
    run(Search(chosen).decide, name="search", version="1.0", games=GAMES)
