"""Records of matches that were played elsewhere.

A record says its run and its deal, but not its slot. So the deals of a group are numbered in the
order they come, and their rotations too: an export is in slot order, so an import of it puts the
same matches in the same order into the same clusters, and every rating is the same. A run that
was played here keeps its own slots and takes no imports.
"""

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b

from arena.referee.clock import Clocks
from arena.store import runs
from arena.store.codes import Codes
from arena.store.connection import Database
from arena.store.errors import StoreError
from arena.store.model import Finished, Imported, Run, Slot
from arena.store.packing import SIZE, Packs
from arena.store.text import to_json
from arena.store.writing import Writer
from engine import registry
from engine.game import TableError
from engine.guarded import GameFault
from engine.options import make_table
from protocol.record import Record


class Importer:
    """Adds records within a transaction of the caller."""

    def __init__(self, db: Database, codes: Codes, packs: Packs) -> None:
        self._db = db
        self._codes = codes
        self._writer = Writer(db, codes, packs)
        self._runs: dict[str, tuple[int, Run]] = {}
        self._waiting: dict[int, dict[str, Finished]] = {}
        """By run and match: what waits for others to share a pack."""
        self._rotations: dict[tuple[int, int], int] = {}
        """By group and deal: how many matches there are."""

    def take(self, records: Iterable[Record]) -> Imported:
        """Add records that are not known.

        Raises:
            StoreError: one is incomplete, its run was played here or is of another game, or the
                game that would tell its teams is not installed.
        """
        taken: Counter[bool] = Counter(map(self._take, records))
        for run_key in list(self._waiting):
            self._write(run_key)
        return Imported(new=taken[True], known=taken[False])

    def _take(self, record: Record) -> bool:
        """Add a record; give whether it is new."""
        if self._db.one("SELECT 1 FROM matches WHERE id = ?", record.match):
            return False
        _check(record)
        run_key = self._run_key(record)
        waiting = self._waiting.setdefault(run_key, {})
        if record.match in waiting:
            return False
        waiting[record.match] = Finished(self._slot(run_key, record), record)
        if len(waiting) == SIZE:
            self._write(run_key)
        return True

    def _write(self, run_key: int) -> None:
        self._writer.add(run_key, list(self._waiting.pop(run_key).values()))

    def _slot(self, run_key: int, record: Record) -> Slot:
        """The next place among the matches of a group and deal."""
        group_key, names, _ = self._codes.place(run_key, record.bots)
        deal = self._deal(group_key, record.deal)
        rotation = self._rotations.get((group_key, deal))
        if rotation is None:
            rotation = self._db.value(
                "SELECT count(*) FROM matches WHERE run_key = ? AND deal = ? AND group_key = ?",
                run_key,
                deal,
                group_key,
            )
        self._rotations[group_key, deal] = rotation + 1
        return Slot(deal, names, rotation)

    def _run_key(self, record: Record) -> int:
        run_id = record.run or _pool_id(record)
        if run_id not in self._runs:
            self._runs[run_id] = self._find(run_id) or self._make(run_id, record)
        key, run = self._runs[run_id]
        if _pool(record) != [run.game, run.version, run.options, run.seats]:
            raise StoreError(f"match {record.match} is of another game than its run {run_id}")
        return key

    def _find(self, run_id: str) -> tuple[int, Run] | None:
        if not self._db.one("SELECT 1 FROM runs WHERE id = ?", run_id):
            return None
        key, run = runs.find(self._db, run_id)
        if run.format != runs.IMPORTED:
            raise StoreError(
                f"run {run_id} was played in {self._db.path} and takes no matches from elsewhere; "
                "import them into another store (--store)"
            )
        return key, run

    def _make(self, run_id: str, record: Record) -> tuple[int, Run]:
        time = record.time
        run = Run(
            id=run_id,
            game=record.game,
            version=record.version,
            options=record.options,
            seats=record.players,
            format=runs.IMPORTED,
            clocks=Clocks(time.turn_ms, time.first_ms, time.bank_ms, time.increment_ms),
            seed="",
            words="",
            created=record.started,
            sides=_sides(record),
        )
        return runs.insert(self._db, run), run

    def _deal(self, group_key: int, deal: str) -> int:
        """The number of a deal of a group; a new one gets the next."""
        number = self._db.value(
            "SELECT number FROM deals WHERE group_key = ? AND deal = ?", group_key, deal
        )
        if number is None:
            number = self._db.value(
                "SELECT coalesce(max(number) + 1, 0) FROM deals WHERE group_key = ?", group_key
            )
            self._db.run("INSERT INTO deals VALUES (?, ?, ?)", group_key, deal, number)
        return int(number)


def _pool(record: Record) -> list[object]:
    return [record.game, record.version, record.options, record.players]


def _pool_id(record: Record) -> str:
    """The run of matches from outside a run: one for each pool."""
    return "matches-" + blake2b(to_json(_pool(record)).encode(), digest_size=4).hexdigest()


def _sides(record: Record) -> tuple[int, ...]:
    """The side of each seat: its own, unless there are fewer scores than seats."""
    if len(record.result.scores) == record.players:
        return tuple(range(record.players))
    try:
        game = registry.game(record.game)
        return game.sides(make_table(game, record.players, record.options))
    except (registry.UnknownGame, TableError, GameFault) as error:
        raise StoreError(f"the teams of match {record.match} cannot be told: {error}") from None


def _check(record: Record) -> None:
    """See that a record has an entry for each seat; that its play is right is for `verify`."""
    seats, result = record.players, record.result
    whole = len(record.bots) == len(result.ranks) == seats >= len(result.scores) > 0
    if not whole or any(not 0 <= fault.seat < seats for fault in record.faults):
        raise StoreError(f"match {record.match} does not name a bot and a rank for each seat")
