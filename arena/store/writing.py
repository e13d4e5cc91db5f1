"""Matches that were played here go into the store by their slots."""

import zlib
from collections.abc import Sequence

from arena.store.codes import Codes, Place
from arena.store.connection import Database
from arena.store.model import Finished
from arena.store.packing import Packers
from arena.store.text import to_json
from protocol.record import Record

_DICTIONARY_RECORDS = 4
"""Of so many records a dictionary is made: more does not fit into it."""


class Writer:
    """Adds matches to a run within a transaction of the caller."""

    def __init__(self, db: Database, codes: Codes, packers: Packers) -> None:
        self._db = db
        self._codes = codes
        self._packers = packers

    def add(self, run_key: int, finished: Sequence[Finished]) -> int:
        """Add matches to a run whose slots are open; give how many were."""
        self._packers.prepare(run_key, (match.record for match in finished[:_DICTIONARY_RECORDS]))
        first: int = self._db.value("SELECT coalesce(max(key), 0) + 1 FROM matches")
        numbered = list(enumerate(finished, first))
        self._db.run_many(
            "INSERT OR IGNORE INTO matches (key, group_key, deal, rotation, outcome_key) "
            "VALUES (?, ?, ?, ?, ?)",
            [self._match(run_key, key, match) for key, match in numbered],
        )
        added = {key for (key,) in self._db.all("SELECT key FROM matches WHERE key >= ?", first)}
        new = [(key, match) for key, match in numbered if key in added]
        self.keep(run_key, [(key, match.record) for key, match in new])
        self._db.run_many(
            "INSERT INTO logs (match_key, seat, text) VALUES (?, ?, ?)",
            [
                (key, seat, zlib.compress(text.encode(errors="replace")))
                for key, match in new
                for seat, text in match.logs.items()
            ],
        )
        return len(new)

    def keep(self, run_key: int, records: Sequence[tuple[int, Record]]) -> None:
        """Store the records of matches, given with the keys of these."""
        packer = self._packers.of(run_key)
        self._db.run_many(
            "INSERT INTO records (key, match, scores, body) VALUES (?, ?, ?, ?)",
            [
                (key, record.match, to_json(record.result.scores), packer.pack(record))
                for key, record in records
            ],
        )

    def outcome(self, record: Record, place: Place) -> int:
        """The key of how a match went."""
        faults = tuple((fault.seat, fault.code) for fault in record.faults)
        result = record.result
        return self._codes.outcome(place.seating, result.ranks, result.reason, faults)

    def _match(self, run_key: int, key: int, match: Finished) -> tuple[int, int, int, int, int]:
        slot, record = match.slot, match.record
        place = self._codes.place(run_key, record.bots)
        if place.names != slot.group:
            raise ValueError(f"match {record.match} was not played by {', '.join(slot.group)}")
        outcome = self.outcome(record, place)
        return key, place.group_key, slot.deal, slot.rotation, outcome
