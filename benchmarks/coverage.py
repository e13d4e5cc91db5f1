"""How often the 95 % intervals hold the truth, in simulated tournaments.

python -m benchmarks.coverage [--tournaments N]
"""

import argparse
from itertools import product

import msgspec
import numpy as np
from msgspec import Struct

from arena.ratings.elo import Ratings, rate
from arena.ratings.results import Results
from benchmarks.simulated import Field, tournament

DIFFERENCES = (0, 100, 300, 600)
"""True differences between the best and the last bot; the others stand evenly between."""
FIELDS = ((2, 2), (2, 4), (3, 3), (4, 4))
"""Sides and bots."""
NOISE = {"independent": (0.0, 0.0), "lucky seats": (0.4, 0.1), "known deals": (0.1, 0.4)}
"""Shares of luck and grasp."""
DEALS = (10, 50, 200)


class Coverage(Struct, frozen=True):
    """The share of intervals that hold the truth."""

    difference: float
    """Of the difference between the best and the last bot."""
    bots: float
    """Of the bots' own ratings."""
    naive: float
    """Of that difference, when every match is taken as independent of all others."""


def coverage(field: Field, deals: int, tournaments: int, seed: int = 0) -> Coverage:
    """Over this many tournaments of this many deals a group."""
    rng = np.random.default_rng(seed)
    truth = np.array(field.strengths) - np.mean(field.strengths)
    held = []
    for _ in range(tournaments):
        results = tournament(field, deals, rng)
        clustered, naive = rate(results), rate(_unclustered(results))
        held.append(
            (
                _holds_difference(clustered, truth),
                (np.abs(clustered.elo - truth) <= clustered.error).mean(),
                _holds_difference(naive, truth),
            )
        )
    return Coverage(*np.mean(held, axis=0).tolist())


def _holds_difference(ratings: Ratings, truth: np.typing.NDArray[np.float64]) -> bool:
    """Whether the interval of the first bot's lead on the last holds its true lead."""
    miss = (ratings.elo[0] - ratings.elo[-1]) - (truth[0] - truth[-1])
    return bool(abs(miss) <= ratings.difference_error[0, -1])


def _unclustered(results: Results) -> Results:
    return msgspec.structs.replace(results, clusters=np.arange(len(results.bots)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=1000)
    tournaments = parser.parse_args().tournaments
    for deals in DEALS:
        print(f"\n{deals} deals a group, {tournaments} tournaments; %: difference / bots / naive")
        heads = "".join(f"{difference:>22}" for difference in DIFFERENCES)
        print(f"{'sides, bots, noise':28}{heads}")
        for (sides, bots), (name, (luck, grasp)) in product(FIELDS, NOISE.items()):
            cells = []
            for difference in DIFFERENCES:
                strengths = tuple(np.linspace(difference / 2, -difference / 2, bots).tolist())
                found = coverage(Field(strengths, sides, luck, grasp), deals, tournaments)
                shares = (found.difference, found.bots, found.naive)
                cells.append(" / ".join(f"{100 * share:.1f}" for share in shares))
            row = "".join(f"{cell:>22}" for cell in cells)
            print(f"{sides}, {bots}, {name:20}{row}", flush=True)


if __name__ == "__main__":
    main()
