"""Matches out of the store: summaries, whole records, logs."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from arena.store.connection import Database, Row
from arena.store.errors import NotFound, StoreError
from arena.store.model import Filter, Finished, MatchSummary, Run, SeatFault, Slot
from arena.store.packing import Packs
from arena.store.runs import resolve
from arena.store.text import from_json
from protocol.record import Record

_AT_ONCE: Final = 500
"""How many records are fetched with one statement."""

_FITS: Final = (
    "(? IS NULL OR EXISTS (SELECT 1 FROM json_each(groups.names) WHERE value = ?)) "
    "AND matches.id >= ? AND matches.id < ? || char(0x10FFFF) "
    "AND (NOT ? OR faults != '[]')"
)
"""What `_values` are for."""

_JOINED: Final = (
    "matches CROSS JOIN groups ON groups.key = group_key "  # CROSS: the matches in their order
    "JOIN outcomes ON outcomes.key = outcome_key"
)


def find(db: Database, name: str) -> tuple[int, str]:
    """The key and the id of the match with an id, or the only one whose id begins so.

    Raises:
        NotFound: none or more; names what comes near.
    """
    return resolve(db, "matches", "id", name, "match")


def summaries(
    db: Database, runs: Mapping[int, Run], wanted: Filter, limit: int | None
) -> Iterator[MatchSummary]:
    """The matches of these runs, by key, with the bot, id and faults of a filter; latest first."""
    rows = db.each(
        "SELECT id, matches.run_key, names, seating, ranks, scores, reason, faults "
        f"FROM {_JOINED} WHERE +{_of(runs)} AND {_FITS} "
        "ORDER BY matches.key DESC LIMIT ifnull(?, -1)",
        *_values(wanted),
        limit,
    )
    return (_summary(row, runs) for row in rows)


def played(db: Database, run_key: int) -> dict[Slot, tuple[int, ...]]:
    """The slots of a run that hold a match, with the ranks in the order of the slot's group."""
    rows = db.each(
        "SELECT names, deal, rotation, seating, ranks FROM matches "
        "JOIN groups ON groups.key = group_key JOIN outcomes ON outcomes.key = outcome_key "
        "WHERE matches.run_key = ?",
        run_key,
    )
    group_of, ranks_of = cache(_group), cache(_ranks_in_group)
    return {
        Slot(deal, group_of(names), rotation): ranks_of(seating, ranks)
        for names, deal, rotation, seating, ranks in rows
    }


def record(db: Database, packs: Packs, match_key: int) -> Record:
    """The whole record of a match."""
    row = db.one("SELECT run_key, pack_key, line FROM matches WHERE key = ?", match_key)
    if row is None:
        raise NotFound(f"the match has just been deleted from {db.path}")
    return packs.record(*row)


def records(
    db: Database, packs: Packs, runs: Mapping[int, Run], wanted: Filter
) -> Iterator[Record]:
    """The whole records of the matches that `summaries` tells of; in slot order, run by run."""
    keys = [
        key
        for (key,) in db.all(
            "SELECT matches.key FROM matches JOIN groups ON groups.key = group_key "
            "JOIN outcomes ON outcomes.key = outcome_key "
            f"JOIN runs ON runs.key = matches.run_key WHERE {_of(runs)} AND {_FITS} "
            "ORDER BY created, runs.key, deal, names, bots, rotation",
            *_values(wanted),
        )
    ]
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        rows = db.all(
            f"SELECT key, run_key, pack_key, line FROM matches WHERE key IN ({_listed(some)})"
        )
        found = {row[0]: row[1:] for row in rows}
        yield from (packs.record(*found[key]) for key in some if key in found)


def finished(db: Database, packs: Packs, run_key: int) -> Iterator[Finished]:
    """The matches of a run with their slots and logs, in slot order."""
    rows = db.all(
        "SELECT matches.key, deal, names, rotation, pack_key, line FROM matches "
        "JOIN groups ON groups.key = group_key WHERE matches.run_key = ? "
        "ORDER BY deal, names, bots, rotation",
        run_key,
    )
    logged = {key for (key,) in db.all("SELECT DISTINCT match_key FROM logs")}
    for key, deal, names, rotation, pack_key, line in rows:
        match = packs.record(run_key, pack_key, line)
        logs: dict[int, str] = {}
        if key in logged:
            texts = {seat: log(db, key, seat) for seat in range(match.players)}
            logs = {seat: text for seat, text in texts.items() if text is not None}
        yield Finished(Slot(deal, _group(names), rotation), match, logs)


def log(db: Database, match_key: int, seat: int) -> str | None:
    """What the bot of a seat wrote to stderr; None where nothing was kept."""
    packed = db.value("SELECT text FROM logs WHERE match_key = ? AND seat = ?", match_key, seat)
    try:
        return None if packed is None else zlib.decompress(packed).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise StoreError(f"a log in {db.path} is damaged: {error}") from None


def _group(names: str) -> tuple[str, ...]:
    return tuple(from_json(names))


def _ranks_in_group(seating: str, ranks: str) -> tuple[int, ...]:
    """The rank of each bot of the group, from the first seat that it holds."""
    held, ranked = from_json(seating), from_json(ranks)
    return tuple(ranked[held.index(place)] for place in range(max(held) + 1))


def _of(runs: Mapping[int, Run]) -> str:
    return f"matches.run_key IN ({_listed(runs)})"


def _values(wanted: Filter) -> tuple[str | None, str | None, str, str, bool]:
    """What a filter asks of a match itself, for `_FITS`."""
    return wanted.bot, wanted.bot, wanted.match, wanted.match, wanted.faulted


def _listed(keys: Sequence[int] | Mapping[int, object]) -> str:
    return ", ".join(map(str, keys))


def _summary(row: Row, runs: Mapping[int, Run]) -> MatchSummary:
    match, run_key, names, seating, ranks, scores, reason, faults = row
    run, group = runs[run_key], from_json(names)
    return MatchSummary(
        match=match,
        run=run.id,
        game=run.game,
        options=run.options,
        bots=tuple(group[place] for place in from_json(seating)),
        ranks=tuple(from_json(ranks)),
        scores=tuple(from_json(scores)),
        reason=reason,
        faults=tuple(SeatFault(seat, code) for seat, code in from_json(faults)),
    )
