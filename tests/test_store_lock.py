"""A run is played by one arena at a time, and not deleted meanwhile."""

import fcntl
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.db import Store
from arena.store.errors import StoreError
from tests.stored import run


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Store.open(tmp_path / "arena.db") as opened:
        opened.add_run(run())
        yield opened


def test_a_run_that_is_played_can_be_held_by_nobody_else(store: Store, tmp_path: Path) -> None:
    with (
        Store.open(tmp_path / "arena.db") as other,
        store.playing("run1"),
        pytest.raises(StoreError, match=rf"being played .* \(process {os.getpid()}\)"),
        other.playing("run1"),
    ):
        pytest.fail("it is held twice")
    with store.playing("run1"):
        pass
    assert not list(tmp_path.glob("*.lock"))


def test_a_run_that_is_played_cannot_be_deleted(store: Store) -> None:
    with store.playing("run1"), pytest.raises(StoreError, match="being played by another arena"):
        store.delete_run("run1")
    assert store.delete_run("run1") == 0


def test_two_runs_are_played_at_once(store: Store) -> None:
    store.add_run(run("run2"))
    with store.playing("run1"), store.playing("run2"):
        pass


HOLDER = """
import sys
from pathlib import Path
from arena.store.lock import playing
with playing(Path(sys.argv[1]), "run1"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_names_its_process_and_ends_with_it(store: Store, tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLDER, str(tmp_path / "arena.db")]
    pipe, folder = subprocess.PIPE, {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, env=os.environ | folder) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        sentence = rf"being played by another arena \(process {process.pid}\)"
        with pytest.raises(StoreError, match=sentence), store.playing("run1"):
            pytest.fail("it is held twice")
        process.kill()
        process.wait()
        with store.playing("run1"):
            pass


def test_a_lock_whose_file_was_just_removed_is_made_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its holder lets go between the opening of the file and the locking of it."""
    holder = store.playing("run1")
    holder.__enter__()
    flock = fcntl.flock

    def late(file: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        holder.__exit__(None, None, None)
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with store.playing("run1"):
        assert len(list(tmp_path.glob("*.lock"))) == 1


def test_a_store_is_the_same_by_every_path_to_it(store: Store, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "arena.db")
    with (
        Store.open(tmp_path / "link.db") as other,
        store.playing("run1"),
        pytest.raises(StoreError, match="being played by another arena"),
        other.playing("run1"),
    ):
        pytest.fail("it is held twice")


def test_a_lock_that_cannot_be_made_is_an_error(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/proc")
    with (
        pytest.raises(StoreError, match=r"run run1 of .* cannot be locked: /proc/.*: No such file"),
        store.playing("run1"),
    ):
        pytest.fail("it is held")
