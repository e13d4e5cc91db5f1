"""Short ways to write results down for the tests of ratings."""

from collections.abc import Iterable, Sequence
from itertools import count

from arena.ratings.results import Result, Results


def duels(*pairings: tuple[str, str, Sequence[float]]) -> Results:
    """Matches of two, each on a deal of its own, from the points of the first bot named."""
    slots = count()
    return Results.collect(
        Result(slot, f"deal-{slot}", (a, b), duel_ranks(points))
        for a, b, scores in pairings
        for slot, points in zip(slots, scores, strict=False)
    )


def deals(a: str, b: str, pairs: Iterable[tuple[float, float]]) -> Results:
    """Deals of two matches each, with the seats changed, from the points of bot a."""
    slots = count()
    return Results.collect(
        Result(next(slots), f"deal-{deal}", bots, duel_ranks(points))
        for deal, (first, second) in enumerate(pairs)
        for bots, points in (((a, b), first), ((b, a), 1 - second))
    )


def duel_ranks(points: float) -> tuple[int, int]:
    """The ranks of two sides, from the points of the first."""
    return {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}[points]
