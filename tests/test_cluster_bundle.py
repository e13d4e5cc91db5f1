"""A bot on its way to another machine arrives as it was, or not at all."""

import os
import shlex
import time
import zlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.referee.faults import CannotStart
from arena.tournament import parcel
from arena.tournament.cluster import bundle as module
from arena.tournament.cluster.bundle import Bundle, bundled, missing, resolve_source, unpack
from arena.tournament.entry import Entry, resolve

TOML = 'name = "mine"\ncommand = ["./bot", "--fast"]\n'
BUILT = TOML + 'build = ["make"]\n'


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where bots are unpacked, as if on another machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/savanna-arena/bundles"


def make_bot(folder: Path, toml: str = TOML) -> Path:
    (folder / "data").mkdir(parents=True)
    (folder / "bot.toml").write_text(toml)
    (folder / "bot").write_text("#!/bin/sh\n")
    (folder / "bot").chmod(0o755)
    (folder / "data" / "weights").write_bytes(bytes(range(256)) * 1000)
    return folder


def sent(words: str) -> tuple[Entry, Bundle]:
    """A bot as it arrives, and what it came in."""
    source, bundle = bundled(resolve(words))
    assert bundle is not None
    unpack(bundle)
    return resolve_source(source), bundle


def files(folder: Path) -> dict[str, tuple[bytes, bool]]:
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), os.access(path, os.X_OK))
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_folder_arrives_as_it_was(tmp_path: Path, cache: Path) -> None:
    folder = make_bot(tmp_path / "a folder")
    here = resolve(f"'{folder}' --depth '3 4'")
    there, bundle = sent(f"'{folder}' --depth '3 4'")
    place = cache / bundle.name
    assert files(place) == files(folder)
    assert there.entrant.digest == here.entrant.digest
    assert there.program.command == (str(place / "bot"), "--fast", "--depth", "3 4")
    assert there.program.folder == str(place)
    assert place.stat().st_mode & 0o777 == 0o755


def test_a_program_in_one_file_arrives_without_its_neighbours(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "neighbour").write_text("secret")
    bot = tmp_path / "my bot.py"
    bot.write_text("pass\n")
    there, bundle = sent(f"{shlex.quote(str(bot))} --slow")
    assert files(cache / bundle.name) == {"my bot.py": (b"pass\n", False)}
    assert there.program.command[1:] == (str(cache / bundle.name / "my bot.py"), "--slow")


def test_caches_and_what_is_hidden_stay_behind(tmp_path: Path, cache: Path) -> None:
    folder = make_bot(tmp_path / "bot")
    for name in ("__pycache__/x.pyc", ".git/config", "node_modules/left-pad/index.js"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("x")
    _, bundle = sent(str(folder))
    names = files(cache / bundle.name)
    assert "node_modules/left-pad/index.js" in names  # the bot needs it to run
    assert not any(name.startswith((".git", "__pycache__")) for name in names)


def test_of_a_bot_that_is_built_only_the_sources_are_sent(tmp_path: Path, cache: Path) -> None:
    folder = make_bot(tmp_path / "bot", BUILT)
    (folder / "target").mkdir()
    (folder / "target" / "big").write_text("x")
    there, bundle = sent(str(folder))
    assert sorted(files(cache / bundle.name)) == ["bot.toml", "data/weights"]
    assert there.entrant.digest == resolve(str(folder)).entrant.digest


def test_a_registered_bot_is_not_sent() -> None:
    source, bundle = bundled(resolve("random"))
    assert bundle is None
    assert resolve_source(source) == resolve("random")


def test_another_program_under_the_same_name_is_refused() -> None:
    source, _ = bundled(resolve("random"))
    with pytest.raises(CannotStart, match="bot random is another program there: its digest is "):
        resolve_source(replace(source, digest="0" * 16))


def test_the_name_is_what_is_in_it(tmp_path: Path) -> None:
    one, other = (make_bot(tmp_path / name) for name in ("one", "other"))
    names = [
        bundle.name for _, bundle in map(bundled, map(resolve, map(str, (one, other)))) if bundle
    ]
    assert names[0] == names[1]
    (other / "data" / "weights").write_text("others")
    changed = bundled(resolve(str(other)))[1]
    assert changed is not None
    assert changed.name != names[0]


def test_what_is_there_is_not_asked_for(tmp_path: Path) -> None:
    _, bundle = sent(str(make_bot(tmp_path / "bot")))
    assert missing([bundle.name, "other"]) == ["other"]
    unpack(bundle)  # two at a time are one


@pytest.mark.parametrize(
    "lines",
    [
        b'{"file":"../out","executable":false}\n{"data":"eA=="}\n{"end":true}\n',
        b'{"link":"up","to":"/"}\n{"file":"up/out","executable":false}\n{"end":true}\n',
        b"nonsense\n",
    ],
)
def test_a_bundle_makes_nothing_outside_its_folder(
    lines: bytes, tmp_path: Path, cache: Path
) -> None:
    bundle = Bundle(module._name(lines), zlib.compress(lines))
    with pytest.raises(parcel.BadParcel):
        unpack(bundle)
    assert list(cache.iterdir()) == []
    assert not (tmp_path / "out").exists()


def test_a_bundle_under_another_name_is_refused(tmp_path: Path) -> None:
    _, bundle = bundled(resolve(str(make_bot(tmp_path / "bot"))))
    assert bundle is not None
    with pytest.raises(parcel.BadParcel, match="holds something else"):
        unpack(replace(bundle, name="0" * 32))
    assert missing(["0" * 32]) == ["0" * 32]


def test_what_nobody_used_for_long_is_dropped(tmp_path: Path, cache: Path) -> None:
    _, old = sent(str(make_bot(tmp_path / "old")))
    long_ago = time.time() - module.KEPT_S - 1
    os.utime(cache / old.name, (long_ago, long_ago))
    new = make_bot(tmp_path / "new")
    (new / "more").write_text("more")
    _, newer = sent(str(new))
    assert missing([old.name, newer.name]) == [old.name]


def test_a_bot_that_is_too_big_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = resolve(str(make_bot(tmp_path / "bot")))
    monkeypatch.setattr(parcel, "MOST_BYTES", 1000)
    with pytest.raises(CannotStart, match="bot mine cannot be sent: over 0 MiB"):
        bundled(entry)
