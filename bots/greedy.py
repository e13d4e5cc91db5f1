"""A bot that takes the best it can get now: `python -m bots.greedy`.

It tries every legal action on a state that fits what it knows, keeps the one after which the state
is worth most, and goes on until its turn is over.
"""

from random import Random
from typing import Any

import msgspec

from bots.judge import Judge, judge_of
from engine.game import AnyGame, Table
from engine.registry import game as game_named
from protocol.bot import Answer, run
from protocol.messages import Act, Start


def decide(act: Act, start: Start) -> Answer:
    """The best action, then the next best, until the turn is over."""
    game = game_named(start.game)
    table = Table(msgspec.convert(start.options, game.options_type), start.players)
    judge = judge_of(game, game.sides(table))
    rng = Random(f"{start.seed}/{act.id}")
    state = game.sample(table, msgspec.convert(act.state, game.view_type), act.seat, rng)
    turn, actions = game.turn(state), []
    while game.to_act(state) == act.seat and game.turn(state) == turn:
        action, state = best(game, judge, state, rng)
        actions.append(action)
    note = f"worth {judge.worth(state, act.seat):+.1f} points"
    share = judge.share(state, act.seat)
    return Answer(actions, note, None if share is None else round(share, 3))


def best(game: AnyGame, judge: Judge, state: Any, rng: Random) -> tuple[str, Any]:
    """The action after which the state is worth most, and that state; any among equals."""
    seat, legal = game.to_act(state), game.legal(state)
    assert seat is not None
    options = ((action, game.apply(state, action)) for action in rng.sample(legal, len(legal)))
    return max(options, key=lambda option: judge.worth(option[1], seat))


if __name__ == "__main__":
    run(decide, name="greedy", version="1.0")
