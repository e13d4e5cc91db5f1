"""Matches that were played here go into the store by their slots."""

import zlib
from collections.abc import Sequence

from arena.store.codes import Codes, Place
from arena.store.connection import Database
from arena.store.model import Finished
from arena.store.packing import Packs
from arena.store.text import to_json
from protocol.record import Record


class Writer:
    """Adds matches to a run within a transaction of the caller."""

    def __init__(self, db: Database, codes: Codes, packs: Packs) -> None:
        self._db = db
        self._codes = codes
        self._packs = packs

    def add(self, run_key: int, finished: Sequence[Finished]) -> int:
        """Add matches to a run whose slots are open; give how many were."""
        first: int = self._db.value("SELECT coalesce(max(key), 0) + 1 FROM matches")
        self._db.run_many(
            "INSERT OR IGNORE INTO matches (key, run_key, deal, group_key, rotation, outcome_key) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            [self._match(run_key, key, match) for key, match in enumerate(finished, first)],
        )
        added = [key for (key,) in self._db.all("SELECT key FROM matches WHERE key >= ?", first)]
        new = [finished[key - first] for key in added]
        self.keep(run_key, added, [match.record for match in new])
        self._db.run_many(
            "INSERT INTO logs (match_key, seat, text) VALUES (?, ?, ?)",
            [
                (key, seat, zlib.compress(text.encode(errors="replace")))
                for key, match in zip(added, new, strict=True)
                for seat, text in match.logs.items()
            ],
        )
        return len(new)

    def keep(self, run_key: int, keys: Sequence[int], records: Sequence[Record]) -> None:
        """Store the records of matches with these keys."""
        places = self._packs.add(run_key, records)
        self._db.run_many(
            "INSERT INTO records (key, match, scores, pack_key, line) VALUES (?, ?, ?, ?, ?)",
            [
                (key, record.match, to_json(record.result.scores), pack_key, line)
                for key, record, (pack_key, line) in zip(keys, records, places, strict=True)
            ],
        )

    def outcome(self, record: Record, place: Place) -> int:
        """The key of how a match went."""
        faults = tuple((fault.seat, fault.code) for fault in record.faults)
        result = record.result
        return self._codes.outcome(place.seating, result.ranks, result.reason, faults)

    def _match(self, run_key: int, key: int, match: Finished) -> tuple[int, ...]:
        slot, record = match.slot, match.record
        place = self._codes.place(run_key, record.bots)
        if place.names != slot.group:
            raise ValueError(f"match {record.match} was not played by {', '.join(slot.group)}")
        outcome = self.outcome(record, place)
        return key, run_key, slot.deal, place.group_key, slot.rotation, outcome


def delete_bot(db: Database, run_key: int, name: str) -> None:
    """Delete a bot from a run, with the matches that it played."""
    groups = "SELECT groups.key FROM groups, json_each(names) WHERE run_key = ? AND value = ?"
    db.run(f"DELETE FROM matches WHERE group_key IN ({groups})", run_key, name)
    db.run(f"DELETE FROM groups WHERE key IN ({groups})", run_key, name)
    db.run(
        "DELETE FROM packs WHERE run_key = ? AND key NOT IN (SELECT pack_key FROM records)",
        run_key,
    )
    db.run(
        "DELETE FROM entrants WHERE run_key = ? "
        "AND bot_key IN (SELECT key FROM bots WHERE name = ?)",
        run_key,
        name,
    )
