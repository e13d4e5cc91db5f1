"""Whether the error bars of ratings freed from luck hold, by simulation.

    python -m benchmarks.luck_coverage [--tournaments 1000]

Two bots play deals from both seats. A match is won where advantage + luck + noise is positive, all
normal; luck is a share of the variance, and the deal gives a part of it to the seat, so that it
helps the other bot in the second match. What the evaluator sees of it is luck too, with an error.
For each cell: how many of the 95 % intervals of the difference held the truth, as they are / freed
from luck, in per cent; and the mean interval freed from luck, as a share of that without.
"""

import argparse
from itertools import product
from math import sqrt
from statistics import NormalDist

import numpy as np

from arena.ratings.control import freed_from_luck
from arena.ratings.elo import Ratings, rate
from arena.ratings.results import Results

DEALS = (25, 50, 200)
ELO = (0.0, 100.0, 300.0)
KINDS = {"no luck": (0.0, 0.0), "luck of the seat": (0.5, 1.0), "luck of the match": (0.5, 0.0)}
"""The share of luck in the variance, and that of the deal's in luck."""
SEEN = 0.25
"""The standard deviation of the luck that the evaluator sees, in points."""


def tournament(
    deals: int, elo: float, kind: tuple[float, float], rng: np.random.Generator
) -> Results:
    """The matches of two bots of a true difference."""
    share, paired = kind
    seat = np.array([1, -1])
    deal, match, noise, misjudged = (rng.standard_normal((deals, 2)) for _ in range(4))
    luck = sqrt(paired) * deal[:, :1] * seat + sqrt(1 - paired) * match
    advantage = NormalDist().inv_cdf(1 / (1 + 10 ** (-elo / 400)))
    won = advantage + sqrt(share) * luck + sqrt(1 - share) * noise > 0
    seen = SEEN * ((luck if share else 0) + misjudged / 2)
    first = won.ravel()
    return Results.from_columns(
        ["a", "b"],
        slots=np.arange(2 * deals),
        clusters=np.repeat(np.arange(deals), 2),
        bots=np.tile([0, 1], (2 * deals, 1)),
        ranks=np.stack([2 - first, 1 + first], axis=1),
        luck=np.stack([seen.ravel(), -seen.ravel()], axis=1),
    )


def difference(ratings: Ratings) -> tuple[float, float]:
    """Between the two bots, with its error."""
    return float(ratings.elo[0] - ratings.elo[1]), float(ratings.difference_error[0, 1])


def cell(deals: int, elo: float, kind: tuple[float, float], tournaments: int) -> str:
    """One cell of the table."""
    rng = np.random.default_rng(0)
    held, widths = np.zeros(2), np.zeros(2)
    for _ in range(tournaments):
        results = tournament(deals, elo, kind, rng)
        for column, some in enumerate((results, freed_from_luck(results))):
            found, error = difference(rate(some))
            held[column] += abs(found - elo) <= error
            widths[column] += error
    plain, freed = 100 * held / tournaments
    return f"{plain:.1f} / {freed:.1f} ({widths[1] / widths[0]:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=1000)
    tournaments = parser.parse_args().tournaments
    print("| deals, luck | " + " | ".join(f"{elo:.0f}" for elo in ELO) + " |\n|---|---|---|---|")
    for deals, (name, kind) in product(DEALS, KINDS.items()):
        cells = [cell(deals, elo, kind, tournaments) for elo in ELO]
        print(f"| {deals}, {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
