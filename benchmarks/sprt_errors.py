"""How often the sequential test is wrong, and how many deals it takes, by simulation.

python -m benchmarks.sprt_errors [--tests N]
"""

import argparse
from itertools import product

import numpy as np
from numpy.typing import NDArray

from arena.ratings.results import Results
from arena.ratings.sprt import Hypotheses, judge
from benchmarks.simulated import Field, tournament

HYPOTHESES = (Hypotheses(0, 10), Hypotheses(0, 50), Hypotheses(0, 50, sides=3))
MAX_DEALS = 30_000
CHUNK = 500
"""Deals simulated at a time."""


def deal_outcomes(results: Results, sides: int) -> NDArray[np.int64]:
    """The half points of bot 0 on each deal, in the order of the deals."""
    new = results.bots == 0
    rank = results.ranks[new]
    better = (rank[:, None] < results.ranks).sum(axis=1)
    equal = (rank[:, None] == results.ranks).sum(axis=1) - 1
    return np.asarray((2 * better + equal).reshape(-1, sides).sum(axis=1))


def run(hypotheses: Hypotheses, elo: float, rng: np.random.Generator) -> tuple[str | None, int]:
    """What one test accepts, and after how many deals."""
    strengths = (elo, *[0.0] * (hypotheses.sides - 1))
    field = Field(strengths, hypotheses.sides, luck=0.3, grasp=0.1)
    counts = [0] * hypotheses.outcomes
    deals = 0
    while deals < MAX_DEALS:
        for outcome in deal_outcomes(tournament(field, CHUNK, rng), field.sides):
            counts[outcome] += 1
            deals += 1
            if accepted := judge(counts, hypotheses).accepted:
                return accepted, deals
    return None, deals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=400)
    tests = parser.parse_args().tests
    for hypotheses, part in product(HYPOTHESES, (0.0, 0.5, 1.0)):
        true_elo = part * hypotheses.elo1
        rng = np.random.default_rng(0)
        ends = [run(hypotheses, true_elo, rng) for _ in range(tests)]
        accepted = sum(end == "elo1" for end, _ in ends) / tests
        deals = np.mean([deals for _, deals in ends])
        print(
            f"{hypotheses.sides} sides, true Elo {true_elo:g}: accepts {hypotheses.elo1:g} in "
            f"{100 * accepted:.1f} % of {tests} tests, after {deals:,.0f} deals (mean)",
            flush=True,
        )


if __name__ == "__main__":
    main()
