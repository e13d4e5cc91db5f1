"""Classic Elo, match by match: the history of a tournament, not its best estimate.

After Elo (1978): a rating moves by K × (points − expected points). A match of n sides counts as
all its pairs, each with K = 32 / (n − 1), and every pair is judged by the ratings from before
the match.
"""

from itertools import combinations, cycle, pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from .results import Ints, Results

K: Final = 32.0
START: Final = 1500.0


class History(Struct, frozen=True):
    """The ratings of all bots at moments spread evenly over the matches."""

    matches: tuple[int, ...]
    """How many matches had been played at each moment: 0 first, all of them last."""
    ratings: tuple[tuple[float, ...], ...]
    """For each moment the rating of each bot, in the order of the names."""


def history(results: Results, moments: int = 1) -> History:
    """The ratings at the start and after each of `moments` equal parts of the matches."""
    played = len(results.bots)
    stops = sorted({played * part // moments for part in range(moments + 1)})
    ratings = [START] * len(results.names)
    rows = []
    for before, stop in pairwise([0, *stops]):
        play(ratings, results.bots[before:stop], results.ranks[before:stop])
        rows.append(tuple(ratings))
    return History(tuple(stops), tuple(rows))


def play(ratings: list[float], bots: Ints, ranks: Ints) -> None:
    """Moves the ratings by these matches, in their order; both arrays have the shape (m, n)."""
    sides = bots.shape[1]
    first, second = np.array(list(combinations(range(sides), 2))).T
    k = K / (sides - 1)
    moves: list[tuple[int, int, float]] = []
    for a, b, points, match_over in zip(
        bots[:, first].ravel().tolist(),
        bots[:, second].ravel().tolist(),
        ((1 + np.sign(ranks[:, second] - ranks[:, first])) / 2).ravel().tolist(),
        cycle([False] * (len(first) - 1) + [True]),
        strict=False,  # the cycle has no end
    ):
        expected = 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400))
        moves.append((a, b, k * (points - expected)))
        if match_over:
            for winner, loser, gain in moves:
                ratings[winner] += gain
                ratings[loser] -= gain
            moves.clear()
