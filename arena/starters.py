"""Starters of bots and of a game: folders of `examples/`, which come with the installed package."""

import errno
import keyword
import re
import shutil
from collections.abc import Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from arena.tournament import digest
from engine.registry import BUILT_IN, NAME_FORM
from engine.words import quoted

_GAME: Final = "game-starter"
"""The folder of a game, and its name there."""

_ALIASES: Final = {
    "py": "python",
    "js": "javascript",
    "node": "javascript",
    "ts": "typescript",
    "c++": "cpp",
    "rs": "rust",
    "golang": "go",
    "rb": "ruby",
    "sh": "shell",
    "jq": "shell",
}
"""Other words for a language."""


class UnknownLanguage(ValueError):  # noqa: N818  # reads as what is wrong
    """There is no starter bot in this language; one sentence that names those that there are."""


class BadGameName(ValueError):  # noqa: N818  # reads as what is wrong
    """A name that no new game can have; one sentence."""


class Starter(Struct, frozen=True):
    """What a starter bot is written in."""

    language: str
    title: str
    """For people: `C++`."""
    folder: Path
    tools: tuple[str, ...]
    """The programs that it is built and run with."""


def starters() -> Mapping[str, Starter]:
    """All starter bots by language."""
    folders = (path.parent for path in sorted(_root().glob("*/bot.toml")))
    return {folder.name: _read(folder) for folder in folders}


def starter(language: str) -> Starter:
    """The starter bot in a language.

    Raises:
        UnknownLanguage: there is none.
    """
    known = starters()
    word = language.lower()
    found = known.get(_ALIASES.get(word, word))
    if found is None:
        raise UnknownLanguage(
            f"there is no starter bot in '{language}'; there is one in {', '.join(known)}"
        )
    return found


def write(chosen: Starter, folder: Path, name: str) -> list[Path]:
    """Make a folder with a starter bot of this name; gives its files.

    Raises:
        OSError: there is something in the folder already, or it cannot be written.
    """
    return _copy(chosen.folder, folder, {f"{chosen.language}-starter": name})


def write_game(folder: Path, name: str) -> list[Path]:
    """Make a folder with a package that gives a game of this name; gives its files.

    Raises:
        BadGameName: a game or its module cannot be called so.
        OSError: there is something in the folder already, or it cannot be written.
    """
    _check_game_name(name)
    words = name.split("-")
    names = {
        _GAME: name,
        _GAME.replace("-", "_"): "_".join(words),
        "GameStarter": "".join(word.capitalize() for word in words),
        "Game Starter": " ".join(word.capitalize() for word in words),
    }
    return _copy(_root() / _GAME, folder, names)


def _check_game_name(name: str) -> None:
    module = name.replace("-", "_")
    if not NAME_FORM.fullmatch(name) or not module.isidentifier() or keyword.iskeyword(module):
        raise BadGameName(
            f"a game is not called {quoted(name)}: lower-case letters and digits, a letter first,"
            " single dashes between words"
        )
    if name in BUILT_IN:
        raise BadGameName(f"{name} is a game of the arena; take another name")
    if find_spec(module) is not None:
        raise BadGameName(f"Python has a module {module} already; take another name")


def _copy(template: Path, folder: Path, names: Mapping[str, str]) -> list[Path]:
    """The files of a template, under other names, in paths and texts."""
    if folder.is_dir() and any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "there is something in it; name another", str(folder))
    written = []
    for source in sorted(digest.files(template, {"__pycache__"})):
        path = folder / _renamed(str(source.relative_to(template)), names)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = _renamed(source.read_text(encoding="utf-8"), names)
        text = re.sub(rf"\./{re.escape(template.name)}\b", f"./{folder.name}", text)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _renamed(text: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def _root() -> Path:
    """In an installed package, else in a copy of the repository."""
    packaged = Path(str(files("arena"))) / "examples"
    return packaged if packaged.is_dir() else packaged.parents[1] / "examples"


def _read(folder: Path) -> Starter:
    toml = msgspec.toml.decode((folder / "bot.toml").read_bytes())
    title = (folder / "README.md").read_text(encoding="utf-8").splitlines()[0]
    programs = [toml[key][0] for key in ("build", "command") if key in toml]
    return Starter(
        folder.name,
        title.removeprefix("# A starter bot in "),
        folder,
        tuple(program for program in programs if "/" not in program),
    )


def missing_tools(chosen: Starter) -> list[str]:
    """The programs that a starter bot needs and that are not here."""
    own = {"python3"}  # the arena's
    return [tool for tool in chosen.tools if tool not in own and shutil.which(tool) is None]
