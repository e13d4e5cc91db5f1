"""Results freed from luck: luck as a control variate, with coefficients taken across deals.

The points between two sides of a match are corrected by c · d, where d is the luck of the one less
that of the other. Luck has the mean 0 on every deal, so a coefficient that does not look at the
deal leaves the mean as it was. Therefore each deal takes its own: the slope of points on luck over
all other deals of the same two bots. It is the slope of whole deals, all rotations summed, so that
it tells what luck still explains on top of pairing; where that is nothing, it is near 0.
"""

from itertools import permutations
from typing import Final

import numpy as np
from msgspec.structs import replace

from .results import Floats, Ints, Results, pair_results

FEW_DEALS: Final = 20
"""Two bots that met on fewer deals are left as they are: the slope would add noise of its own."""


def freed_from_luck(results: Results) -> Results:
    """The same matches with corrections for luck; a match whose luck is not known has none."""
    if results.luck is None:
        return results
    luck = np.nan_to_num(results.luck) * (results.sides - 1) / results.sides
    gained = np.concatenate(
        [luck[:, one] - luck[:, other] for one, other in permutations(range(results.sides), 2)]
    )
    duels = [(cell, earned / 2) for _, cell, earned in pair_results(results)]
    bots, points = (np.concatenate(column) for column in zip(*duels, strict=True))
    deals = np.tile(results.clusters, len(duels)) * len(results.names) ** 2 + bots
    corrections = coefficients(deals, bots, points, gained) * gained
    return replace(results, corrections=corrections.reshape(len(duels), -1))


def coefficients(deals: Ints, bots: Ints, points: Floats, luck: Floats) -> Floats:
    """The slope of points on luck over the other deals of the same two bots, for each duel.

    A duel is two sides of a match, and each argument has an entry for each.

    Args:
        deals: numbers the deal and the two bots.
        bots: numbers the two bots, in an order.
        points: what the first took, 0 … 1.
        luck: what chance gave the first.
    """
    _, first, deal = np.unique(deals, return_index=True, return_inverse=True)
    ones = np.ones(len(deal))
    count, earned, gained = (_sums(deal, of) for of in (ones, points, luck))
    pair = np.unique(bots[first], return_inverse=True)[1]

    def over_others(values: Floats) -> Floats:
        return np.asarray(_sums(pair, values)[pair] - values)

    mean = _quotient(over_others(earned), over_others(count))
    covariance = over_others(earned * gained) - mean * over_others(count * gained)
    slope = _quotient(covariance, over_others(gained**2))
    enough = np.bincount(pair)[pair] >= FEW_DEALS
    return np.asarray(np.where(enough, slope, 0)[deal])


def _sums(labels: Ints, values: Floats) -> Floats:
    return np.asarray(np.bincount(labels, values), dtype=np.float64)


def _quotient(numerator: Floats, denominator: Floats) -> Floats:
    """0 where there is nothing to divide by."""
    sound = denominator > 0
    return np.asarray(np.where(sound, numerator / np.where(sound, denominator, 1), 0))
