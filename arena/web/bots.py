"""What a bot's page shows: its ratings and how they came, its opponents, seats and faults."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from arena.ratings import sequential
from arena.ratings.results import Results
from arena.store.db import EVERYTHING, Store
from arena.store.errors import NotFound
from arena.store.model import Filter, MatchSummary
from arena.store.results import Columns
from arena.tournament.standings import Row, Standings, tables
from arena.web import charts

MOMENTS: Final = 80
"""Points of a rating's curve."""
FAULTS_SHOWN: Final = 12
TAIL: Final = 600
"""Characters of a bot's stderr."""


class Opponent(Struct, frozen=True):
    """What a bot took from another."""

    name: str
    matches: int
    share: float
    los: float | None


class SeatRecord(Struct, frozen=True):
    """How a bot does on one side of the table."""

    side: int
    matches: int
    share: float
    """Of the points between it and all others at the table."""


class Version(Struct, frozen=True):
    """A program that played under the name."""

    digest: str
    matches: int
    network: bool


class Career(Struct, frozen=True):
    """A bot in one pool."""

    table: Standings
    row: Row
    opponents: Sequence[Opponent]
    seats: Sequence[SeatRecord]
    versions: Sequence[Version]
    chart: Markup


class Incident(Struct, frozen=True):
    """A fault."""

    match: str
    game: str
    code: str
    message: str
    turn: int
    stderr: str
    """The end of it, empty where nothing was kept."""


class Bot(Struct, frozen=True):
    """All that a bot's page shows."""

    name: str
    careers: Sequence[Career]
    matches: int
    faults: int
    incidents: Sequence[Incident]
    """The latest."""


class Rated(Struct, frozen=True):
    """A table with what it was made from, and the rating of each bot from match to match."""

    table: Standings
    columns: Columns
    course: sequential.History


def rated(store: Store, wanted: Filter = EVERYTHING) -> list[Rated]:
    """All tables that a filter lets through; the pages of all bots are made from these."""
    pools: dict[str, tuple[Columns, sequential.History]] = {}
    for pool in store.pools(wanted):
        columns = store.results(pool)
        pools[pool.runs[0].id] = columns, _course(columns)
    return [Rated(table, *pools[table.runs[0]]) for table in tables(store, wanted, luck=True)]


def bot_of(store: Store, name: str, found: Iterable[Rated], wanted: Filter = EVERYTHING) -> Bot:
    """A bot's page.

    Args:
        store: has its faults.
        name: the bot's.
        found: the tables; those are looked through that have it.
        wanted: the filter that let them through.

    Raises:
        NotFound: no bot of this name has played.
    """
    careers = list(_careers(name, found))
    if not careers:
        raise NotFound(f"no bot {name[:40]!r} has played here")
    return Bot(
        name=name,
        careers=careers,
        matches=sum(career.row.matches for career in careers),
        faults=sum(career.row.faults for career in careers),
        incidents=list(_incidents(store, name, wanted)),
    )


def names_of(store: Store) -> list[str]:
    """All bots that have a page, by name."""
    return sorted({row.name for table in tables(store, EVERYTHING) for row in table.bots})


def _careers(name: str, found: Iterable[Rated]) -> Iterator[Career]:
    for one in found:
        row = next((row for row in one.table.bots if row.name == name), None)
        if row is not None:
            yield _career(one, row)


def _career(rated: Rated, row: Row) -> Career:
    table, columns = rated.table, rated.columns
    own = [n for n, contender in enumerate(columns.contenders) if contender.name == row.name]
    latest = next(n for n in own if columns.contenders[n].digest == row.digest)
    played = np.bincount(columns.bots.ravel(), minlength=len(columns.contenders))
    return Career(
        table=table,
        row=row,
        opponents=list(_opponents(table, row.name)),
        seats=list(_seats(columns, latest)),
        versions=[
            Version(columns.contenders[n].digest, int(played[n]), columns.contenders[n].network)
            for n in own
        ],
        chart=_chart(rated.course, latest, row.name),
    )


def _opponents(table: Standings, name: str) -> Iterator[Opponent]:
    for pair in table.pairs:
        if pair.a == name:
            yield Opponent(pair.b, pair.matches, pair.a_points, pair.los)
        elif pair.b == name:
            los = None if pair.los is None else 1 - pair.los
            yield Opponent(pair.a, pair.matches, 1 - pair.a_points, los)


def _seats(columns: Columns, bot: int) -> Iterator[SeatRecord]:
    sides = columns.bots.shape[1]
    for side in range(sides):
        ranks = columns.ranks[columns.bots[:, side] == bot]
        if len(ranks):
            others = np.delete(ranks, side, axis=1)
            points = (1 + np.sign(others - ranks[:, [side]])) / 2
            yield SeatRecord(side, len(ranks), float(points.mean()))


def _course(columns: Columns) -> sequential.History:
    """The sequential ratings of all contenders, in their order."""
    results = Results.from_columns(
        [f"{number:09}" for number in range(len(columns.contenders))],  # names are sorted
        slots=np.arange(len(columns.bots)),
        clusters=columns.clusters,
        bots=columns.bots,
        ranks=columns.ranks,
    )
    return sequential.history(results, MOMENTS)


def _chart(course: sequential.History, bot: int, name: str) -> Markup:
    """The bot's sequential rating over the matches of the table."""
    ratings = [moment[bot] for moment in course.ratings]
    first, last = round(ratings[0]), round(ratings[-1])
    return charts.history(
        course.matches,
        ratings,
        f"Rating of {name} over {course.matches[-1]} matches, from {first} to {last}",
    )


def _incidents(store: Store, name: str, wanted: Filter) -> Iterator[Incident]:
    faulted = (
        (match, fault.seat)
        for match in store.matches(replace(wanted, bot=name, faulted=True))
        for fault in match.faults
        if match.bots[fault.seat] == name
    )
    for match, seat in list(islice(faulted, FAULTS_SHOWN)):
        yield _incident(store, match, seat)


def _incident(store: Store, match: MatchSummary, seat: int) -> Incident:
    fault = next(fault for fault in store.record(match.match).faults if fault.seat == seat)
    stderr = store.log(match.match, seat) or ""
    return Incident(match.match, match.game, fault.code, fault.message, fault.turn, stderr[-TAIL:])
