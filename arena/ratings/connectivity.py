"""Who can be compared with whom: pools of bots that met, and bots that nobody bounds."""

import numpy as np

from .results import Bools, Crosstable, Floats


def reachable(edges: Bools) -> Bools:
    """The reflexive transitive closure of a relation, by Warshall's algorithm (1962)."""
    reach = edges | np.eye(len(edges), dtype=np.bool_)
    for via in range(len(edges)):
        reach |= np.outer(reach[:, via], reach[via])
    return reach


def pools(table: Crosstable) -> list[list[int]]:
    """The bots in groups that met, if only through others: the largest first."""
    met = reachable(table.matches > 0)
    groups = {tuple(np.flatnonzero(row).tolist()) for row in met}
    return sorted(map(list, groups), key=lambda bots: (-len(bots), bots))


def bounded(points: Floats) -> tuple[Bools, Floats]:
    """The bots of one pool whose maximum-likelihood ratings are finite, and limits of the rest.

    `points[i, j]` is what i took from j. Ratings are finite among bots that are linked both
    ways by chains of points taken (Ford, 1957). Of several such groups the largest is chosen,
    then the one that played most inside, then the first; a bot that never lost or never won
    a point is no group. The others are +inf if they are undefeated or linked to the chosen
    group by points taken, else −inf.
    """
    took = reachable(points > 0)
    undefeated = ~(took & ~took.T).any(axis=0)
    winless = ~(took & ~took.T).any(axis=1)
    linked = took & took.T
    size = linked.sum(axis=1)
    inside = (linked * (points + points.T)).sum(axis=1)
    eligible = (size > 1) | ~(undefeated | winless) | (len(points) == 1)
    limits = np.where(undefeated, np.inf, -np.inf)
    if not eligible.any():
        return np.zeros(len(points), dtype=np.bool_), limits
    chosen = np.lexsort((-inside, -size, ~eligible))[0]
    limits[took[:, chosen]] = np.inf
    return linked[chosen], limits
