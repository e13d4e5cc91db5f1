"""The leaderboard: one table for each pool of bots that met."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import isnan

import numpy as np
from msgspec import Struct

from . import RatingError
from .connectivity import pools
from .control import freed_from_luck
from .elo import PRIOR, Ratings, rate
from .results import Crosstable, Floats, Results, crosstable
from .sequential import history
from .units import likelihood_of_superiority, rounded


class Standing(Struct, frozen=True):
    """One bot's row."""

    rank: int
    """1 is the best; equal ratings share the better rank."""
    bot: str
    elo: float
    """±inf only without a prior."""
    error: float | None
    """Half a 95 % interval, about the mean of the table; None: too little to say."""
    floored: bool
    """The results are so extreme that the error is at least that of independent games."""
    elo_seq: float
    """Classic sequential Elo."""
    matches: int
    points: float
    """The share of the points it played for, 0 to 1."""
    faults: int
    """Faults charged, over all its matches."""
    luck: float | None = None
    """What chance gave it in a match, in shares of the win: the mean; None: not known."""
    elo_luck: float | None = None
    """The rating from results freed from luck."""
    error_luck: float | None = None
    """Half a 95 % interval of that; None: too little to say."""


class Meeting(Struct, frozen=True):
    """What passed between two bots, `a` listed above `b`."""

    a: str
    b: str
    matches: int
    a_points: float
    """The share of the points between the two that went to `a`, 0 to 1."""
    los: float | None
    """The likelihood that `a` is the stronger, from all results; None: too little to say."""


class Table(Struct, frozen=True):
    """One pool. Ratings of different pools cannot be compared."""

    bots: tuple[Standing, ...]
    """The best first, equal ratings by name."""
    pairs: tuple[Meeting, ...]
    """Those that met, in the order of the rows."""


def leaderboard(
    results: Results, prior: float = PRIOR, anchors: Mapping[str, float] | None = None
) -> tuple[Table, ...]:
    """A table for each pool, the largest first.

    `anchors` names bots and the ratings they get, one bot a pool; the other pools have the mean
    0. Raises RatingError for an anchor that did not play, for two in one pool, and as `rate`.
    """
    anchors = anchors or {}
    if absent := sorted(anchors.keys() - set(results.names)):
        raise RatingError(f"{absent[0]} cannot be the anchor: it has played no match here")
    return tuple(_table(results.of(bots), prior, anchors) for bots in pools(crosstable(results)))


def _table(results: Results, prior: float, anchors: Mapping[str, float]) -> Table:
    anchor = _only_anchor(results.names, anchors)
    ratings = rate(results, prior, anchor)
    freed = None if results.luck is None else rate(freed_from_luck(results), prior, anchor)
    table = crosstable(results)
    elo = [rounded(value) for value in ratings.elo]
    order = sorted(range(len(elo)), key=lambda bot: (-elo[bot], bot))
    return Table(
        bots=tuple(_standings(results, ratings, freed, table, order)),
        pairs=tuple(_meetings(results.names, ratings, table, order)),
    )


def _only_anchor(names: Sequence[str], anchors: Mapping[str, float]) -> tuple[str, float] | None:
    here = [name for name in names if name in anchors]
    if len(here) > 1:
        raise RatingError(f"{here[0]} and {here[1]} cannot both be anchors: they are in one pool")
    return (here[0], anchors[here[0]]) if here else None


def _standings(
    results: Results,
    ratings: Ratings,
    freed: Ratings | None,
    table: Crosstable,
    order: Sequence[int],
) -> Iterator[Standing]:
    sides = results.bots.ravel()
    elo = [rounded(value) for value in ratings.elo]
    sequential = history(results).ratings[-1]
    matches = np.bincount(sides)
    faults = np.bincount(sides, results.faults.ravel())
    points = table.points.sum(axis=1) / table.games.sum(axis=1)
    luck = _mean_luck(results)
    for bot in order:
        yield Standing(
            rank=1 + sum(other > elo[bot] for other in elo),
            bot=results.names[bot],
            elo=elo[bot],
            error=_known(ratings.error[bot]),
            floored=bool(ratings.floored[bot]),
            elo_seq=rounded(sequential[bot]),
            matches=int(matches[bot]),
            points=rounded(points[bot]),
            faults=int(faults[bot]),
            luck=None if luck is None else _known(luck[bot]),
            elo_luck=None if freed is None else rounded(freed.elo[bot]),
            error_luck=None if freed is None else _known(freed.error[bot]),
        )


def _mean_luck(results: Results) -> Floats | None:
    """The mean luck of each bot in the matches whose luck is known; nan where none is."""
    if results.luck is None:
        return None
    known = ~np.isnan(results.luck)
    bots, size = results.bots[known], len(results.names)
    total = np.bincount(bots, results.luck[known], size)
    matches = np.bincount(bots, minlength=size)
    return np.asarray(np.where(matches > 0, total / np.maximum(matches, 1), np.nan))


def _meetings(
    names: Sequence[str], ratings: Ratings, table: Crosstable, order: Sequence[int]
) -> Iterator[Meeting]:
    for a, b in combinations(order, 2):
        if matches := int(table.matches[a, b]):
            yield Meeting(
                a=names[a],
                b=names[b],
                matches=matches,
                a_points=rounded(table.half_points[a, b] / (2 * matches)),
                los=_superiority(ratings, a, b),
            )


def _superiority(ratings: Ratings, a: int, b: int) -> float | None:
    error = float(ratings.difference_error[a, b])
    if isnan(error):
        return None
    return rounded(likelihood_of_superiority(float(ratings.elo[a] - ratings.elo[b]), error))


def _known(value: float) -> float | None:
    return None if isnan(value) else rounded(value)
