"""A starter bot on top of the arena's own packages, for every game it knows.

`protocol.bot` speaks the protocol, `engine` knows the rules. It plays the legal action after which
it leads by most. To make it yours, change `worth`, or look further ahead than one action.
"""

from random import Random

import msgspec

from engine.options import make_table
from engine.registry import game as game_named
from protocol.bot import Answer, run
from protocol.messages import Act, Start


def decide(act: Act, start: Start) -> Answer:
    """The legal action after which the state is worth most, any one among equals."""
    game = game_named(start.game)
    table = make_table(game, start.players, start.options)
    dice = Random(f"{start.seed}/{act.id}")
    view = msgspec.convert(act.state, game.view_type)
    state = game.sample(table, view, act.seat, dice)  # what is hidden is guessed
    own = game.sides(table)[act.seat]

    def worth(action: str) -> int:
        """The lead over the best other side, in points or stones."""
        scores = list(game.scores(game.apply(state, action)))
        return scores.pop(own) - max(scores)

    actions = dice.sample(act.legal, len(act.legal))
    chosen = max(actions, key=worth)
    return Answer([chosen], note=f"{worth(chosen):+d} points")


if __name__ == "__main__":
    run(decide, name="python-protocol-starter")
