"""Where a playout's time goes: `python -m benchmarks.search_profile`.

For each table, over the decisions of a game that the search plays against itself: playouts a
second of CPU time, and the CPU time of their parts; `results` is the evaluator alone.
"""

import argparse
import gc
from collections.abc import Callable, Iterator
from random import Random
from statistics import mean
from time import process_time
from typing import Any, NamedTuple

from bots.search import domain_of
from bots.search_tree import EXPLORATION, Domain, Tree
from engine.evaluation import evaluator
from engine.game import CHANCE, AnyGame, AnyTable
from engine.options import make_table
from engine.registry import game

TABLES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("savanna-ten", 2, {}),
    ("savanna-ten", 3, {}),
    ("savanna-ten", 4, {}),
    ("savanna-ten", 4, {"teams": True}),
    ("herd", 2, {"size": 4}),
    ("herd", 2, {"size": 5}),
)
PLAYOUTS = 300
"""For each decision."""
TRIES = 50
"""For each part; the best counts, so that others on the machine matter little."""


class Decision(NamedTuple):
    """A state in which a seat is to act, searched."""

    state: Any
    tree: Tree
    states: Callable[[], Any]
    seconds: float
    """Of CPU time for all playouts."""


def decisions(rules: AnyGame, table: AnyTable, domain: Domain) -> Iterator[Decision]:
    """The decisions of a game."""
    rng, state = Random(1), rules.initial(table)
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            state = rules.apply(state, rules.chance(state, "0a"))
            continue
        states = domain.sampler(rules.view(state, seat), seat, rng)
        tree = Tree(domain, states, rng)
        began = process_time()
        for _ in range(PLAYOUTS):
            tree.playout()
        yield Decision(state, tree, states, process_time() - began)
        for name in domain.names(tree.state, tree.best()):
            state = rules.apply(state, name)


def cost(work: Callable[[], Any]) -> float:
    """CPU time of a piece of work, in µs."""
    times = []
    for _ in range(TRIES):
        began = process_time()
        for _ in range(10):
            work()
        times.append(process_time() - began)
    return min(times) * 1e5


def parts(rules: AnyGame, table: AnyTable, domain: Domain, one: Decision) -> dict[str, float]:
    """The cost of each part of a playout, in µs, and of the evaluator."""
    judge, root, rng = evaluator(rules, table), one.tree.root, Random(1)
    assert judge is not None
    state = one.tree.state
    action, mask = one.tree.best(), domain.mask(state)
    return {
        "deal": cost(one.states),
        "select": cost(lambda: root.select(mask, EXPLORATION, greedy=False)),
        "play": cost(lambda: domain.play(state, action, rng)),
        "look": cost(lambda: domain.look(state)),
        "results": cost(lambda: judge.results(one.state)),
    }


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    gc.disable()
    names = ("deal", "select", "play", "look", "results")
    print(f"{'table':<28} {'playouts/s':>10}  {'  '.join(f'{name:>7}' for name in names)}  µs")
    for name, players, options in TABLES:
        rules = game(name)
        table = make_table(rules, players, options)
        domain = domain_of(name, table)
        rates, costs = [], []
        for one in decisions(rules, table, domain):
            rates.append(one.seconds / PLAYOUTS)
            costs.append(parts(rules, table, domain, one))
        words = f"{name} {players} " + " ".join(f"{k}={v}" for k, v in options.items())
        figures = "  ".join(f"{mean(row[part] for row in costs):>7.1f}" for part in names)
        print(f"{words:<28} {1 / mean(rates):>10.0f}  {figures}", flush=True)


if __name__ == "__main__":
    main()
