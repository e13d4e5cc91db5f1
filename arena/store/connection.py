"""One connection to a SQLite file, opened with care, whose every error is a StoreError."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from arena.store.errors import StoreError, explained

Row = tuple[Any, ...]


class Database:
    """Statements on one connection. Any thread may use it, one at a time."""

    def __init__(self, path: Path, mode: str, wait: float) -> None:
        """Open the file.

        Args:
            path: of the file.
            mode: what follows `?` in SQLite's URI: `mode=ro`, ….
            wait: seconds that a statement waits for another process's lock.
        """
        self.path = path
        self._wait = wait
        uri = f"file:{quote(os.fsencode(path.absolute()))}?{mode}"
        with self._explained():
            self._connection = sqlite3.connect(
                uri, uri=True, timeout=wait, isolation_level=None, check_same_thread=False
            )

    def close(self) -> None:
        """Close the connection; what was committed is in the file."""
        self._connection.close()

    def run(self, sql: str, *values: object) -> int:
        """Execute a statement; give the key of a row that it inserted."""
        with self._explained():
            return self._connection.execute(sql, values).lastrowid or 0

    def run_many(self, sql: str, rows: Iterable[Sequence[object]]) -> int:
        """Execute a statement for each row; give how many rows of the database that changed."""
        with self._explained():
            return self._connection.executemany(sql, rows).rowcount

    def all(self, sql: str, *values: object) -> list[Row]:
        """All rows of a query."""
        with self._explained():
            return self._connection.execute(sql, values).fetchall()

    def each(self, sql: str, *values: object) -> Iterator[Row]:
        """The rows of a query as they are read."""
        with self._explained():
            yield from self._connection.execute(sql, values)

    def one(self, sql: str, *values: object) -> Row | None:
        """The first row of a query, None where there is none."""
        with self._explained():
            row: Row | None = self._connection.execute(sql, values).fetchone()
            return row

    def value(self, sql: str, *values: object) -> Any:
        """The first value of the first row; None where there is no row."""
        row = self.one(sql, *values)
        return row[0] if row else None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within becomes lasting together, or not at all."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # SQLite ends it by itself on a full disk
                self.run("ROLLBACK")
            raise

    def _explained(self) -> AbstractContextManager[None]:
        return explained(self.path, self._wait)


def connect(path: Path, *, read_only: bool, wait: float) -> Database:
    """Open the file of a store, create it if it is to be written and not there.

    Raises:
        StoreError: it cannot be opened, or is no database.
    """
    _look(path, read_only=read_only)
    db = Database(path, _mode(path, read_only=read_only), wait)
    try:
        db.run("PRAGMA foreign_keys = ON")
        db.run("PRAGMA synchronous = NORMAL")
        db.value("PRAGMA schema_version")  # reads the file: now it is known whether it can be read
    except StoreError:
        db.close()
        raise
    return db


def _look(path: Path, *, read_only: bool) -> None:
    """What SQLite would only call `unable to open database file`."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder; --store names a file")
    if not path.parent.is_dir():
        raise StoreError(f"{path} cannot be made: there is no folder {path.parent}")
    if read_only and not path.exists():
        raise StoreError(f"there is no store at {path}; `arena run` makes one, --store names it")


def _mode(path: Path, *, read_only: bool) -> str:
    """How SQLite opens the file. In a folder that cannot be written it cannot share it."""
    if not read_only:
        return "mode=rwc"
    alone = not Path(f"{path}-wal").exists() and not os.access(path.parent, os.W_OK)
    return "immutable=1" if alone else "mode=ro"
