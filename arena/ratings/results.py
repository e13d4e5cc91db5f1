"""Match results as columns: what every rating is computed from."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from . import RatingError

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


class Result(Struct, frozen=True):
    """One match, as the ratings see it. Sequences have an entry per side."""

    slot: int
    """The match's place in the schedule; no two matches share one."""
    cluster: str
    """Names the deal and the group that met on it: all rotations of a deal share it."""
    bots: tuple[str, ...]
    """An identifier of the bot on each side, opaque here."""
    ranks: tuple[int, ...]
    """1 is the best; those who share a place take the better rank."""
    faults: tuple[int, ...] = ()
    """How many faults each side was charged; left out: none."""


class Results(Struct, frozen=True):
    """*m* matches of *n* sides each, in slot order.

    The order of the input is forgotten here, so that every sum over matches is taken in
    slot order and the same matches give the same bytes.
    """

    names: tuple[str, ...]
    """The bots that took part, sorted; the columns number them from 0."""
    clusters: Ints
    """Shape (m,): the cluster of each match, numbered from 0 in slot order."""
    bots: Ints
    """Shape (m, n): the bot on each side."""
    ranks: Ints
    """Shape (m, n)."""
    faults: Ints
    """Shape (m, n)."""
    luck: Floats | None = None
    """Shape (m, n): what chance gave each side, in shares of the win; nan: not known."""
    corrections: Floats | None = None
    """Shape (n (n − 1), m): what is taken off the points of the first of each ordered pair of
    sides, in the order of `pair_results`. None: the results count as they are."""

    @classmethod
    def collect(cls, results: Iterable[Result]) -> "Results":
        """The columns of these results; raises RatingError as `from_columns` does."""
        rows = list(results)
        sides = {len(row.bots) for row in rows}
        if len(sides) > 1:
            counts = " and ".join(map(str, sorted(sides)))
            raise RatingError(f"matches of {counts} sides cannot stand in one table")
        shape = (len(rows), *sides) if rows else (0, 2)
        names = sorted({bot for row in rows for bot in row.bots})
        number = {name: i for i, name in enumerate(names)}
        clusters = {cluster: i for i, cluster in enumerate({row.cluster for row in rows})}
        none = (0,) * shape[1]
        return cls.from_columns(
            names,
            slots=[row.slot for row in rows],
            clusters=[clusters[row.cluster] for row in rows],
            bots=np.array([number[bot] for row in rows for bot in row.bots]).reshape(shape),
            ranks=np.array([rank for row in rows for rank in row.ranks]).reshape(shape),
            faults=np.array([row.faults or none for row in rows]).reshape(shape),
        )

    @classmethod
    def from_columns(
        cls,
        names: Sequence[str],
        *,
        slots: ArrayLike,
        clusters: ArrayLike,
        bots: ArrayLike,
        ranks: ArrayLike,
        faults: ArrayLike | None = None,
        luck: ArrayLike | None = None,
    ) -> "Results":
        """Results from arrays, the fast way for a million matches.

        `slots` and `clusters` have the shape (m,): `clusters` holds any integers, equal for
        the rotations of one deal. `bots` (positions in `names`), `ranks`, `faults` and `luck`
        have the shape (m, n). Names without a match are left out. Raises RatingError for
        matches of fewer than two sides and for two matches in one slot.
        """
        slot, cluster, bot, rank = (
            np.asarray(column, dtype=np.int64) for column in (slots, clusters, bots, ranks)
        )
        fault = np.zeros_like(bot) if faults is None else np.asarray(faults, dtype=np.int64)
        if bot.ndim != 2 or bot.shape[1] < 2:
            raise RatingError("a match needs at least two sides to be rated")
        order = np.argsort(slot)
        slot = slot[order]
        if (repeated := slot[1:] == slot[:-1]).any():
            raise RatingError(f"two matches stand in slot {slot[1:][repeated][0]}")
        present, bot = _sorted_names(names, bot[order])
        lucky = None if luck is None else np.asarray(luck, dtype=np.float64)[order]
        return cls(present, _by_first(cluster[order]), bot, rank[order], fault[order], lucky)

    @property
    def sides(self) -> int:
        """How many sides a match has."""
        return int(self.bots.shape[1])

    def of(self, bots: Sequence[int]) -> "Results":
        """The matches in which only these bots (numbers) took part."""
        kept = np.isin(self.bots, bots).all(axis=1)
        present, numbers = _sorted_names(self.names, self.bots[kept])
        clusters = _by_first(self.clusters[kept])
        luck = None if self.luck is None else self.luck[kept]
        return Results(present, clusters, numbers, self.ranks[kept], self.faults[kept], luck)


class Crosstable(Struct, frozen=True):
    """Who met whom, and how it went; the arrays have the shape (bots, bots)."""

    sides: int
    """How many sides a match has."""
    matches: Ints
    """In how many matches two bots met."""
    half_points: Floats
    """What the row took from the column: 2 for each better rank, 1 for each equal one, less the
    corrections; whole numbers where there are none."""

    @property
    def games(self) -> Floats:
        """The matches, weighted 1/(n − 1): each side of a match counts as one game."""
        return np.asarray(self.matches / (self.sides - 1))

    @property
    def points(self) -> Floats:
        """The points that the row took from the column, out of `games`."""
        return np.asarray(self.half_points / (2 * (self.sides - 1)))


def crosstable(results: Results) -> Crosstable:
    """What passed in all matches between each two bots."""
    shape = (len(results.names), len(results.names))
    matches = np.zeros(shape, dtype=np.int64)
    half_points = np.zeros(shape)
    for _, cell, earned in pair_results(results):
        matches += np.bincount(cell, minlength=matches.size).reshape(shape)
        half_points += np.bincount(cell, earned, matches.size).reshape(shape)
    return Crosstable(results.sides, matches, half_points)


def pair_results(results: Results) -> Iterator[tuple[int, Ints, Ints | Floats]]:
    """For each ordered pair of sides: the first side, which bots met, what the first one took.

    Both arrays have the shape (m,). Bots are named by their cell of a crosstable, row · bots +
    column; what the row took is in half points, less the corrections.
    """
    bots = len(results.names)
    for pair, (side, other) in enumerate(permutations(range(results.sides), 2)):
        cell = results.bots[:, side] * bots + results.bots[:, other]
        earned = 1 + np.sign(results.ranks[:, other] - results.ranks[:, side])
        if results.corrections is None:
            yield side, cell, earned
        else:
            yield side, cell, earned - 2 * results.corrections[pair]


def _sorted_names(names: Sequence[str], bots: Ints) -> tuple[tuple[str, ...], Ints]:
    """The names that take part, sorted, and the bots numbered by them."""
    counts = np.bincount(bots.ravel(), minlength=len(names))
    present = sorted(np.flatnonzero(counts).tolist(), key=names.__getitem__)
    number = np.zeros(len(names), dtype=np.int64)
    number[present] = np.arange(len(present))
    return tuple(names[i] for i in present), number[bots]


def _by_first(labels: Ints) -> Ints:
    """The labels renumbered from 0 in the order of their first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return number[inverse]
