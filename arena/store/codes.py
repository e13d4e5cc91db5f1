"""Numbers for what stands in match after match: bots, groups of bots, outcomes.

Each is the key of a row, which is made when it is first needed.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from arena.store.connection import Database
from arena.store.text import to_json
from protocol.record import RecordedBot

_REMEMBERED: Final = 1 << 14
"""How many keys of a kind are remembered, so that few matches have to look one up."""


class Place(NamedTuple):
    """Who met in a match."""

    group_key: int
    names: tuple[str, ...]
    """Of the group, sorted."""
    seating: tuple[int, ...]
    """For each seat, who of the group held it."""


class Codes:
    """The numbers of one database, looked up and made within its transactions."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._changes = 0
        self.bot = lru_cache(_REMEMBERED)(self._bot)
        self.group = lru_cache(_REMEMBERED)(self._group)
        self.place = lru_cache(_REMEMBERED)(self._place)
        self.outcome = lru_cache(_REMEMBERED)(self._outcome)

    def begin(self) -> None:
        """At the begin of a transaction: forget what another process may have deleted."""
        changes: int = self._db.value("PRAGMA data_version")
        if changes != self._changes:
            self._changes = changes
            self.forget()

    def forget(self) -> None:
        """Remember nothing: rows were deleted, or a transaction was undone."""
        self.bot.cache_clear()
        self.group.cache_clear()
        self.place.cache_clear()
        self.outcome.cache_clear()

    def _bot(self, name: str, digest: str) -> int:
        """The key of a bot."""
        return self._key("bots", name=name, digest=digest)

    def _place(self, run_key: int, bots: tuple[RecordedBot, ...]) -> Place:
        """Where a match of these bots, in seat order, belongs in a run."""
        seated = [(bot.name, bot.digest) for bot in bots]
        group = tuple(sorted(set(seated)))
        names = tuple([name for name, _ in group])
        return Place(self.group(run_key, group), names, tuple(map(group.index, seated)))

    def _group(self, run_key: int, bots: tuple[tuple[str, str], ...]) -> int:
        """The key of a group, given by the names and digests of its bots, sorted."""
        return self._key(
            "groups",
            run_key=run_key,
            names=to_json([name for name, _ in bots]),
            bots=to_json([self.bot(*bot) for bot in bots]),
        )

    def _outcome(
        self,
        seating: tuple[int, ...],
        ranks: tuple[int, ...],
        reason: str,
        faults: tuple[tuple[int, str], ...],
    ) -> int:
        """The key of how a match went: who sat where, ranks by seat, (seat, code) of faults."""
        return self._key(
            "outcomes",
            seating=to_json(seating),
            ranks=to_json(ranks),
            reason=reason,
            faults=to_json(faults),
        )

    def _key(self, table: str, **columns: object) -> int:
        """The key of the row with these values, which is made if it is not there."""
        where = " AND ".join(f"{column} = ?" for column in columns)
        key = self._db.value(f"SELECT key FROM {table} WHERE {where}", *columns.values())
        if key is None:
            places = ", ".join("?" * len(columns))
            key = self._db.run(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", *columns.values()
            )
        return int(key)
