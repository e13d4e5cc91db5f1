"""The file of a store: opened with care, never torn, and what is wrong with it said in words."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from arena.store.connection import Database, connect
from arena.store.db import Store
from arena.store.errors import NotFound, StoreError
from arena.store.migrations import APPLICATION_ID, migrate, scripts
from arena.store.model import Entrant, Slot
from tests.stored import finished, run

AB = ("ann", "bob")
ROOT = Path(__file__).parent.parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def filled(path: Path) -> Path:
    """The file of a store with forty matches."""
    with Store.open(path) as store:
        store.add_run(run())
        store.add("run1", [finished(run(), Slot(deal, AB, 0)) for deal in range(40)])
    return path


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """The file as SQLite sees it."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


# Opening


def test_a_store_is_made_where_there_is_none(path: Path) -> None:
    with Store.open(path) as store:
        assert store.runs() == []
    with raw(path) as file:
        assert file.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert file.execute("PRAGMA user_version").fetchone() == (len(scripts()),)
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store.open(path, read_only=True) as store:
        assert store.runs() == []


@pytest.mark.parametrize("name", ["with space.db", "ä ?#%41.db", "\udcff.db"], ids=ascii)
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    Store.open(tmp_path / name).close()
    assert os.listdir(os.fsencode(tmp_path)) == [os.fsencode(name)]


def text_file(path: Path) -> None:
    path.write_text("a leaderboard\n" * 100)


def foreign(path: Path) -> None:
    with raw(path) as file:
        file.execute("CREATE TABLE birds (name TEXT)")


def newer(path: Path) -> None:
    Store.open(path).close()
    with raw(path) as file:
        file.execute("PRAGMA user_version = 99")


def folder(path: Path) -> None:
    path.mkdir()


def header_only(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(84))


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (text_file, "{path} is not a store: it is no SQLite database"),
        (foreign, "{path} is another program's database, not a store"),
        (
            newer,
            "{path} was made by a newer arena: its version is 99, this arena reads up to "
            f"{len(scripts())}; upgrade savanna-arena",
        ),
        (folder, "{path} is a folder; --store names a file"),
        (header_only, "{path} is not a store: it is no SQLite database"),
    ],
)
def test_what_is_no_store_is_refused_and_not_touched(
    path: Path, make: Callable[[Path], None], sentence: str, read_only: bool
) -> None:
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreError) as caught:
        Store.open(path, read_only=read_only)
    assert str(caught.value) == sentence.format(path=path)
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be made: there is no folder .*/nowhere"):
        Store.open(tmp_path / "nowhere" / "arena.db")


def test_a_folder_that_takes_no_file_is_named() -> None:
    with pytest.raises(StoreError, match=r"/proc/arena.db cannot be opened; see who may"):
        Store.open(Path("/proc/arena.db"))


def test_reading_makes_no_store(path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no store at .*arena.db; `arena run` makes one"):
        Store.open(path, read_only=True)
    assert not path.exists()


def test_a_store_opened_to_read_cannot_be_written(filled: Path) -> None:
    with (
        Store.open(filled, read_only=True) as store,
        pytest.raises(StoreError, match="cannot be written: the file, its folder or its disk"),
    ):
        store.add_run(run("run2"))


def test_a_store_in_a_folder_that_cannot_be_written_is_read(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite would make files beside it, to share it with writers."""
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    with Store.open(filled, read_only=True) as store:
        assert len(list(store.records())) == 40
        assert [file.name for file in filled.parent.iterdir()] == [filled.name]


# Damage


def test_a_damaged_page_is_an_error_of_one_sentence(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    content[4096 : len(content)] = b"\xa5" * (len(content) - 4096)
    filled.write_bytes(content)
    with (
        pytest.raises(StoreError, match=r"arena.db is damaged .*; put back a copy"),
        Store.open(filled) as store,
    ):
        list(store.records())


@pytest.mark.parametrize(
    "damage",
    [
        lambda body: body[:99] + bytes([body[99] ^ 1]) + body[100:],
        lambda body: body[:-1],
        lambda body: body[:0],
    ],
    ids=["a bit", "cut short", "empty"],
)
def test_a_damaged_pack_is_an_error_and_the_others_are_read(
    filled: Path, damage: Callable[[bytes], bytes]
) -> None:
    with raw(filled) as file:
        body = file.execute("SELECT body FROM packs WHERE key = 2").fetchone()[0]
        file.execute("UPDATE packs SET body = ? WHERE key = 2", (damage(body),))
    with Store.open(filled) as store:
        matches = [match.match for match in store.matches()][::-1]
        for match in matches[8:16]:
            with pytest.raises(StoreError, match=r"arena\.db is damaged: pack 2"):
                store.record(match)
        assert all(store.record(match) for match in matches[:8] + matches[16:])


def test_a_record_without_its_pack_is_damage(filled: Path) -> None:
    with raw(filled) as file:
        file.execute("DELETE FROM packs")
    with Store.open(filled) as store, pytest.raises(StoreError, match="is damaged"):
        store.record(next(store.matches()).match)


# What SQLite refuses


def test_a_full_disk_keeps_what_was_stored(filled: Path) -> None:
    with Store.open(filled) as store:
        pages = store._db.value("PRAGMA page_count")
        store._db.value(f"PRAGMA max_page_count = {pages + 1}")
        more = [finished(run(), Slot(deal, AB, 1)) for deal in range(500)]
        with pytest.raises(StoreError, match=r"the disk that holds .* is full; make room"):
            store.add("run1", more)
        assert len(store.played("run1")) == len(list(store.records())) == 40
        store._db.value(f"PRAGMA max_page_count = {pages * 100}")
        assert store.add("run1", more) == 500


def test_a_store_locked_for_long_says_so(filled: Path) -> None:
    with raw(filled) as other, Store.open(filled, wait=0.05) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"locked by another process for 0.05 s; repeat"):
            store.add_run(run("run2"))
        assert len(list(store.matches())) == 40, "readers do not wait"
        other.execute("ROLLBACK")
        store.add_run(run("run2"))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda store: store.run("\udcff"), "a name that is not valid text"),
        (lambda store: store.add_entrants("run1", [Entrant("\udcff", "", "")]), "not valid text"),
        (lambda store: store.add_run(run("r", version=2**64)), "a number over 64 bits"),
        (lambda store: store._db.all("SELECT birds"), "cannot be used: no such column"),
    ],
)
def test_no_exception_of_sqlite_leaves_the_store(
    filled: Path, call: Callable[[Store], object], sentence: str
) -> None:
    with Store.open(filled) as store, pytest.raises(StoreError, match=sentence):
        call(store)


def test_a_closed_store_is_an_error(filled: Path) -> None:
    store = Store.open(filled)
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.runs()


def test_not_found_is_an_error_of_the_store() -> None:
    assert issubclass(NotFound, StoreError)


# Migrations


STEPS = [
    "CREATE TABLE birds (\n    name TEXT  -- a; b\n) STRICT;\n",
    "ALTER TABLE birds ADD COLUMN size INTEGER;\nUPDATE birds SET size = 3;\n",
    "CREATE INDEX birds_by_size ON birds (size);\n",
]


@contextmanager
def database(path: Path) -> Iterator[Database]:
    db = connect(path, read_only=False, wait=1)
    try:
        yield db
    finally:
        db.close()


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_every_older_version_is_brought_to_the_newest(path: Path, version: int) -> None:
    with database(path) as db:
        migrate(db, STEPS[:version])
        if version:
            db.run("INSERT INTO birds (name) VALUES ('ibis')")
        migrate(db, STEPS)
        assert db.value("PRAGMA user_version") == 3
        assert db.all("SELECT name, size FROM birds") == (
            [] if version == 0 else [("ibis", 3 if version < 2 else None)]
        )


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    with database(path) as db:
        migrate(db, STEPS[:1])
        with pytest.raises(StoreError, match="no such table: bees"):
            migrate(db, [*STEPS[:2], "DROP TABLE bees;\n"])
        assert db.value("PRAGMA user_version") == 1
        assert db.all("SELECT name FROM pragma_table_info('birds')") == [("name",)]


def test_an_old_store_is_read_once_it_is_brought_up(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = [*scripts(), "CREATE TABLE birds (name TEXT) STRICT;\n"]
    monkeypatch.setattr("arena.store.db.scripts", lambda: grown)
    with Store.open(filled, read_only=True) as store:
        assert len(list(store.records())) == 40
    with raw(filled) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (len(grown),)


def test_the_scripts_are_numbered_without_a_gap() -> None:
    names = sorted(file.name for file in (ROOT / "arena" / "store").glob("*.sql"))
    assert names == [f"{number:04}.sql" for number in range(1, len(names) + 1)]
    assert len(scripts()) == len(names)


# Several processes


@contextmanager
def writer(path: Path, name: str, batches: int, size: int) -> Iterator[subprocess.Popen[str]]:
    """A process that is about to write."""
    words = [sys.executable, "-m", "tests.store_writer", str(path), name, str(batches), str(size)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_a_killed_writer_loses_nothing_that_it_acknowledged(path: Path) -> None:
    with writer(path, "run1", 10_000, 10) as process:
        begin(process)
        assert process.stdout is not None
        acknowledged = sum(int(process.stdout.readline()) for _ in range(5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        acknowledged += sum(map(int, process.stdout.read().split()))
    with Store.open(path) as store:
        stored = len(store.played("run1"))
        assert stored in (acknowledged, acknowledged + 10)
        assert len(list(store.records())) == stored, "no match is torn"
        assert store.add("run1", [finished(run(), Slot(stored, AB, 0))]) == 1
    with raw(path) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []


def test_writers_of_a_new_store_wait_for_each_other(path: Path) -> None:
    """Two write the same run, one another: each slot is stored once, by one of them."""
    with ExitStack() as processes:
        writers = [
            processes.enter_context(writer(path, name, 5, 20)) for name in ("run1", "run1", "run2")
        ]
        for process in writers:
            begin(process)
        said = [process.communicate()[0].split() for process in writers]
    assert [process.returncode for process in writers] == [0, 0, 0]
    assert sum(map(int, said[0] + said[1])) == 100
    assert sum(map(int, said[2])) == 100
    with Store.open(path) as store:
        assert [len(store.played(name)) for name in ("run1", "run2")] == [100, 100]
        assert len(list(store.records())) == 200
