"""Elo ratings of one pool of bots: Bradley–Terry with cluster-robust errors.

The ratings have the mean 0 or hang on an anchor. Errors are those of a bot against the mean of
its pool, half the width of a 95 % interval; the likelihood of superiority takes the error of
the difference of two bots, which is another.
"""

from math import erfc, log, sqrt
from typing import Final

import numpy as np
from msgspec import Struct

from .bradley_terry import beaten_by, maximum_likelihood
from .clustering import cluster_scores, meat
from .connectivity import bounded
from .results import Bools, Floats, RatingError, Results, crosstable

ELO: Final = 400 / log(10)
"""Elo points per unit of log-odds: 400 points are odds of ten to one."""
Z95: Final = 1.96
"""Standard errors in half a 95 % interval of the normal distribution."""
PRIOR: Final = 1.0
"""Drawn virtual games per bot, which keep 10–0 finite."""
FEW_POINTS: Final = 5
"""Under so many points won, or lost, the clusters are too alike to show their noise."""


class Ratings(Struct, frozen=True):
    """The ratings of the bots of one pool, in the order of their names."""

    elo: Floats
    """Shape (bots,); ±inf for bots that nothing bounds, which only happens without a prior."""
    error: Floats
    """Shape (bots,): half a 95 % interval, in Elo; nan where there is too little to say."""
    floored: Bools
    """Shape (bots,): the error is not taken from the clusters alone, they are too extreme."""
    superiority: Floats
    """Shape (bots, bots): the likelihood that the row is stronger; nan as above."""


def rate(
    results: Results, prior: float = PRIOR, anchor: tuple[str, float] | None = None
) -> Ratings:
    """The ratings of bots that all met, if only through others (see `connectivity.pools`).

    `prior` is the number of drawn virtual games of each bot against a fixed player at 0, and
    `anchor` a bot with the rating it gets. Raises RatingError for a prior out of range and for
    an anchor without a finite rating.
    """
    if prior and not 0.001 <= prior <= 1000:
        raise RatingError(f"the prior is 0, or from 0.001 to 1000 games, not {prior:g}")
    points = crosstable(results).points
    inside, limits = bounded(points) if prior == 0 else (np.full(len(points), True), np.inf)
    counted = np.outer(inside, inside)
    strength, information = np.zeros(len(points)), np.zeros(points.shape)
    if inside.any():
        block = np.ix_(inside, inside)
        strength[inside], information[block] = maximum_likelihood(points[block], prior)
    scores = cluster_scores(results, 1 - beaten_by(strength), counted)
    filling, clusters = meat(scores, len(points))
    elo = np.where(inside, ELO * strength, limits)
    errors = _Errors(
        clustered=information @ filling @ information,
        information=information,
        known=clusters >= 2,
        extreme=_extreme(np.where(counted, points, 0)),
    )
    return Ratings(
        _anchored(results.names, elo, anchor), *errors.of_bots(), errors.superiority(elo)
    )


class _Errors(Struct, frozen=True):
    """The covariances of one fit, in log-odds, and what to think of them, bot by bot."""

    clustered: Floats
    """Shape (bots, bots): the sandwich."""
    information: Floats
    """Shape (bots, bots): the inverse information, which takes all games for independent."""
    known: Bools
    """Whether there are clusters enough."""
    extreme: Bools
    """Whether nearly all points were won, or lost."""

    def of_bots(self) -> tuple[Floats, Bools]:
        """The error of each bot in Elo, and whether it is floored."""
        variance, floored = _floored(
            np.diag(self.clustered), np.diag(self.information), self.extreme
        )
        error = np.where(self.known, Z95 * ELO * np.sqrt(variance), np.nan)
        return error, floored & self.known

    def superiority(self, elo: Floats) -> Floats:
        """Φ(difference / its standard error) for each pair of bots."""
        extreme = np.logical_or.outer(self.extreme, self.extreme)
        between = (_of_differences(self.clustered), _of_differences(self.information))
        variance, _ = _floored(*between, extreme)
        known = np.logical_and.outer(self.known, self.known) & (variance > 0)
        result = np.full(known.shape, np.nan)
        difference = np.subtract.outer(elo, elo, where=known)
        ...
