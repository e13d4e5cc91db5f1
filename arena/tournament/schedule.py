"""Who plays whom on which deal, and in which seats. Pure: a schedule follows from its arguments.

The unit is a deal of a group, played once per rotation, so that every bot of the group plays the
same deal from every side. Slots sort in the order they are played.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, count
from math import comb

from msgspec import Struct

from arena.store.model import Slot
from arena.tournament import seeds

Group = tuple[str, ...]
"""The names of bots that meet, sorted."""


def groups(names: Iterable[str], sides: int) -> Iterator[Group]:
    """All sets of bots that can meet in a match of so many sides."""
    return combinations(sorted(names), sides)


def round_robin(names: Sequence[str], sides: int, deals: int) -> Iterator[Slot]:
    """Every group plays so many deals: deal 0 of all groups, then deal 1, ….

    Each deal's rotations follow one another. More deals or bots add slots and change none.
    """
    for number in range(deals):
        for group in groups(names, sides):
            yield from rotations(group, number)


def rotations(group: Group, deal: int) -> Iterator[Slot]:
    """The slots of one deal of a group: a rotation per side."""
    return (Slot(deal, group, rotation) for rotation in range(len(group)))


def seating(seed: str, slot: Slot, sides: Sequence[int]) -> tuple[str, ...]:
    """Who holds each seat: the deal's order, shifted cyclically by the rotation.

    Args:
        seed: the run's seed.
        slot: with a name per side in its group.
        sides: the side of each seat; an entrant holds all seats of its side.
    """
    order = seeds.order(seed, slot.group, slot.deal)
    return tuple(order[(side + slot.rotation) % len(order)] for side in sides)


def balanced_sample(
    names: Sequence[str], sides: int, matches: int, seed: str, played: Iterable[Slot] = ()
) -> list[Slot]:
    """So many matches, rounded up to whole deals, in which all play and meet as equally as can be.

    Deal by deal the bots are chosen that played least, among them those that met the chosen ones
    least, so no bot is ever more than a deal ahead of another. With two sides no pair is more
    than a deal ahead of another either; with three or four, where choosing greedily is not always
    best, seldom by more than three. A larger number of matches only appends.

    Args:
        names: the bots.
        sides: how many of them meet in a match.
        matches: the total, with what was played.
        seed: decides where bots are equal.
        played: slots that stay and count, also when bots have joined since. Their deals come
            first, with the rotations that are missing. Slots of bots not in `names` are ignored.
    """
    sample = _Sample(names, sides, seed)
    for slot in sorted(played):
        sample.keep(slot)
    while len(sample.deals) * sides < matches and len(names) >= sides:
        sample.deal_next()
    return [slot for group, number in sample.deals for slot in rotations(group, number)]


class _Sample:
    """The deals chosen so far, and who played and met how often. Bots are numbered."""

    def __init__(self, names: Sequence[str], sides: int, seed: str) -> None:
        self.deals: dict[tuple[Group, int], None] = {}
        self._sides = sides
        self._seed = seed
        self._names = seeds.order(seed, names, 0)
        bots = range(len(names))
        self._number = {name: number for number, name in enumerate(self._names)}
        self._played = [0 for _ in bots]
        self._meetings = [[0 for _ in bots] for _ in bots]
        self._rounds = [
            [circle_round(a, b, len(names)) if sides == 2 else 0 for b in bots] for a in bots
        ]

    def keep(self, slot: Slot) -> None:
        """Count the deal of a slot that was played, once."""
        known = all(name in self._number for name in slot.group)
        if known and (slot.group, slot.deal) not in self.deals:
            self._add(slot.group, slot.deal)

    def deal_next(self) -> None:
        """Add a deal of those that played and met least."""
        group = tuple(sorted(self._names[bot] for bot in self._choose()))
        self._add(group, next(number for number in count() if (group, number) not in self.deals))

    def _choose(self) -> list[int]:
        """The bots of the next deal, one by one. Meetings weigh squared: better 1 + 1 than 2.

        Between equals the rounds decide where two meet, else a draw.
        """
        bots = len(self._names)
        chosen: list[int] = []
        left = set(range(bots))
        met: Sequence[int] = [0] * bots
        ties = met if self._sides == 2 else seeds.draws(self._seed, len(self.deals), bots)
        for _ in range(self._sides):
            key = list(zip(self._played, met, ties, range(bots), strict=True))
            bot = min(left, key=key.__getitem__)
            left.remove(bot)
            chosen.append(bot)
            met = [m + n * n for m, n in zip(met, self._meetings[bot], strict=True)]
            ties = [t + n for t, n in zip(ties, self._rounds[bot], strict=True)]
        return chosen

    def _add(self, group: Group, number: int) -> None:
        self.deals[group, number] = None
        bots = [self._number[name] for name in group]
        for bot in bots:
            self._played[bot] += 1
        for a, b in combinations(bots, 2):
            self._meetings[a][b] += 1
            self._meetings[b][a] += 1


def circle_round(a: int, b: int, bots: int) -> int:
    """When two of so many bots meet in an all-play-all where all play equally often.

    For an even number by the circle method (Kirkman, 1847): one bot stays, the others turn, and
    in each round everybody plays once. For an odd number one would rest in each such round, so
    the rounds come from Walecki's Hamiltonian cycles (1892): three rounds, two matches for each.
    """
    if a == b:
        return 0
    low, high = sorted((a, b))
    others = bots - 1
    if bots % 2 == 0:
        return (low * 2 if high == others else low + high) % others
    if high == others:
        second_visit, cycle = divmod(low, others // 2)
        return 3 * cycle + second_visit
    cycle, second_half = divmod((low + high) % others, 2)
    return 3 * cycle + 2 * second_half


class Span(Struct, frozen=True):
    """The least and the greatest of a set of counts."""

    least: int
    most: int


class Plan(Struct, frozen=True):
    """What a schedule amounts to."""

    matches: int
    groups: int
    """How many different sets of bots meet."""
    meetings: Span
    """In how many matches a pair of bots meets."""
    appearances: Span
    """In how many matches a bot plays."""


def round_robin_plan(bots: int, sides: int, deals: int) -> Plan:
    """What `round_robin` amounts to, without going through it."""
    number = comb(bots, sides)
    matches = number * sides * deals
    meetings = matches * comb(sides, 2) // (comb(bots, 2) or 1)
    appearances = matches * sides // (bots or 1)
    return Plan(matches, number, Span(meetings, meetings), Span(appearances, appearances))


def plan(names: Sequence[str], slots: Iterable[Slot]) -> Plan:
    """What a list of slots amounts to for these bots."""
    matches: dict[Group, int] = {}
    for slot in slots:
        matches[slot.group] = matches.get(slot.group, 0) + 1
    meetings = dict.fromkeys(combinations(sorted(names), 2), 0)
    appearances = dict.fromkeys(names, 0)
    for group, number in matches.items():
        for pair in combinations(group, 2):
            meetings[pair] += number
        for name in group:
            appearances[name] += number
    return Plan(
        sum(matches.values()), len(matches), _span(meetings.values()), _span(appearances.values())
    )


def _span(counts: Collection[int]) -> Span:
    return Span(min(counts, default=0), max(counts, default=0))
