"""What a game looks like, for who has not played it yet."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any, Final

from markupsafe import Markup

from engine.game import CHANCE, AnyGame, AnyTable, IllegalAction, TableError
from engine.guarded import GameFault
from engine.options import make_table

DEAL: Final = "preview"
SHOWN: Final = 0.6
"""How much of a game is played in its picture."""
LONGEST: Final = 2000
"""Actions of a game, at most: an installed one may know no end."""


@cache
def in_progress(game: AnyGame) -> Markup:
    """A spectator's picture of a game that has been played for a while.

    Nothing where an installed game cannot be played so: the page shows the others.
    """
    try:
        table = make_table(game, None, {})
        states = list(islice(_course(game, table), LONGEST))
        return _picture(game, table, states[round(SHOWN * (len(states) - 1))])
    except (GameFault, IllegalAction, TableError):
        return Markup()


def at_the_start(game: AnyGame, table: AnyTable) -> Markup:
    """The board before anything happens."""
    return _picture(game, table, game.initial(table))


def _course(game: AnyGame, table: AnyTable) -> Iterator[Any]:
    """The states of a random game."""
    state, rng = game.initial(table), Random(DEAL)
    yield state
    while (actor := game.to_act(state)) is not None:
        chance = actor == CHANCE
        action = game.chance(state, DEAL) if chance else rng.choice(game.legal(state))
        state = game.apply(state, action)
        yield state


def _picture(game: AnyGame, table: AnyTable, state: Any) -> Markup:
    return Markup(game.svg(table, game.view(state, None)))
