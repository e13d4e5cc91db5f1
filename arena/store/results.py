"""The results of a pool as columns of integers, for the ratings. Imports numpy: import it late."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from arena.store.connection import Database
from arena.store.text import from_json

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROW = np.dtype([(name, "i8") for name in ("key", "group", "deal", "rotation", "outcome")])


class Contender(Struct, frozen=True, order=True):
    """A bot in a pool. Where different bots sit in the seats of a team, all of them: `a+b`."""

    name: str
    digest: str
    network: bool = False
    """It calls a service."""


class Columns(Struct, frozen=True):
    """*m* matches of *n* sides each, run after run, in slot order."""

    contenders: tuple[Contender, ...]
    """Those that took part, sorted; `bots` numbers them from 0."""
    bots: Ints
    """Shape (m, n): the contender on each side."""
    ranks: Ints
    """Shape (m, n): 1 is the best; those who share take the better rank."""
    faults: Ints
    """Shape (m, n): how many seats of the side were faulted."""
    clusters: Ints
    """Shape (m,): any integer, equal for the rotations of one deal by one group."""
    luck: Floats | None = None
    """Shape (m, n): what chance gave each side, nan where that is not known; None: nowhere."""


def columns(
    db: Database, run_keys: Sequence[int], sides: Sequence[int], evaluator: str | None = None
) -> Columns:
    """The results of these runs, which agree in the side of each seat.

    `evaluator` is the digest of the evaluator whose word on luck is wanted.
    """
    groups = _Groups(db, run_keys)
    matches = np.fromiter(
        db.each(
            "SELECT key, group_key, deal, rotation, outcome_key FROM matches "
            f"WHERE run_key IN ({_listed(run_keys)})"
        ),
        _ROW,
    )
    place = groups.places(matches["group"])
    deal = matches["deal"]
    order = np.lexsort((matches["rotation"], place, deal, groups.runs[place]))
    place, deal, matches = place[order], deal[order], matches[order]
    outcomes = _Outcomes(db, matches["outcome"], sides)
    seated = np.take_along_axis(groups.bots[place], outcomes.seating, axis=1)
    contenders, bots = _contenders(db, seated, sides)
    return Columns(
        contenders=contenders,
        bots=bots,
        ranks=outcomes.ranks,
        faults=outcomes.faults,
        clusters=place * (deal.max(initial=0) + 1) + deal,
        luck=None if evaluator is None else _luck(db, evaluator, matches["key"], outcomes.ranks),
    )


def _luck(db: Database, evaluator: str, keys: Ints, ranks: Ints) -> Floats | None:
    """What chance gave each side of the matches with these keys; of the shape of their ranks."""
    luck = np.full(ranks.shape, np.nan)
    place = {key: row for row, key in enumerate(keys.tolist())}
    for key, sides in db.each("SELECT match_key, sides FROM luck WHERE evaluator = ?", evaluator):
        if key in place:
            luck[place[key]] = np.frombuffer(sides, "<f4")
    return None if np.isnan(luck).all() else luck


class _Groups:
    """The groups of some runs, in the order that slots have within a deal."""

    def __init__(self, db: Database, run_keys: Sequence[int]) -> None:
        rows = db.all(
            "SELECT groups.key, run_key, bots FROM groups JOIN runs ON runs.key = run_key "
            f"WHERE run_key IN ({_listed(run_keys)}) ORDER BY created, run_key, names, bots"
        )
        self._keys = np.array([key for key, _, _ in rows], dtype=np.int64)
        self._sorter = np.argsort(self._keys)
        position = {
            key: number for number, key in enumerate(dict.fromkeys(run for _, run, _ in rows))
        }
        self.runs = np.array([position[run] for _, run, _ in rows], dtype=np.int64)
        """Shape (groups,): the position of each group's run."""
        self.bots = _table([from_json(bots) for _, _, bots in rows])
        """Shape (groups, bots): the keys of each group's bots, filled up with 0."""

    def places(self, keys: Ints) -> Ints:
        """The place of each group, given by its key."""
        return self._sorter[np.searchsorted(self._keys, keys, sorter=self._sorter)]


class _Outcomes:
    """How matches went; every array has a row per match."""

    def __init__(self, db: Database, keys: Ints, sides: Sequence[int]) -> None:
        used, which = np.unique(keys, return_inverse=True)
        rows = db.all(
            "SELECT seating, ranks, faults FROM outcomes "
            f"WHERE key IN ({_listed(used.tolist())}) ORDER BY key"
        )
        first_seats = [sides.index(side) for side in range(max(sides) + 1)]
        seating, ranks, faults = ([from_json(row[i]) for row in rows] for i in range(3))
        self.seating = _table(seating, len(sides))[which]
        """Shape (m, seats): the place in the group of who held the seat."""
        self.ranks = _table(ranks, len(sides))[:, first_seats][which]
        """Shape (m, n)."""
        self.faults = _table([_per_side(told, sides) for told in faults], len(first_seats))[which]
        """Shape (m, n): faulted seats of each side."""


def _per_side(faults: Sequence[tuple[int, str]], sides: Sequence[int]) -> list[int]:
    faulted = [sides[seat] for seat, _ in faults]
    return [faulted.count(side) for side in range(max(sides) + 1)]


def _contenders(
    db: Database, seated: Ints, sides: Sequence[int]
) -> tuple[tuple[Contender, ...], Ints]:
    """Who stands on each side, given the key of the bot in each seat."""
    known = {
        key: Contender(name, digest, bool(network))
        for key, name, digest, network in db.all(
            "SELECT key, name, digest, max(ifnull(network, 0)) FROM bots "
            "LEFT JOIN entrants ON bot_key = key GROUP BY key"
        )
    }
    base = max(known, default=0) + 1
    team = np.zeros((len(seated), max(sides) + 1), dtype=np.int64)
    for seat, side in enumerate(sides):
        team[:, side] = team[:, side] * base + seated[:, seat]
    teams, which = np.unique(team, return_inverse=True)
    found = [_joined({known[key] for key in _digits(number, base)}) for number in teams.tolist()]
    contenders = sorted(set(found))
    number = {contender: n for n, contender in enumerate(contenders)}
    renumbered = np.array([number[contender] for contender in found], dtype=np.int64)
    return tuple(contenders), renumbered[which].reshape(team.shape)


def _joined(members: set[Contender]) -> Contender:
    ordered = sorted(members)
    return Contender(
        "+".join(member.name for member in ordered),
        "+".join(member.digest for member in ordered),
        any(member.network for member in ordered),
    )


def _digits(number: int, base: int) -> list[int]:
    digits = []
    while number:
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits


def _table(rows: Sequence[Sequence[int]], width: int = 0) -> Ints:
    """Rows as an array, filled up with 0 to the longest, or to a width."""
    width = max(map(len, rows), default=width)
    return np.array([[*row, *(0,) * (width - len(row))] for row in rows], dtype=np.int64).reshape(
        len(rows), width
    )


def _listed(keys: Sequence[int]) -> str:
    return ", ".join(map(str, keys))
