"""The ladder: always the group whose next deal tells most about the order of the bots."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import erfc, sqrt
from typing import ClassVar, Final

import numpy as np
from msgspec import Struct

from arena.ratings.elo import rate
from arena.ratings.results import Floats, Result, Results
from arena.ratings.units import Z95
from arena.store.model import Slot
from arena.tournament import schedule
from arena.tournament.formats import Played
from arena.tournament.schedule import Group

BATCH: Final = 8
"""Deals chosen at a time, from the same results: enough to keep workers busy."""
_UNKNOWN: Final = 400.0
"""The standard error of a difference, in Elo, before two bots have met in any way."""
_PER_GAME: Final = (400 / np.log(10)) ** 2 * 4
"""The variance in Elo² that one game between equals leaves: 1/(p(1 − p)) with p = 1/2."""


class Ladder(Struct, frozen=True):
    """Plays until so many matches are played, or until it is stopped."""

    follows_results: ClassVar[bool] = True

    names: tuple[str, ...]
    sides: int
    budget: int | None

    def slots(self, played: Played) -> Iterable[Slot]:
        """What is missing of deals that were begun; then the next batch of deals."""
        begun = {(slot.group, slot.deal) for slot in played}
        wanted = [
            slot
            for group, deal in sorted(begun)
            for slot in schedule.rotations(group, deal)
            if slot not in played
        ]
        if wanted or (self.budget is not None and len(played) >= self.budget):
            return wanted
        return self._next(played)

    def matches(self) -> int | None:
        """The budget."""
        return self.budget

    def _next(self, played: Played) -> list[Slot]:
        doubt = _Doubt(sorted(self.names), played)
        deals = Counter(slot.group for slot in played if slot.rotation == 0)
        batch: list[Slot] = []
        for _ in range(BATCH):
            group = doubt.best_group(self.sides)
            batch += schedule.rotations(group, deals[group])
            deals[group] += 1
            doubt.expect(group)
        return batch


class _Doubt:
    """How uncertain the order of each two bots is, from the results so far."""

    def __init__(self, names: Sequence[str], played: Played) -> None:
        self._names = names
        bots = len(names)
        self._difference = np.zeros((bots, bots))
        self._variance = np.full((bots, bots), _UNKNOWN**2)
        """Of each difference, in Elo²."""
        if played:
            self._learn(played)

    def best_group(self, sides: int) -> Group:
        """The group whose pairs a deal would settle most, grown from its best pair."""
        gain = self._gain()
        first, second = np.unravel_index(int(np.argmax(gain)), gain.shape)
        group = [int(first), int(second)]
        while len(group) < sides:
            joined = gain[group].sum(axis=0)
            joined[group] = -1
            group.append(int(np.argmax(joined)))
        return tuple(sorted(self._names[bot] for bot in group))

    def expect(self, group: Group) -> None:
        """Count a deal of a group that was chosen, before its result is there."""
        bots = [self._names.index(name) for name in group]
        for a, b in combinations(bots, 2):
            left = _after_a_deal(self._variance[a, b], len(group))
            self._variance[a, b] = self._variance[b, a] = left

    def _learn(self, played: Played) -> None:
        results = Results.collect(
            Result(number, repr((slot.group, slot.deal)), slot.group, ranks)
            for number, (slot, ranks) in enumerate(sorted(played.items()))
        )
        rated = rate(results)
        at = np.ix_(*[[self._names.index(name) for name in results.names]] * 2)
        self._difference[at] = np.subtract.outer(rated.elo, rated.elo)
        error = rated.difference_error / Z95
        self._variance[at] = np.where(np.isnan(error), _UNKNOWN**2, error**2)

    def _gain(self) -> Floats:
        """For each pair the chance that its order is wrong, times the variance that a deal takes.

        For normal errors the chance is Φ(−|difference| / error).
        """
        error = np.sqrt(np.maximum(self._variance, 1e-9))
        wrong = np.vectorize(erfc)(np.abs(self._difference) / error / sqrt(2)) / 2
        gain = wrong * (1 - _after_a_deal(self._variance, 2) / np.maximum(self._variance, 1e-9))
        np.fill_diagonal(gain, -1)
        return np.asarray(gain)


def _after_a_deal(variance: Floats, sides: int) -> Floats:
    """The variance that is left of a difference after a deal, one game per rotation and pair."""
    games = sides / (sides - 1)
    return np.asarray(variance * _PER_GAME / (_PER_GAME + games * variance))
