"""TOML files: what is wrong is said with the file, the line and the mend."""

from pathlib import Path

import pytest
from msgspec import Struct

from arena.toml import TomlError, load


class Inner(Struct, forbid_unknown_fields=True, rename="kebab"):
    bot: str
    time_handicap: float = 1.0


class Outer(Struct, forbid_unknown_fields=True, rename="kebab"):
    game: str
    turn_time: str | None = None
    seats: int = 2
    bot: tuple[Inner, ...] = ()
    option: dict[str, int] = {}


def test_a_file_is_read_into_its_struct(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text('game = "herd"\nturn-time = "1s"\n[option]\nsize = 5\n[[bot]]\nbot = "é"\n')
    assert load(path, Outer) == Outer("herd", "1s", 2, (Inner("é"),), {"size": 5})


WRONG = {
    "no TOML": ("game = herd\n", " is not TOML: Invalid value (at line 1, column 8)"),
    "unknown key": (
        'game = "herd"\n\nturn-tme = "1s"\n',
        ", line 3: unknown key turn-tme; did you mean turn-time?",
    ),
    "unknown key like none": (
        'game = "herd"\nxyz = 1\n',
        ", line 2: unknown key xyz; known are game, turn-time, seats, bot, option",
    ),
    "another type": (
        'game = "herd"\nseats = "2"\n',
        ", line 2: seats: expected int, got str",
    ),
    "missing key": ("seats = 2\n", ": the file has no game"),
    "unknown key of a table": (
        'game = "herd"\n[[bot]]\nbot = "x"\n[[bot]]\nbot = "y"\ntime-handycap = 2\n',
        ", line 6: unknown key time-handycap; did you mean time-handicap?",
    ),
    "missing key of a table": (
        'game = "herd"\n[[bot]]\nbot = "x"\n[[bot]]\n',
        ", line 4: [[bot]] has no bot",
    ),
    "another type in a table": (
        'game = "herd"\n[[bot]]\nbot = "x"\n[[bot]]\nbot = 3\n',
        ", line 5: bot: expected str, got int",
    ),
}


@pytest.mark.parametrize(("text", "sentence"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "run.toml"
    path.write_text(text)
    with pytest.raises(TomlError) as found:
        load(path, Outer)
    assert str(found.value) == f"{path}{sentence}"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes('game = "é"'.encode("latin-1"))
    for path, why in (
        (tmp_path / "no.toml", "no such file or directory"),
        (tmp_path, "is a directory"),
        (latin, "it is not UTF-8"),
    ):
        with pytest.raises(TomlError) as found:
            load(path, Outer)
        assert str(found.value) == f"{path} cannot be read: {why}"
