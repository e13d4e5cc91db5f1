"""A digest changes when the program does, and only then."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.tournament.digest import extended, of_file, of_folder

Change = Callable[[Path], object]


def write(name: str, text: str = "x") -> Change:
    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    return change


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a bot of two files."""
    bot = tmp_path / "bot"
    write("bot.py", "print(1)")(bot)
    write("lib/tables.py", "A = 1")(bot)
    return bot


CHANGES: dict[str, Change] = {
    "a file changes": write("bot.py", "print(2)"),
    "a file below changes": write("lib/tables.py", "A = 2"),
    "a file is added": write("data.txt"),
    "an empty file is added": write("data.txt", ""),
    "a file is removed": lambda folder: (folder / "lib/tables.py").unlink(),
    "a file is renamed": lambda folder: (folder / "bot.py").rename(folder / "main.py"),
    "text moves between files": lambda folder: (
        write("bot.py", "A = 1")(folder),
        write("lib/tables.py", "print(1)")(folder),
    ),
    "a compiled program is added": write("Main.class"),
    "a folder of a usual build output is added": write("target/bot"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_it_changes_when(folder: Path, change: Change) -> None:
    before = of_folder(folder, [], None)
    change(folder)
    assert of_folder(folder, [], None) != before


NO_CHANGES: dict[str, Change] = {
    "nothing but its place changes": Path.exists,
    "times change": lambda folder: os.utime(folder / "bot.py", (1, 1)),
    "permissions change": lambda folder: (folder / "bot.py").chmod(0o755),
    "a dotfile is added": write(".env"),
    "a folder with a dot is added": write(".git/config"),
    "Python keeps its cache": write("lib/__pycache__/tables.cpython-311.pyc"),
    "packages are installed": write("node_modules/left-pad/index.js"),
    "an empty folder is added": lambda folder: (folder / "empty").mkdir(),
}


@pytest.mark.parametrize("change", NO_CHANGES.values(), ids=NO_CHANGES)
def test_it_stays_when(folder: Path, change: Change) -> None:
    before = of_folder(folder, [], None)
    change(folder)
    moved = folder.rename(folder.with_name("moved"))
    assert of_folder(moved, [], None) == before


BUILT: dict[str, Change] = {
    "the program": write("mybot"),
    "objects": write("bot.o"),
    "classes": write("lib/Main.class"),
    "archives": write("bot.jar"),
    "folders of build outputs": write("target/release/mybot"),
}


@pytest.mark.parametrize("built", BUILT.values(), ids=BUILT)
def test_what_is_built_does_not_count_in_a_bot_that_is_built(folder: Path, built: Change) -> None:
    before = of_folder(folder, [], ["mybot"])
    built(folder)
    assert of_folder(folder, [], ["mybot"]) == before
    write("bot.py", "changed")(folder)
    assert of_folder(folder, [], ["mybot"]) != before


def test_arguments_count_word_by_word(folder: Path) -> None:
    given = [[], ["--nodes", "5"], ["--nodes 5"], ["5", "--nodes"], [""], ["", ""]]
    assert len({of_folder(folder, words, None) for words in given}) == len(given)
    assert len({of_file(folder / "bot.py", words) for words in given}) == len(given)


def test_a_link_is_what_it_leads_to(folder: Path) -> None:
    other = folder.parent / "shared"
    write("weights.txt", "1")(other)
    (folder / "shared").symlink_to(other)
    before = of_folder(folder, [], None)
    write("weights.txt", "2")(other)
    assert of_folder(folder, [], None) != before


def test_links_that_lead_back_or_nowhere_are_passed_over(folder: Path) -> None:
    before = of_folder(folder, [], None)
    for place in ("self", "lib/up", "lib/up2"):
        (folder / place).symlink_to(folder)
    (folder / "gone").symlink_to(folder / "nothing")
    os.mkfifo(folder / "pipe")
    assert of_folder(folder, [], None) == before


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / "odd").symlink_to("/proc/self/mem")
    with pytest.raises(OSError, match="Input/output error"):
        of_folder(folder, [], None)


def test_a_program_of_one_file_is_its_text(tmp_path: Path) -> None:
    write("a.py", "1")(tmp_path)
    write("b.py", "1")(tmp_path)
    write("c.py", "2")(tmp_path)
    a, b, c = (of_file(tmp_path / name, []) for name in ("a.py", "b.py", "c.py"))
    assert a == b != c


def test_a_digest_is_16_hex_digits(folder: Path) -> None:
    for digest in (of_folder(folder, [], None), of_file(folder / "bot.py", []), extended("a", [1])):
        assert len(digest) == 16
        int(digest, 16)


def test_what_else_a_program_is_given_extends_it() -> None:
    given = [("K", "V"), ("K", "W"), ("K", "V", 2.0), ()]
    assert len({extended("0123", more) for more in given}) == len(given)
    assert extended("0123", ("K", 1.5)) == extended("0123", ("K", 1.5))
