"""A folder as lines and back, where the lines are a stranger's."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from arena.tournament import parcel
from arena.tournament.parcel import BadParcel, Unpacker, pack, run_line

HELLO = {"data": "aGVsbG8="}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    (folder / "src/deep").mkdir(parents=True)
    (folder / "src/deep/big.bin").write_bytes(os.urandom(100_000))
    (folder / "src/empty").write_bytes(b"")
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    (folder / "latest").symlink_to("src")
    (folder / "gr\u00fc\u00df \udcff").write_text("a name that is no UTF-8")
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    place.mkdir()
    return place


def unpack(place: Path, lines: Iterable[bytes]) -> Unpacker:
    unpacker = Unpacker(place)
    try:
        for line in lines:
            if unpacker.take(line):
                break
    finally:
        unpacker.close()
    return unpacker


def line(**item: object) -> bytes:
    return json.dumps(item).encode()


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_there_and_back(folder: Path, place: Path) -> None:
    unpack(place, pack(folder, folder.rglob("*"), follow=False))
    assert files(place) == files(folder)
    assert os.access(place / "run", os.X_OK)
    assert not os.access(place / "src/empty", os.X_OK)
    assert (place / "latest").readlink() == Path("src")


def test_links_can_be_followed(folder: Path, place: Path) -> None:
    (folder / "copy").symlink_to(folder / "run")
    unpack(place, pack(folder, [folder / "copy", folder / "latest/deep/big.bin"], follow=True))
    assert not (place / "copy").is_symlink()
    assert not (place / "latest").is_symlink()
    assert sorted(files(place)) == ["copy", "latest/deep/big.bin"]


def test_no_line_is_too_long_for_the_wire(folder: Path) -> None:
    assert max(map(len, pack(folder, folder.rglob("*"), follow=False))) <= 65_537


def test_what_is_to_be_run(place: Path) -> None:
    assert unpack(place, [run_line(["cc", "a b.c"])]).command == ["cc", "a b.c"]


@pytest.mark.parametrize(
    "lines",
    [
        [line(file="../out", executable=False)],
        [line(file="/tmp/out-of-a-parcel", executable=False)],
        [line(folder="../out")],
        [line(link="../out", to="x")],
        [line(link="up", to=".."), line(file="up/out", executable=False)],
        [line(link="up", to="/tmp"), line(folder="up/out")],
        [line(folder="a"), line(link="a/b", to="../.."), line(file="a/b/out", executable=False)],
    ],
)
def test_nothing_is_made_outside(place: Path, lines: list[bytes]) -> None:
    before = sorted(place.parent.iterdir())
    with pytest.raises(BadParcel, match="outside"):
        unpack(place, lines)
    assert sorted(place.parent.iterdir()) == before
    assert not Path("/tmp/out-of-a-parcel").exists()


def test_nothing_is_written_through_a_link(place: Path) -> None:
    victim = place.parent / "victim"
    victim.write_text("precious")
    with pytest.raises(OSError, match="exists"):
        unpack(
            place, [line(link="a", to=str(victim)), line(file="a", executable=True), line(**HELLO)]
        )
    assert victim.read_text() == "precious"
    assert not os.access(victim, os.X_OK)


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"\n",
        b"tar",
        b"[]",
        b"[" * 100_000,
        b'{"file":"a"}',
        b'{"file":1,"executable":true}',
        b'{"device":"a"}',
        b'{"file":"a\\u0000b","executable":true}',
        b'{"run":[]}',
        line(**HELLO),  # of no file
    ],
)
def test_a_line_that_is_none(place: Path, bad: bytes) -> None:
    with pytest.raises(BadParcel):
        unpack(place, [bad])


def test_data_that_is_not_base64(place: Path) -> None:
    with pytest.raises(BadParcel):
        unpack(place, [line(file="a", executable=False), line(data="a")])


def test_it_cannot_be_too_much(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "MOST_BYTES", 8)
    monkeypatch.setattr(parcel, "MOST_LINES", 4)
    with pytest.raises(BadParcel, match="over 0 MiB"):
        unpack(place, [line(file="a", executable=False), line(**HELLO), line(**HELLO)])
    with pytest.raises(BadParcel, match="too many"):
        unpack(place, [line(folder=str(number)) for number in range(5)])


def test_the_program_builds_and_speaks_when_asked(folder: Path, tmp_path: Path) -> None:
    source = run_line(["sh", "-c", "echo words; echo made > made"])
    source += b"".join(pack(folder, folder.rglob("*"), follow=False))
    source += parcel.MORE * 100
    (tmp_path / "working").mkdir()
    done = subprocess.run(
        [sys.executable, "-I", parcel.__file__],
        cwd=tmp_path / "working",
        input=source,
        capture_output=True,
        check=True,
    )
    assert done.stderr == b"words\n"
    place = tmp_path / "result"
    place.mkdir()
    unpack(place, io.BytesIO(done.stdout))
    assert files(place) == files(folder) | {"made": b"made\n"}


def test_the_program_ends_as_the_build_does(tmp_path: Path) -> None:
    for command, status, words in [
        (["sh", "-c", "exit 3"], 3, b""),
        (["sh", "-c", "kill -9 $$"], 137, b""),
        (["no such tool"], 1, b"[Errno 2] No such file or directory: 'no such tool'\n"),
    ]:
        (tmp_path / str(status)).mkdir()
        done = subprocess.run(
            [sys.executable, "-I", parcel.__file__],
            cwd=tmp_path / str(status),
            input=run_line(command) + line(end=True) + b"\n",
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (status, b"", words)
