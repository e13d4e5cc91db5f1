"""What the leaderboard shows: a table per pool, and who took how much from whom."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from arena.store.db import Store
from arena.store.model import Filter
from arena.tournament.reports import has_luck, luck_note
from arena.tournament.standings import Pair, Row, Standings, tables
from engine.options import options_text

MOST_CROSSED: Final = 40
"""Bots in a table that still has a crosstable."""
HEAT: Final = 10
"""Levels of colour in a crosstable, 0 … 10."""


class Cell(Struct, frozen=True):
    """What the bot of a row took from the bot of a column."""

    share: float
    matches: int
    los: float | None
    """The likelihood that the bot of the row is the stronger."""

    @property
    def heat(self) -> int:
        """The level of colour."""
        return round(self.share * HEAT)


class Board(Struct, frozen=True):
    """A table as it is shown."""

    table: Standings
    matches: int
    """Stored of its runs."""
    low: float
    """Where the scale of the whiskers begins, in Elo."""
    high: float
    crosstable: Sequence[Sequence[Cell | None]]
    """Rows and columns in the order of the bots; empty where there are too many."""
    number: int
    """Counts the tables of a page from 1."""
    luck: str
    """What the ratings freed from luck gain; empty where there are none."""


class Choices(Struct, frozen=True):
    """What the filters of a page offer."""

    games: Sequence[str]
    options: Sequence[str]
    seats: Sequence[int]
    runs: Sequence[str]


def boards(store: Store, wanted: Filter) -> list[Board]:
    """The tables of the pools that a filter lets through.

    Raises:
        NotFound: the run of the filter is not there.
    """
    return boards_of(store, tables(store, wanted, luck=True))


def boards_of(store: Store, found: Iterable[Standings]) -> list[Board]:
    """These tables as they are shown."""
    stored = {summary.run.id: summary.matches for summary in store.runs()}
    return [
        _board(table, sum(stored[run] for run in table.runs), number)
        for number, table in enumerate(found, 1)
    ]


def choices(store: Store) -> Choices:
    """What pages can be filtered by."""
    pools = store.pools()
    return Choices(
        games=sorted({pool.game for pool in pools}),
        options=sorted({options_text(pool.options) for pool in pools}),
        seats=sorted({pool.seats for pool in pools}),
        runs=[run.id for pool in pools for run in pool.runs][::-1],
    )


def _board(table: Standings, matches: int, number: int) -> Board:
    ends = [
        end
        for row in table.bots
        if isinstance(row.elo, float | int)
        for end in (row.elo - (row.error or 0), row.elo + (row.error or 0))
    ]
    crossed = len(table.bots) <= MOST_CROSSED
    return Board(
        table=table,
        matches=matches,
        low=min(ends, default=-1),
        high=max(ends, default=1),
        crosstable=_crosstable(table.bots, table.pairs) if crossed else (),
        number=number,
        luck=luck_note(table) if has_luck(table) else "",
    )


def _crosstable(bots: Sequence[Row], pairs: Sequence[Pair]) -> list[list[Cell | None]]:
    cells: dict[tuple[str, str], Cell] = {}
    for pair in pairs:
        cells[pair.a, pair.b] = Cell(pair.a_points, pair.matches, pair.los)
        other = None if pair.los is None else 1 - pair.los
        cells[pair.b, pair.a] = Cell(1 - pair.a_points, pair.matches, other)
    return [[cells.get((row.name, column.name)) for column in bots] for row in bots]
