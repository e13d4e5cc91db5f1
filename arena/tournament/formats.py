"""Formats: which slots a tournament plays, given what was played so far. Pure.

A format names the slots that follow from the results so far; when they are played it is asked
again, until it names none that is open. So every format continues from the stored matches alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import ceil, comb, log2
from typing import ClassVar, Final, Protocol, TypeAlias

from msgspec import Struct

from arena.store.model import Slot
from arena.tournament import schedule, seeds
from arena.tournament.schedule import Group

Played: TypeAlias = Mapping[Slot, tuple[int, ...]]
"""The slots that hold a match, each with the rank of each bot, in the order of the group."""


AGAIN: Final = 1e6
"""What meeting again weighs in a Swiss round, against squared differences in score."""


class Format(Protocol):
    """Says what is played."""

    follows_results: ClassVar[bool]
    """What it names depends on results; else it names all at once, and nothing is remembered."""

    def slots(self, played: Played) -> Iterable[Slot]:
        """What is to be played so far, in order; slots that are played may be among them."""

    def matches(self) -> int | None:
        """How many matches it plays in all; None: until it is stopped."""


class RoundRobin(Struct, frozen=True):
    """Every group of bots plays so many deals."""

    follows_results: ClassVar[bool] = False

    names: tuple[str, ...]
    sides: int
    deals: int

    def slots(self, played: Played) -> Iterable[Slot]:  # noqa: ARG002  # results change nothing
        """Deal 0 of all groups, then deal 1, …."""
        return schedule.round_robin(self.names, self.sides, self.deals)

    def matches(self) -> int:
        """Every group, every deal, every rotation."""
        return comb(len(self.names), self.sides) * self.sides * self.deals


class Sample(Struct, frozen=True):
    """A balanced part of a round robin."""

    follows_results: ClassVar[bool] = False

    names: tuple[str, ...]
    sides: int
    wanted: int
    """Matches, rounded up to whole deals."""
    seed: str

    def slots(self, played: Played) -> Iterable[Slot]:
        """What is played counts, also when bots have joined since."""
        return schedule.balanced_sample(self.names, self.sides, self.wanted, self.seed, played)

    def matches(self) -> int:
        """Whole deals."""
        return ceil(self.wanted / self.sides) * self.sides


class Gauntlet(Struct, frozen=True):
    """Challengers meet the field, not each other."""

    follows_results: ClassVar[bool] = False

    challengers: tuple[str, ...]
    field: tuple[str, ...]
    sides: int
    deals: int

    def slots(self, played: Played) -> Iterable[Slot]:  # noqa: ARG002  # results change nothing
        """Each challenger meets every part of the field that fills a match, deal by deal."""
        groups = [
            tuple(sorted((challenger, *others)))
            for challenger in self.challengers
            for others in combinations(sorted(self.field), self.sides - 1)
        ]
        for deal in range(self.deals):
            for group in groups:
                yield from schedule.rotations(group, deal)

    def matches(self) -> int:
        """Every challenger, every part of the field, every deal, every rotation."""
        fields = comb(len(self.field), self.sides - 1)
        return len(self.challengers) * fields * self.sides * self.deals


class Swiss(Struct, frozen=True):
    """In each round bots of like score meet that have met least."""

    follows_results: ClassVar[bool] = True

    names: tuple[str, ...]
    sides: int
    deals: int
    """Deals that a group plays in a round."""
    rounds: int
    seed: str

    def slots(self, played: Played) -> Iterable[Slot]:
        """All rounds whose pairings are known: each follows from the results of those before."""
        standing = _SwissStanding(self.names, self.seed)
        slots: list[Slot] = []
        for _ in range(self.rounds):
            now = [slot for group in standing.pair(self.sides) for slot in self._meet(group, slots)]
            slots += now
            if not all(slot in played for slot in now):
                break
            standing.count({slot: played[slot] for slot in now})
        return slots

    def matches(self) -> int:
        """Every round leaves out only those who cannot fill a match."""
        return self.rounds * (len(self.names) // self.sides) * self.sides * self.deals

    def _meet(self, group: Group, before: Sequence[Slot]) -> Iterator[Slot]:
        first = 1 + max((slot.deal for slot in before if slot.group == group), default=-1)
        for deal in range(first, first + self.deals):
            yield from schedule.rotations(group, deal)


def usual_rounds(bots: int, sides: int) -> int:
    """Rounds enough to tell a winner: one more than halvings (of two sides) make of the field."""
    return 1 + ceil(log2(max(2, bots)) / log2(sides))


class _SwissStanding:
    """Scores, meetings and byes after some rounds of a Swiss tournament."""

    def __init__(self, names: Sequence[str], seed: str) -> None:
        self._order = seeds.order(seed, names, 0)
        """Decides between equals."""
        self._score = dict.fromkeys(names, 0.0)
        self._byes = dict.fromkeys(names, 0)
        self._met: dict[tuple[str, str], int] = {}

    def pair(self, sides: int) -> list[Group]:
        """The groups of the next round; those left over sit out, which counts as half."""
        resting = self._rest(len(self._order) % sides)
        for name in resting:
            self._byes[name] += 1
            self._score[name] += 0.5
        waiting = sorted(
            (name for name in self._order if name not in resting), key=lambda n: -self._score[n]
        )
        groups: list[list[str]] = []
        while waiting:
            group = [waiting.pop(0)]
            while len(group) < sides:
                group.append(waiting.pop(self._best_opponent(group, waiting)))
            groups.append(group)
        while self._improve(groups):
            pass
        return [tuple(sorted(group)) for group in groups]

    def count(self, results: Played) -> None:
        """Count a round: each bot gets its share of the points it played for."""
        earned: dict[str, list[float]] = {}
        for slot, ranks in results.items():
            for name, rank in zip(slot.group, ranks, strict=True):
                earned.setdefault(name, []).append(_share(rank, ranks))
        for name, shares in earned.items():
            self._score[name] += sum(shares) / len(shares)
        for group in {slot.group for slot in results}:
            for pair in combinations(group, 2):
                self._met[pair] = self._met.get(pair, 0) + 1

    def _rest(self, count: int) -> set[str]:
        """Who sits out: who did so least often, the lowest first."""
        candidates = sorted(self._order, key=lambda name: (self._byes[name], self._score[name]))
        return set(candidates[:count])

    def _best_opponent(self, group: Sequence[str], waiting: Sequence[str]) -> int:
        """The next in the standing of those who met the group least."""
        meetings = [sum(self._meetings(name, other) for other in group) for name in waiting]
        return meetings.index(min(meetings))

    def _improve(self, groups: list[list[str]]) -> bool:
        """Swap two bots of two groups if that is better; the last groups take what was left."""
        for one, other in combinations(groups, 2):
            before = self._strain(one) + self._strain(other)
            for i, j in product(range(len(one)), range(len(other))):
                one[i], other[j] = other[j], one[i]
                if self._strain(one) + self._strain(other) < before:
                    return True
                one[i], other[j] = other[j], one[i]
        return False

    def _strain(self, group: Sequence[str]) -> float:
        """How bad a group is: meeting again is worse than any difference in score."""
        pairs = list(combinations(group, 2))
        again = sum(self._meetings(*pair) ** 2 for pair in pairs)
        apart = sum((self._score[a] - self._score[b]) ** 2 for a, b in pairs)
        return again * AGAIN + apart

    def _meetings(self, one: str, other: str) -> int:
        return self._met.get((min(one, other), max(one, other)), 0)


def _share(rank: int, ranks: Sequence[int]) -> float:
    """The points against each other rank, as a share: 1 beats all, 0.5 equals all."""
    beaten = sum(other > rank for other in ranks)
    equal = sum(other == rank for other in ranks) - 1
    return (beaten + equal / 2) / (len(ranks) - 1)
