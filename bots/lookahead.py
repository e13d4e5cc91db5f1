"""A bot that looks one full turn ahead: `python -m bots.lookahead`.

It lays out the turns that it could play now, the best ones where they are too many. After each of
them it lets chance and the other seats answer in every way that is likely, until it is to move
again. It plays the turn after which it can expect most then.
"""

from collections.abc import Iterable
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from engine.game import AnyGame, AnyTable, Table
from engine.registry import game as game_named
from protocol.bot import Answer, run
from protocol.messages import Act, Start

GAMES: Final = ("savanna-ten", "herd")
BEAM: Final = 4
"""Unfinished turns that are followed at once."""
CLOCK: Final = 0.4
"""After this part of the time that is left no further turn is looked at."""


class Foresight(Protocol):
    """What the bot knows of one game on one table."""

    candidates: int
    """Turns that are worth a longer look."""

    def first_sight(self, state: Any, seat: int) -> float:
        """How good a state looks to a seat that acted last, on any scale."""

    def outlook(self, state: Any, seat: int) -> float:
        """The share of the win that a seat can expect when it is to move again, 0 … 1."""


class Turn(NamedTuple):
    """A whole turn that could be played."""

    actions: tuple[str, ...]
    state: Any
    """The state after it."""
    looks: float
    """How good that looks at first sight."""


def decide(act: Act, start: Start) -> Answer:
    """The turn with the best outlook. The same question with the same seed gets the same answer."""
    begun = perf_counter()
    game = game_named(start.game)
    table = Table(msgspec.convert(start.options, game.options_type), start.players)
    rng = Random(f"{start.seed}/{act.id}")
    state = game.sample(table, msgspec.convert(act.state, game.view_type), act.seat, rng)
    foresight = foresight_of(table, game)
    limit = act.time.turn_ms
    best, value, looked = None, -1.0, 0
    for turn in turns(game, foresight, state, rng):
        if best and limit and perf_counter() - begun > CLOCK * limit / 1000:
            break
        outlook = foresight.outlook(turn.state, act.seat)
        looked += 1
        if outlook > value:
            best, value = turn, outlook
    assert best is not None
    return Answer(best.actions, f"best of {looked} turns", round(value, 3))


def turns(game: AnyGame, foresight: Foresight, state: Any, rng: Random) -> list[Turn]:
    """The turns that look best, the best one first, any order among equals.

    A turn of several actions grows action by action, only from the best beginnings. Orders of the
    same actions that lead to the same state are one turn.
    """
    seat, number = game.to_act(state), game.turn(state)
    assert seat is not None
    beginnings = [Turn((), state, 0.0)]
    complete: dict[Any, Turn] = {}
    while beginnings:
        grown: dict[Any, Turn] = {}
        for actions, before, _ in beginnings:
            legal = game.legal(before)
            for action in rng.sample(legal, len(legal)):
                after = game.apply(before, action)
                goes_on = game.to_act(after) == seat and game.turn(after) == number
                known = grown if goes_on else complete
                if after not in known:
                    looks = foresight.first_sight(after, seat)
                    known[after] = Turn((*actions, action), after, looks)
        beginnings = best_looking(grown.values(), BEAM)
    return best_looking(complete.values(), foresight.candidates)


def best_looking(turns: Iterable[Turn], most: int) -> list[Turn]:
    """The turns that look best, the best one first."""
    return sorted(turns, key=lambda turn: turn.looks, reverse=True)[:most]


def foresight_of(table: AnyTable, game: AnyGame) -> Foresight:
    """The foresight for a game. What it needs is imported when the game is first played."""
    if game.name == "savanna-ten":
        from bots.lookahead_savanna_ten import SavannaForesight

        return SavannaForesight(table)
    from bots.lookahead_herd import HerdForesight

    return HerdForesight(table)


if __name__ == "__main__":
    run(decide, name="lookahead", version="1.0", games=GAMES)
