"""The schema of a store: numbered SQL scripts that lead from each version to the next."""

from collections.abc import Iterator, Sequence
from importlib import resources
from sqlite3 import complete_statement
from typing import Final

from arena.store.connection import Database
from arena.store.errors import StoreError

APPLICATION_ID: Final = 0x4152454E
"""What marks a SQLite file as a store (`AREN`), so that no other program's is touched."""


def scripts() -> list[str]:
    """The scripts of this package, `0001.sql` first. The n-th leads to version n."""
    files = (file for file in resources.files("arena.store").iterdir() if file.name[-4:] == ".sql")
    return [file.read_text("utf-8") for file in sorted(files, key=lambda file: file.name)]


def is_current(db: Database, migrations: Sequence[str]) -> bool:
    """Whether the database is a store of the newest version.

    Raises:
        StoreError: it is another program's, or of a newer arena.
    """
    version: int = db.value("PRAGMA user_version")
    used = db.value("SELECT count(*) FROM sqlite_schema")  # before the mark: both come at once
    marked = db.value("PRAGMA application_id") == APPLICATION_ID
    if used and not marked:
        raise StoreError(f"{db.path} is another program's database, not a store")
    if version > len(migrations):
        raise StoreError(
            f"{db.path} was made by a newer arena: its version is {version}, this arena reads up "
            f"to {len(migrations)}; upgrade savanna-arena"
        )
    return marked and version == len(migrations)


def migrate(db: Database, migrations: Sequence[str]) -> None:
    """Bring a store, or an empty database, to the newest version in one transaction.

    Raises:
        StoreError: as `is_current`, or it cannot be written; nothing has changed.
    """
    with db.transaction():
        if is_current(db, migrations):
            return  # another process was faster
        version: int = db.value("PRAGMA user_version")
        for script in migrations[version:]:
            for statement in _statements(script):
                db.run(statement)
        db.run(f"PRAGMA application_id = {APPLICATION_ID}")
        db.run(f"PRAGMA user_version = {len(migrations)}")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, each of which ends a line."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if complete_statement(statement):
            yield statement
            statement = ""
