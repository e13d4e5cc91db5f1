"""Elo ratings of one pool of bots: Bradley–Terry with cluster-robust errors.

Ratings have the mean 0 or hang on an anchor. A bot's error is that of its distance from the
mean of the pool, with or without an anchor; the error of a difference of two bots is another,
since it takes the covariance of both.
"""

from typing import Final

import numpy as np
from msgspec import Struct

from . import RatingError
from .bradley_terry import maximum_likelihood, win_probability
from .clustering import Scores, cluster_scores, meat
from .connectivity import bounded
from .results import Bools, Floats, Results, crosstable
from .units import ELO, FEW_POINTS, Z95

PRIOR: Final = 1.0
"""Drawn virtual games per bot: they keep a 10–0 finite."""


class Ratings(Struct, frozen=True):
    """The ratings of the bots of one pool, in the order of their names; never nan nor −0."""

    elo: Floats
    """Shape (bots,). Without a prior ±inf for bots that nothing bounds."""
    error: Floats
    """Shape (bots,): half a 95 % interval, in Elo; nan where there is too little to say."""
    floored: Bools
    """Shape (bots,): whether the clusters are too extreme to give the error alone."""
    difference_error: Floats
    """Shape (bots, bots): half a 95 % interval of the difference; nan as above."""


def rate(
    results: Results, prior: float = PRIOR, anchor: tuple[str, float] | None = None
) -> Ratings:
    """The ratings of bots that all met, if only through others (see `connectivity.pools`).

    `prior` is the number of drawn virtual games of each bot against a fixed player at 0;
    `anchor` is a bot and the rating it gets. Raises RatingError for a prior out of range and
    for an anchor without a finite rating.
    """
    if prior and not 0.001 <= prior <= 1000:
        raise RatingError(f"the prior is 0, or from 0.001 to 1000 games, not {prior:g}")
    table = crosstable(results)
    points = np.clip(table.points, 0, table.games)  # corrections could take more than there is
    inside, limits = _bounded(points, prior)
    strength, information = np.zeros(len(points)), np.zeros(points.shape)
    if inside.any():
        block = np.ix_(inside, inside)
        strength[inside], information[block] = maximum_likelihood(points[block], prior)
    counted = np.outer(inside, inside)
    scores = cluster_scores(results, win_probability(strength), counted)
    elo = _anchored(results.names, np.where(inside, ELO * strength, limits), anchor)
    return Ratings(elo, *_errors(scores, information, np.where(counted, points, 0)))


def _bounded(points: Floats, prior: float) -> tuple[Bools, Floats]:
    """Which bots have finite ratings, and the ratings of the others: a prior bounds them all."""
    if prior:
        return np.full(len(points), True), np.zeros(len(points))
    return bounded(points)


def _anchored(names: tuple[str, ...], elo: Floats, anchor: tuple[str, float] | None) -> Floats:
    """The ratings, shifted so that the anchor gets its own."""
    if anchor is None:
        return elo + 0.0
    name, rating = anchor
    current = elo[names.index(name)]
    if not np.isfinite(current):
        raise RatingError(f"{name} cannot be the anchor: without a prior its rating is {current}")
    return np.asarray(elo - current + rating + 0.0)


def _errors(scores: Scores, information: Floats, points: Floats) -> tuple[Floats, Bools, Floats]:
    """The errors of the ratings, which of them are floored, and the errors of differences.

    `information` is the inverse of the information matrix, in log-odds about the mean.
    """
    filling, clusters = meat(scores, len(points))
    sandwich = information @ filling @ information
    extreme = np.minimum(points.sum(axis=0), points.sum(axis=1)) < FEW_POINTS
    known = clusters >= 2
    variance, floored = _floored(np.diag(sandwich), np.diag(information), extreme)
    between, _ = _floored(
        _of_differences(sandwich),
        _of_differences(information),
        np.logical_or.outer(extreme, extreme),
    )
    return (
        _half_interval(variance, known),
        floored & known,
        _half_interval(between, np.logical_and.outer(known, known)),
    )


def _floored(clustered: Floats, independent: Floats, extreme: Bools) -> tuple[Floats, Bools]:
    """The clustered variances, or, where they are not to be trusted, the larger of the two."""
    doubtful = extreme | (clustered <= 1e-9 * independent)
    return np.where(doubtful, np.maximum(clustered, independent), clustered), doubtful


def _of_differences(covariance: Floats) -> Floats:
    """The variance of each difference of two bots."""
    variance = np.diag(covariance)
    return np.asarray(np.add.outer(variance, variance) - 2 * covariance)


def _half_interval(variance: Floats, known: Bools) -> Floats:
    return np.where(known, Z95 * ELO * np.sqrt(np.maximum(variance, 0)), np.nan)
