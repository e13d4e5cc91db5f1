"""How much paired deals cut the variance of a comparison of two bots.

    arena run GAME BOT BOT --deals 400 --store FILE
    python -m benchmarks.paired_deals FILE

For each two bots: the variance of a bot's mean score over the two rotations of a
deal, against what it would be if the two matches had nothing to do with each other. The ratio is
the share of matches that a comparison on paired deals needs; its error by a bootstrap over deals.
"""

import random
import statistics
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from arena.store.db import Store
from arena.store.model import Run
from arena.tournament.schedule import seating

Deal = tuple[float, float]
"""A bot's points from the first seat and from the second."""


def ratio(deals: Sequence[Deal]) -> float:
    """Var((x + y) / 2) over (Var x + Var y) / 4; there must be some variance."""
    paired = statistics.variance((x + y) / 2 for x, y in deals)
    seats: Iterable[Sequence[float]] = zip(*deals, strict=True)
    alone = sum(map(statistics.variance, seats)) / 4
    return paired / alone


def error(deals: Sequence[Deal], rounds: int = 500) -> float:
    """Half a 95 % interval of the ratio."""
    rng = random.Random(1)
    samples = [ratio(rng.choices(deals, k=len(deals))) for _ in range(rounds)]
    return 1.96 * statistics.stdev(samples)


def paired(store: Store, run: Run) -> dict[tuple[str, ...], list[Deal]]:
    """The deals of each two bots of a run, as the one of the lower name fared."""
    points: dict[tuple[tuple[str, ...], int], dict[int, float]] = {}
    for slot, (own, other) in store.played(run.id).items():
        seat = seating(run.seed, slot, run.seat_sides()).index(slot.group[0])
        score = 0.5 + (own < other) / 2 - (own > other) / 2
        points.setdefault((slot.group, slot.deal), {})[seat] = score
    deals: dict[tuple[str, ...], list[Deal]] = {}
    for (group, _), scores in points.items():
        if len(scores) == 2:
            deals.setdefault(group, []).append((scores[0], scores[1]))
    return deals


def main(path: Path) -> None:
    """Print a line for each two bots of each run of two sides."""
    print(f"{'game':<14} {'bots':<24} {'deals':>6}  {'mean':>5}  variance paired / alone")
    with Store.open(path, read_only=True) as store:
        for run in (summary.run for summary in store.runs()):
            if run.seats == 2:
                for group, deals in sorted(paired(store, run).items()):
                    mean = statistics.mean((x + y) / 2 for x, y in deals)
                    told = "all deals ended alike"
                    if len(set(deals)) > 1:
                        told = f"{ratio(deals):.3f} ± {error(deals):.3f}"
                    print(
                        f"{run.game:<14} {' '.join(group):<24} {len(deals):>6}  {mean:.3f}  {told}"
                    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
