"""A program that says what actions are worth: `python -m bots.analyst --nodes 1000`.

It speaks the protocol and searches as `bots.search` does, with two differences. It heeds `legal`:
asked with one action in it, it says in `value` what that one is worth. And it knows no clock: every
question gets the same number of playouts, so that answers can be compared. `arena analyse` asks it.

Which tile lies under a Lion is not judged, only where the Lion lies.
"""

import gc
from argparse import ArgumentParser
from collections.abc import Collection
from random import Random
from typing import Final

import msgspec
from msgspec import UNSET

from bots.search import GAMES, answer, domain_of, number, step
from bots.search_clock import Count
from bots.search_tree import NEVER, Domain, Tree
from engine.options import make_table
from engine.registry import game as game_named
from protocol.bot import Answer, Decide, run
from protocol.messages import Act, Start

NODES: Final = 1000
"""Playouts for a question, if not told otherwise."""


def deciding(nodes: int) -> Decide:
    """The best actions of a turn that begin with one in `legal`, and what they are worth."""

    def decide(act: Act, start: Start) -> Answer:
        game = game_named(start.game)
        table = make_table(game, start.players, start.options)
        domain = domain_of(start.game, table)
        rng = Random(f"{start.seed}/{act.id}")
        states = domain.sampler(msgspec.convert(act.state, game.view_type), act.seat, rng)
        tree = Tree(domain, states, rng)
        if act.legal is not UNSET:
            narrow(tree, domain, act.legal)
        turn, steps, budget = game.turn(tree.state), [], Count(nodes)
        while game.to_act(tree.state) == act.seat and game.turn(tree.state) == turn:
            steps.append(step(tree, domain, budget))
        return answer(steps, max(game.sides(table)) + 1)

    return decide


def narrow(tree: Tree, domain: Domain, legal: Collection[str]) -> None:
    """Leave only these actions to the root of a tree; a Lion stands for any other on its cell."""
    lions = {action.partition("/")[2] for action in legal}
    for action in range(len(tree.root.values)):
        if domain.seen(action) not in lions and domain.name(tree.state, action) not in legal:
            tree.root.values[action] = NEVER


def main() -> None:
    """Answer as the command line says."""
    parser = ArgumentParser(prog="analyst", description="Says what actions are worth.")
    parser.add_argument(
        "--nodes",
        type=number(1, 10**9, int),
        default=NODES,
        help="playouts for a question (default %(default)s)",
    )
    run(deciding(parser.parse_args().nodes), name="analyst", version="1.0", games=GAMES)


if __name__ == "__main__":
    gc.disable()  # no cycles are made, and a collection takes longer than a playout
    main()
