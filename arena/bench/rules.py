"""How fast the rules are alone: random play in this process."""

import time
from collections.abc import Mapping
from random import Random

from arena.bench.machine import on_one_core
from engine.game import CHANCE, AnyGame, AnyTable, IllegalAction
from engine.guarded import GameFault


async def random_play(game: AnyGame, table: AnyTable, seconds: float) -> Mapping[str, float]:
    """Random games to their ends, draws and rolls counted as actions.

    Raises:
        GameFault: an installed game is broken.
    """
    rng = Random(0)
    actions = games = 0
    with on_one_core():
        began = time.perf_counter()
        try:
            while (used := time.perf_counter() - began) < seconds or not games:
                actions += play_randomly(game, table, f"{games}", rng)
                games += 1
        except IllegalAction as error:
            raise GameFault(f"the game {game.name} refuses its own action: {error}") from None
    return {"actions/s": actions / used}


def play_randomly(game: AnyGame, table: AnyTable, deal: str, rng: Random) -> int:
    """Play one game to its end; the number of its actions."""
    state, actions = game.initial(table), 0
    while (seat := game.to_act(state)) is not None:
        if seat == CHANCE:
            action = game.chance(state, deal)
        else:
            legal = game.legal(state)
            action = legal[int(rng.random() * len(legal))]
        state = game.apply(state, action)
        actions += 1
    return actions
