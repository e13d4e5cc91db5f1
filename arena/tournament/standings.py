"""Leaderboards: what the store holds, rated, one table per pool of bots that met."""

from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from msgspec import UNSET, Struct, UnsetType

from arena.ratings import leaderboard as ratings
from arena.ratings.elo import PRIOR
from arena.ratings.results import Results
from arena.store.db import Store
from arena.store.model import Filter, Pool
from arena.store.results import Columns, Contender


class Row(Struct, frozen=True):
    """A bot in a table; the fields are those of `arena leaderboard --json`."""

    rank: int
    name: str
    digest: str
    elo: float | str
    """In words, `inf` or `-inf`, only without a prior."""
    error: float | None
    """Half a 95 % interval; None: too little to say."""
    elo_seq: float
    matches: int
    points: float
    """The share of the points it played for."""
    faults: int
    floored: bool
    """The error is at least that of independent games, since the results are extreme."""
    network: bool
    """It calls a service."""
    luck: float | UnsetType | None = UNSET
    """What chance gave it in a match, in shares of the win: the mean; None: it is not
    known. This and the next two are absent where no luck is priced."""
    elo_luck: float | str | UnsetType = UNSET
    """The rating from results freed from luck."""
    error_luck: float | UnsetType | None = UNSET
    """Half a 95 % interval of that; None: too little to say."""


class Pair(Struct, frozen=True):
    """Two bots that met, the higher one first."""

    a: str
    b: str
    matches: int
    a_points: float
    """The share of the points between the two that went to a."""
    los: float | None
    """The likelihood that a is the stronger; None: too little to say."""


class Standings(Struct, frozen=True):
    """A table."""

    game: str
    version: int
    options: dict[str, Any]
    seats: int
    runs: tuple[str, ...]
    bots: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    clocks: int = 1
    """How many different clocks its matches were played with."""
    pool: int | None = None
    """Counts the pools of bots that never met, where there is more than one."""
    unpriced: int | UnsetType = UNSET
    """In how many matches of the pool luck is not known; absent where in all."""


def tables(
    store: Store,
    wanted: Filter,
    *,
    prior: float = PRIOR,
    anchors: Mapping[str, float] | None = None,
    all_versions: bool = False,
    luck: bool = False,
) -> list[Standings]:
    """The tables of all pools that a filter lets through.

    Args:
        store: holds the matches.
        wanted: which of them count.
        prior: drawn virtual games per bot.
        anchors: names of bots and the ratings they get.
        all_versions: show also programs that have changed since under their name.
        luck: rate also results freed from luck, as far as `arena.tournament.pricing` has priced it.

    Raises:
        RatingError: as `leaderboard` does.
        NotFound: the run of the filter is not there.
    """
    found: list[Standings] = []
    for pool in store.pools(wanted):
        columns = store.results(pool, _evaluator(pool) if luck else None)
        names = _newest(columns)
        rated = ratings.leaderboard(
            _results(columns), prior, {names.get(k, k): v for k, v in (anchors or {}).items()}
        )
        current = set(names.values())
        seen = [
            table
            for table in rated
            if all_versions or any(row.bot in current for row in table.bots)
        ]
        shown = None if all_versions else current
        for number, table in enumerate(seen, 1):
            found.append(_standings(pool, columns, table, shown, number if len(seen) > 1 else None))
    return found


def _evaluator(pool: Pool) -> str | None:
    from arena.tournament.pricing import evaluator_digest  # costs every leaderboard 20 ms else

    return evaluator_digest(pool)


def _results(columns: Columns) -> Results:
    return Results.from_columns(
        [_id(contender) for contender in columns.contenders],
        slots=np.arange(len(columns.bots)),
        clusters=columns.clusters,
        bots=columns.bots,
        ranks=columns.ranks,
        faults=columns.faults,
        luck=columns.luck,
    )


def _id(contender: Contender) -> str:
    return f"{contender.name}\0{contender.digest}"


def _newest(columns: Columns) -> dict[str, str]:
    """For each name the id of the program that played last under it."""
    last = np.zeros(len(columns.contenders), dtype=np.int64)
    last[columns.bots] = np.arange(len(columns.bots))[:, np.newaxis]  # the last write stays
    newest: dict[str, int] = {}
    for number, contender in enumerate(columns.contenders):
        other = newest.setdefault(contender.name, number)
        newest[contender.name] = max(number, other, key=last.__getitem__)
    return {name: _id(columns.contenders[number]) for name, number in newest.items()}


def _standings(
    pool: Pool,
    columns: Columns,
    table: ratings.Table,
    shown: Collection[str] | None,
    number: int | None,
) -> Standings:
    contenders = {_id(contender): contender for contender in columns.contenders}
    rows = [row for row in table.bots if shown is None or row.bot in shown]
    kept = {row.bot for row in rows}
    return Standings(
        game=pool.game,
        version=pool.version,
        options=pool.options,
        seats=pool.seats,
        runs=tuple(run.id for run in pool.runs),
        bots=tuple(
            _row(row, rows, contenders[row.bot], luck=columns.luck is not None) for row in rows
        ),
        pairs=tuple(
            Pair(
                contenders[pair.a].name,
                contenders[pair.b].name,
                pair.matches,
                pair.a_points,
                pair.los,
            )
            for pair in table.pairs
            if pair.a in kept and pair.b in kept
        ),
        clocks=len({run.clocks for run in pool.runs}),
        pool=number,
        unpriced=_unpriced(columns),
    )


def _unpriced(columns: Columns) -> int | UnsetType:
    """In how many matches luck is not known, where it is in some."""
    return UNSET if columns.luck is None else int(np.isnan(columns.luck[:, 0]).sum())


def _row(
    row: ratings.Standing,
    rows: Sequence[ratings.Standing],
    contender: Contender,
    *,
    luck: bool,
) -> Row:
    return Row(
        rank=1 + sum(other.elo > row.elo for other in rows),
        name=contender.name,
        digest=contender.digest,
        elo=_in_words(row.elo),
        error=row.error,
        elo_seq=row.elo_seq,
        matches=row.matches,
        points=row.points,
        faults=row.faults,
        floored=row.floored,
        network=contender.network,
        luck=row.luck if luck else UNSET,
        elo_luck=_in_words(row.elo_luck) if luck and row.elo_luck is not None else UNSET,
        error_luck=row.error_luck if luck else UNSET,
    )


def _in_words(elo: float) -> float | str:
    """A rating; `inf` and `-inf` as words."""
    return elo if isfinite(elo) else str(elo)
