"""The standard streams: data on stdout, all else on stderr, whoever is at their other end."""

import json
import os
import pty
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.arena_cli import (
    LITTLE,
    PATIENCE,
    PROGRAM,
    QUICK,
    UNHURRIED,
    Arena,
    Done,
    matches_in,
    program,
)

BOTS = ["./little.py", "other=./little.py"]
RUN = ["run", "herd", *BOTS, "--deals", "2", "--seed", "1", *QUICK, *UNHURRIED]


def with_bot(folder: Path) -> Path:
    (folder / "little.py").write_text(LITTLE)
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    """A folder with a store, and how the run ended that made it."""
    folder = with_bot(tmp_path_factory.mktemp("run"))
    return folder, program(*RUN, "--json", cwd=folder)


def test_stdout_carries_data_and_nothing_else(run: tuple[Path, Done]) -> None:
    folder, done = run
    assert done.status == 0
    assert list(json.loads(done.out)) == ["tables"]
    assert "\nrun " in done.err
    assert "\x1b" not in done.out + done.err
    assert matches_in(folder / "arena.db") == 4


def shell(words: list[str], streams: str, cwd: Path) -> Done:
    """A command whose streams the shell arranges."""
    line = f"{shlex.join([str(PROGRAM), *words])} {streams}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


@contextmanager
def left() -> Iterator[int]:
    """A pipe whose reader is gone."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def test_a_run_needs_no_streams_at_all(tmp_path: Path) -> None:
    assert shell(RUN, "<&- >&- 2>&-", with_bot(tmp_path)).status == 0
    assert matches_in(tmp_path / "arena.db") == 4


def test_a_run_goes_on_when_nobody_listens_to_stderr(tmp_path: Path) -> None:
    with left() as pipe:
        done = subprocess.run(
            [PROGRAM, *RUN, "--json"],
            cwd=with_bot(tmp_path),
            stdout=subprocess.PIPE,
            stderr=pipe,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 0
    assert json.loads(done.stdout)["tables"]
    assert matches_in(tmp_path / "arena.db") == 4


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full"])
def test_an_error_that_nobody_hears_is_not_said_elsewhere(tmp_path: Path, streams: str) -> None:
    assert shell(["play"], streams, tmp_path) == Done(2, "", "")


@pytest.mark.parametrize("words", [["games"], ["export"]])
def test_who_reads_stdout_may_leave(run: tuple[Path, Done], words: list[str]) -> None:
    with left() as pipe:
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=run[0],
            stdout=pipe,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("words", "place"), [(["games"], "the output:"), (["export"], "stdout ")])
def test_a_full_stdout_is_an_error(run: tuple[Path, Done], words: list[str], place: str) -> None:
    done = shell(words, ">/dev/full", run[0])
    assert done.status == 3
    assert done.err.startswith(f"arena: {place}")
    assert done.err.lower().endswith("no space left on device\n")


def on_a_terminal(*words: str, cwd: Path, **env: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, *words],
        cwd=cwd,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "30", **env},
        start_new_session=True,
    )
    os.close(theirs)
    said = b""
    while chunk := _read(ours):
        said += chunk
    os.close(ours)
    assert process.wait(PATIENCE) == 0
    return said.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""


COLOUR = re.compile(r"\x1b\[[0-9;]*[34][0-7]")


def test_a_terminal_sees_progress_and_no_color_is_obeyed(tmp_path: Path) -> None:
    seen = on_a_terminal(*RUN, cwd=with_bot(tmp_path))
    assert "4/4" in seen
    assert "Elo" in seen
    assert COLOUR.search(seen)
    grown = [word if word != "2" else "3" for word in RUN]
    seen = on_a_terminal(*grown, cwd=tmp_path, NO_COLOR="1")
    assert "6/6" in seen
    assert not COLOUR.search(seen)


def test_a_match_is_drawn_as_it_goes(tmp_path: Path) -> None:
    words = ["match", "herd", *BOTS, "--option", "size=3", "--isolation", "none", "--deal", "1"]
    drawn = on_a_terminal(*words, "--seed", "1", *UNHURRIED, cwd=with_bot(tmp_path))
    assert drawn.count("little (seat 0): ") > 1
    assert drawn.count("other (seat 1): ") > 1
    assert "1.  " in drawn


def test_the_log_comes_as_json_lines(arena: Arena) -> None:
    bots = [arena.bot("good"), f"{arena.bot('loser')} exit 2"]
    done = arena(
        "--log-json", "run", "herd", *bots, "--deals", "2", "--option", "size=3", *QUICK[2:]
    )
    assert done.status == 0
    lines = [json.loads(line) for line in done.err.splitlines() if line.startswith("{")]
    (fault,) = lines
    assert fault["event"] == "fault"
    assert fault["level"] == "warning"
    assert (fault["bot"], fault["code"]) == ("loser", "crash")
    assert fault["message"] == "the program ended with exit code 1; its last words: out of ideas"
