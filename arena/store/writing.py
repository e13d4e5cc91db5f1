"""Matches into the store, and the matches of a bot out of it."""

import zlib
from collections.abc import Sequence
from typing import Final

from arena.store.codes import Codes
from arena.store.connection import Database
from arena.store.model import Finished
from arena.store.packing import Packs
from arena.store.text import to_json
from protocol.record import encode_record

_INSERT: Final = (
    "INSERT INTO matches "
    "(key, run_key, deal, group_key, rotation, outcome_key, id, scores, pack_key, line) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (run_key, deal, group_key, rotation) DO NOTHING"
)


class Writer:
    """Adds matches to a run within a transaction of the caller."""

    def __init__(self, db: Database, codes: Codes, packs: Packs) -> None:
        self._db = db
        self._codes = codes
        self._packs = packs

    def add(self, run_key: int, finished: Sequence[Finished]) -> int:
        """Add matches to a run whose slots are open; give how many were."""
        first: int = self._db.value("SELECT coalesce(max(key), 0) + 1 FROM matches")
        lines = [match.line or encode_record(match.record) for match in finished]
        places = self._packs.add(run_key, lines)
        added = self._db.run_many(
            _INSERT,
            [
                (key, run_key, *self._columns(run_key, match), *place)
                for key, (match, place) in enumerate(zip(finished, places, strict=True), first)
            ],
        )
        self._db.run_many(
            "INSERT INTO logs (match_key, seat, text) SELECT key, ?, ? FROM matches WHERE key = ?",
            [
                (seat, zlib.compress(text.encode(errors="replace")), key)
                for key, match in enumerate(finished, first)
                for seat, text in match.logs.items()
            ],
        )
        return added

    def _columns(self, run_key: int, match: Finished) -> tuple[int, int, int, int, str, str]:
        """What a row says of a match itself, from `deal` to `scores`."""
        slot, record, result = match.slot, match.record, match.record.result
        group_key, names, seating = self._codes.place(run_key, record.bots)
        if names != slot.group:
            raise ValueError(f"match {record.match} was not played by {', '.join(slot.group)}")
        faults = tuple([(fault.seat, fault.code) for fault in record.faults])
        outcome_key = self._codes.outcome(seating, result.ranks, result.reason, faults)
        scores = to_json(result.scores)
        return slot.deal, group_key, slot.rotation, outcome_key, record.match, scores


def keep_log(db: Database, match_key: int, seat: int, text: str) -> None:
    """Keep what a bot wrote to stderr in a match that is there."""
    packed = zlib.compress(text.encode(errors="replace"))
    db.run("INSERT OR REPLACE INTO logs VALUES (?, ?, ?)", match_key, seat, packed)


def delete_bot(db: Database, run_key: int, name: str) -> None:
    """Delete a bot from a run, with the matches that it played."""
    groups = "SELECT groups.key FROM groups, json_each(names) WHERE run_key = ? AND value = ?"
    db.run(
        f"DELETE FROM matches WHERE run_key = ? AND group_key IN ({groups})", run_key, run_key, name
    )
    db.run(f"DELETE FROM groups WHERE key IN ({groups})", run_key, name)
    db.run(
        "DELETE FROM packs WHERE run_key = ? AND key NOT IN "
        "(SELECT pack_key FROM matches WHERE run_key = ?)",
        run_key,
        run_key,
    )
    db.run(
        "DELETE FROM entrants WHERE run_key = ? "
        "AND bot_key IN (SELECT key FROM bots WHERE name = ?)",
        run_key,
        name,
    )
