"""The noise of pair results, with those of one cluster taken together.

Rotations of one deal and the pairs of one match are correlated. The cluster-robust
("sandwich") covariance needs no model of how: it sums the score vector (the gradient of the
log-likelihood) over each cluster first (Liang and Zeger, 1986).
"""

import numpy as np
from msgspec import Struct

from .results import Bools, Floats, Ints, Results, pair_results


class Scores(Struct, frozen=True):
    """The score of each bot in each cluster it played in: k entries, cluster by cluster."""

    clusters: Ints
    """Shape (k,)."""
    bots: Ints
    """Shape (k,), rising within a cluster."""
    values: Floats
    """Shape (k,): the points earned beyond those expected."""


def cluster_scores(results: Results, expected: Floats, counted: Bools) -> Scores:
    """The scores where the row expects `expected` from the column, over the pairs `counted`."""
    size = len(results.names)
    entries, entry = np.unique(results.clusters[:, None] * size + results.bots, return_inverse=True)
    entry = entry.reshape(results.bots.shape)
    values = np.zeros(len(entries))
    seen = np.zeros(len(entries), dtype=np.bool_)
    for side, cell, earned in pair_results(results):
        counts = np.take(counted, cell)
        surprise = np.where(counts, earned / 2 - np.take(expected, cell), 0.0)
        values += np.bincount(entry[:, side], surprise / (results.sides - 1), len(entries))
        seen[entry[counts, side]] = True
    entries, values = entries[seen], values[seen]
    return Scores(entries // size, entries % size, values)


def meat(scores: Scores, bots: int) -> tuple[Floats, Ints]:
    """The sum over clusters of the outer products of their scores, scaled by G / (G − 1).

    That is the filling of the sandwich, of the shape (bots, bots). With it comes the number of
    clusters that each bot played in; with fewer than two the filling says nothing.
    """
    total = np.zeros(bots * bots)
    sizes = np.bincount(scores.clusters)
    for size in np.flatnonzero(np.bincount(sizes[sizes > 0])).tolist():
        rows = sizes[scores.clusters] == size
        bot = scores.bots[rows].reshape(-1, size)
        value = scores.values[rows].reshape(-1, size)
        cells = bot[:, :, None] * bots + bot[:, None, :]
        products = value[:, :, None] * value[:, None, :]
        total += np.bincount(cells.ravel(), products.ravel(), bots * bots)
    groups = int(np.count_nonzero(sizes))
    scale = groups / max(groups - 1, 1)
    return scale * total.reshape(bots, bots), np.bincount(scores.bots, minlength=bots)
