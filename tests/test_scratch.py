"""Working folders: each referee removes its own, and what killed ones left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.referee import scratch
from tests.arena_cli import alive, until

REFEREE = "from arena.referee import scratch; print(scratch.working_folder(), flush=True); input()"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def referee() -> "subprocess.Popen[str]":
    """Another process that has a working folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", REFEREE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert Path(process.stdout.readline().rstrip()).is_dir()
    return process


def age(folder: Path) -> None:
    """Let what lies in a folder be an hour old."""
    for path in folder.iterdir():
        os.utime(path, (time.time() - 3600,) * 2)


def test_a_referee_removes_its_folder_when_it_exits(temporary: Path) -> None:
    with referee() as process:
        assert len(list(temporary.iterdir())) == 1
        process.communicate("\n")
    assert list(temporary.iterdir()) == []


def test_what_a_killed_one_left_is_removed_and_what_is_held_is_not(temporary: Path) -> None:
    with referee() as killed, referee() as living:
        (first, second) = temporary.iterdir()
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        until(lambda: not alive([killed.pid]))
        scratch.sweep(temporary)
        assert len(list(temporary.iterdir())) == 2, "it may be one that is just being made"
        age(temporary)
        scratch.sweep(temporary)
        (left,) = temporary.iterdir()
        assert left in (first, second)
        living.communicate("\n")
    assert list(temporary.iterdir()) == []


def test_what_is_not_a_referees_stays(temporary: Path) -> None:
    (temporary / "arena-notes").mkdir()
    (temporary / f"{scratch.PREFIX}file").write_text("")
    age(temporary)
    scratch.sweep(temporary)
    assert len(list(temporary.iterdir())) == 2
