"""Files of records: plain, compressed, through the pipes, and what is wrong with them."""

import gzip
import io
import sys
from contextlib import suppress
from errno import ENOSPC
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.files import STDIN, STDOUT, read_records, write_records
from protocol.record import Record, RecordError, encode_record
from tests.records import played

RECORDS = [played(match=f"m-{number}", options={"size": 2}) for number in range(3)]
LINES = [encode_record(record) for record in RECORDS]


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz", "-r.jsonl"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    assert write_records(tmp_path / name, LINES) == 3
    assert list(read_records(tmp_path / name)) == RECORDS


def test_a_name_in_gz_compresses(tmp_path: Path) -> None:
    write_records(tmp_path / "games.gz", LINES)
    assert gzip.decompress((tmp_path / "games.gz").read_bytes()) == b"\n".join(LINES) + b"\n"


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_writing_begins_anew_and_appending_does_not(tmp_path: Path, name: str) -> None:
    write_records(tmp_path / name, LINES)
    write_records(tmp_path / name, LINES[:1])
    assert write_records(tmp_path / name, LINES[1:], append=True) == 2
    assert list(read_records(tmp_path / name)) == RECORDS


def test_a_dash_is_stdin_and_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"\n".join(LINES))))
    assert list(read_records(STDIN)) == RECORDS
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=out))
    assert write_records(STDOUT, LINES) == 3
    assert out.getvalue() == b"\n".join(LINES) + b"\n"


WRONG: dict[str, tuple[str, bytes | None, str]] = {
    "no such file": ("r.jsonl", None, "/r.jsonl cannot be read: no such file or directory"),
    "a folder": (".", None, " cannot be read: is a directory"),
    "no JSON": ("r.jsonl", b"hello\n", "/r.jsonl, line 1: not a match record: JSON is malformed"),
    "no record": ("r.jsonl", b"\n\n{}\n", "/r.jsonl, line 3: not a match record: Object missing"),
    "no UTF-8": ("r.jsonl", b'{"match":"\xff"}', "/r.jsonl, line 1: not a match record: "),
    "another version": (
        "r.jsonl",
        LINES[0].replace(b'"record":1', b'"record":2'),
        "/r.jsonl, line 1: a record of version 2; this arena reads version 1",
    ),
    "not compressed": ("r.gz", b"hello", "/r.gz cannot be read: not a gzipped file (b'he')"),
    "cut short": (
        "r.gz",
        gzip.compress(LINES[0])[:-20],
        "/r.gz cannot be read: compressed file ended before the end-of-stream marker was reached",
    ),
    "damaged": (
        "r.gz",
        gzip.compress(LINES[0])[:30] + b"\0" * 300,
        "/r.gz cannot be read: error -3 while decompressing data",
    ),
}


@pytest.mark.parametrize(("name", "content", "sentence"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_named_with_its_line(
    tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RecordError) as found:
        list(read_records(path))
    assert str(found.value).startswith(f"{tmp_path}{sentence}")


def test_the_records_before_the_wrong_one_are_read(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(LINES[0] + b"\nhello\n")
    read: list[Record] = []
    with pytest.raises(RecordError, match="line 2"):
        read.extend(read_records(tmp_path / "r.jsonl"))
    assert read == RECORDS[:1]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/dev/full", "/dev/full cannot be written: no space left on device"),
        ("/nowhere/r.jsonl", "/nowhere/r.jsonl cannot be written: no such file or directory"),
        ("/", "/ cannot be written: is a directory"),
    ],
)
def test_what_cannot_be_written_is_named(path: str, sentence: str) -> None:
    with pytest.raises(RecordError) as found:
        write_records(Path(path), LINES)
    assert str(found.value) == sentence


class Failing(io.RawIOBase):
    """A place that takes no byte."""

    def __init__(self, error: OSError) -> None:
        self._error = error

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise self._error


@pytest.mark.parametrize(
    ("error", "expected", "sentence"),
    [
        (
            OSError(ENOSPC, "No space left on device"),
            RecordError,
            "stdout cannot be written: no space left on device",
        ),
        (BrokenPipeError("who read it has left"), BrokenPipeError, "who read it has left"),
    ],
)
def test_stdout_is_full_or_left(
    monkeypatch: pytest.MonkeyPatch, error: OSError, expected: type[Exception], sentence: str
) -> None:
    place = io.BufferedWriter(Failing(error), 1)
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=place))
    with pytest.raises(expected) as found:
        write_records(STDOUT, LINES)
    assert str(found.value) == sentence
    with suppress(OSError):
        place.close()
