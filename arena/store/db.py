"""The store: every run and match, in one SQLite file.

**Durability.** The file is in WAL mode with `synchronous = NORMAL`. A match is acknowledged when
the transaction of its batch is committed; then it outlives the end of this process by any means,
`kill -9` too. Only a power cut or a crash of the operating system can take the latest batches, as
a whole: the file stays sound, and the same command plays those slots again. A sync per batch
would cost every run time to save what is played again at no loss.

**Who writes.** One process at a time; others wait for a moment. Readers never wait. No match is
ever split over transactions, and a slot of a run holds one match.

**Errors.** Whatever is wrong becomes a `StoreError` of one sentence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from arena.store import derived, lock, reading, runs
from arena.store.codes import Codes
from arena.store.connection import Database, connect
from arena.store.errors import StoreError
from arena.store.imports import Importer
from arena.store.migrations import is_current, migrate, scripts
from arena.store.model import (
    Entrant,
    Filter,
    Finished,
    Imported,
    MatchSummary,
    Pool,
    Run,
    RunSummary,
    Slot,
)
from arena.store.packing import Packs
from arena.store.writing import Writer, delete_bot, keep_log
from protocol.record import Record

if TYPE_CHECKING:
    from arena.store.results import Columns

WAIT: Final = 10.0
"""Seconds to wait for another process that writes."""
EVERYTHING: Final = Filter()
_BATCH: Final = 500
"""Matches taken over from another store at a time."""


class Store:
    """An open store. Where a run or match is named, the unique beginning of its id is enough.

    Every method may raise StoreError; NotFound where a name is not in the store.
    """

    def __init__(self, db: Database) -> None:
        """Wrap a database that is current; `Store.open` gives one."""
        self._db = db
        self._codes = Codes(db)
        self._packs = Packs(db)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, wait: float = WAIT) -> "Store":
        """Open the store in a file, made or brought to the newest version if need be.

        Args:
            path: the file.
            read_only: it must be there, and is not changed but to bring it to that version.
            wait: seconds to wait for another process that writes.

        Raises:
            StoreError: the file cannot be opened, or is not a store that this arena can read.
        """
        migrations = scripts()
        db = connect(path, read_only=read_only, wait=wait)
        try:
            if not is_current(db, migrations):
                if read_only:
                    cls.open(path, wait=wait).close()
                else:
                    migrate(db, migrations)
            if not read_only:
                db.run("PRAGMA journal_mode = WAL")
        except StoreError:
            db.close()
            raise
        return cls(db)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # Runs

    def add_run(self, run: Run) -> None:
        """Add a run; one that is there already stays as it is.

        Raises:
            StoreError: a run of this id was imported, so its slots are not known.
        """
        with self._writing():
            self._insert(run)

    def run(self, name: str) -> Run:
        """A run."""
        return runs.find(self._db, name)[1]

    def runs(self) -> list[RunSummary]:
        """All runs, in the order they were created."""
        entered: dict[int, int] = dict(
            self._db.all("SELECT run_key, count(*) FROM entrants GROUP BY run_key")
        )
        stored: dict[int, int] = dict(
            self._db.all("SELECT run_key, count(*) FROM matches GROUP BY run_key")
        )
        planned: dict[int, int | None] = dict(self._db.all("SELECT key, planned FROM runs"))
        return [
            RunSummary(run, entered.get(key, 0), stored.get(key, 0), planned.get(key))
            for key, run in runs.every(self._db)
        ]

    def plan(self, run: str, matches: int | None) -> None:
        """Note how many matches a run will have at its end; None: it has no end."""
        with self._writing():
            key, _ = runs.find(self._db, run)
            self._db.run("UPDATE runs SET planned = ? WHERE key = ?", matches, key)

    def latest_run(self, words: str) -> Run | None:
        """The run that was created last with these words."""
        name = self._db.value(
            "SELECT id FROM runs WHERE words = ? ORDER BY created DESC, key DESC", words
        )
        return None if name is None else self.run(name)

    def delete_run(self, name: str) -> int:
        """Delete a run with its matches; give how many they were. The file keeps its size.

        Raises:
            StoreError: it is being played.
        """
        key, run = runs.find(self._db, name)
        with self.playing(run.id), self._writing():
            matches = self._count(key)
            self._db.run("DELETE FROM runs WHERE key = ?", key)
            self._codes.forget()
        return matches

    def playing(self, name: str) -> AbstractContextManager[None]:
        """Hold a run while it is played: no other process can hold it, or delete it.

        Raises:
            StoreError: another process plays it; names that process.
        """
        return lock.playing(self._db.path, self.run(name).id)

    # Entrants

    def entrants(self, run: str) -> list[Entrant]:
        """The bots entered in a run, by name."""
        return runs.entrants(self._db, runs.find(self._db, run)[0])

    def add_entrants(self, run: str, entrants: Sequence[Entrant]) -> None:
        """Enter bots in a run; those that are there already stay as they are.

        Raises:
            StoreError: one is there with another digest; none is entered.
        """
        with self._writing():
            key, found = runs.find(self._db, run)
            self._enter_all(key, found.id, entrants)

    def replace_entrant(self, run: str, entrant: Entrant) -> int:
        """Enter a bot in place of the one of its name; give how many matches that deleted."""
        with self._writing():
            key, _ = runs.find(self._db, run)
            before = self._count(key)
            delete_bot(self._db, key, entrant.name)
            self._codes.forget()
            self._enter(key, entrant)
            return before - self._count(key)

    # Matches in

    def add(self, run: str, finished: Sequence[Finished]) -> int:
        """Store matches of a run in one transaction; give how many of their slots were open."""
        with self._writing():
            key, _ = runs.find(self._db, run)
            return Writer(self._db, self._codes, self._packs).add(key, finished)

    def import_records(self, records: Iterable[Record]) -> Imported:
        """Store matches that were played elsewhere, all or none.

        They go into the run that they name, or into one for all matches of their pool.
        """
        with self._writing():
            return Importer(self._db, self._codes, self._packs).take(records)

    def merge(self, other: "Store") -> Imported:
        """Take over all runs of another store with their slots, so that they can be continued.

        All or none; a slot that holds a match here keeps it.

        Raises:
            StoreError: a run is in one of the stores as imported and in the other as played, or
                a bot is in both under one name with different digests.
        """
        new = known = 0
        with self._writing():
            importer = Importer(self._db, self._codes, self._packs)
            for key, run in runs.every(other._db):
                if run.format == runs.IMPORTED:
                    found = reading.records(other._db, other._packs, {key: run}, EVERYTHING)
                    done = importer.take(found)
                else:
                    done = self._take_over(other, key, run)
                new, known = new + done.new, known + done.known
        return Imported(new, known)

    # Matches out

    def played(self, run: str) -> dict[Slot, tuple[int, ...]]:
        """The slots of a run that hold a match, with the ranks in the order of the slot's group."""
        return reading.played(self._db, runs.find(self._db, run)[0])

    def matches(
        self, wanted: Filter = EVERYTHING, limit: int | None = None
    ) -> Iterator[MatchSummary]:
        """Summaries of matches, those stored last first."""
        fitting = dict(runs.fitting(self._db, wanted))
        return reading.summaries(self._db, fitting, wanted, limit)

    def record(self, match: str) -> Record:
        """The whole record of a match."""
        key, _ = reading.find(self._db, match)
        return reading.record(self._db, self._packs, key)

    def records(self, wanted: Filter = EVERYTHING) -> Iterator[Record]:
        """Whole records run by run, in slot order."""
        fitting = dict(runs.fitting(self._db, wanted))
        return reading.records(self._db, self._packs, fitting, wanted)

    def log(self, match: str, seat: int) -> str | None:
        """What the bot of a seat wrote to stderr; None where nothing was kept."""
        return reading.log(self._db, reading.find(self._db, match)[0], seat)

    # Results

    def pools(self, wanted: Filter = EVERYTHING) -> list[Pool]:
        """The pools of the runs that fit and have matches, in the order they were begun.

        Whole runs are let through: what a filter asks of single matches is not looked at.
        """
        stored = {key for (key,) in self._db.all("SELECT DISTINCT run_key FROM matches")}
        pools: dict[str, list[Run]] = {}
        for key, run in runs.fitting(self._db, wanted):
            if key in stored:
                pools.setdefault(runs.pool_of(run), []).append(run)
        return [
            Pool(some[0].game, some[0].version, some[0].options, some[0].seats, tuple(some))
            for some in pools.values()
        ]

    def results(self, pool: Pool, evaluator: str | None = None) -> "Columns":
        """The results of a pool, in slot order; with the luck that an evaluator has priced."""
        from arena.store.results import columns

        return columns(self._db, self._keys(pool), pool.runs[0].seat_sides(), evaluator)

    # What is computed from records

    def unpriced(self, pool: Pool, evaluator: str) -> list[str]:
        """The matches of a pool whose luck an evaluator, given by its digest, has not priced."""
        return derived.unpriced(self._db, self._keys(pool), evaluator)

    def keep_luck(self, evaluator: str, luck: Mapping[str, Sequence[float]]) -> None:
        """Keep what chance gave each side of some matches, nan where that cannot be known."""
        with self._writing():
            derived.keep_luck(self._db, evaluator, luck)

    def keep_logs(self, match: str, logs: Mapping[int, str]) -> None:
        """Keep by seat what bots wrote to stderr in a match, in place of what was kept."""
        key, _ = reading.find(self._db, match)
        with self._writing():
            for seat, text in logs.items():
                keep_log(self._db, key, seat, text)

    def keep_analysis(self, match: str, analysis: str) -> None:
        """Keep an analysis of a match, as JSON, in place of an older one."""
        with self._writing():
            derived.keep_analysis(self._db, reading.find(self._db, match)[0], analysis)

    def analysis(self, match: str) -> str | None:
        """The analysis of a match, as JSON; None where there is none."""
        return derived.analysis(self._db, reading.find(self._db, match)[0])

    # Within

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction; what is remembered of the file is never more than is in it."""
        try:
            with self._db.transaction():
                self._codes.begin()
                yield
        except BaseException:
            self._codes.forget()
            self._packs.forget()
            raise

    def _take_over(self, other: "Store", other_key: int, run: Run) -> Imported:
        """A run of another store, within a transaction."""
        key = self._insert(run)
        planned = other._db.value("SELECT planned FROM runs WHERE key = ?", other_key)
        self._db.run("UPDATE runs SET planned = ifnull(planned, ?) WHERE key = ?", planned, key)
        self._enter_all(key, run.id, runs.entrants(other._db, other_key))
        matches = reading.finished(other._db, other._packs, other_key)
        writer = Writer(self._db, self._codes, self._packs)
        new = total = 0
        while batch := list(islice(matches, _BATCH)):
            new += writer.add(key, batch)
            total += len(batch)
        return Imported(new, total - new)

    def _insert(self, run: Run) -> int:
        """Add a run that is not there; give its key."""
        key = self._db.value("SELECT key FROM runs WHERE id = ?", run.id)
        if key is None:
            return runs.insert(self._db, run)
        if self.run(run.id).format == runs.IMPORTED:
            raise StoreError(
                f"run {run.id} was imported and cannot be continued in {self._db.path}; "
                "give another --seed or --store"
            )
        return int(key)

    def _enter_all(self, run_key: int, run: str, entrants: Iterable[Entrant]) -> None:
        there = {entrant.name: entrant for entrant in runs.entrants(self._db, run_key)}
        for entrant in entrants:
            old = there.setdefault(entrant.name, entrant)
            if old.digest != entrant.digest:
                raise StoreError(
                    f"bot {entrant.name} is in run {run} with the digest {old.digest}, "
                    f"not {entrant.digest}; --replace plays its matches afresh"
                )
            self._enter(run_key, entrant)

    def _enter(self, run_key: int, entrant: Entrant) -> None:
        self._db.run(
            "INSERT OR IGNORE INTO entrants (run_key, bot_key, words, network) VALUES (?, ?, ?, ?)",
            run_key,
            self._codes.bot(entrant.name, entrant.digest),
            entrant.words,
            int(entrant.network),
        )

    def _keys(self, pool: Pool) -> list[int]:
        """The keys of a pool's runs."""
        return [runs.find(self._db, run.id)[0] for run in pool.runs]

    def _count(self, run_key: int) -> int:
        """How many matches a run has."""
        number: int = self._db.value("SELECT count(*) FROM matches WHERE run_key = ?", run_key)
        return number
