"""Starter bots: the folders of `examples/`, which come along with the installed package."""

import errno
import re
import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from arena.tournament import digest

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
    if folder.is_dir() and any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "there is something in it; name another", str(folder))
    written = []
    for source in sorted(digest.files(chosen.folder, {"__pycache__"})):
        path = folder / source.relative_to(chosen.folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        path.write_text(_personal(text, chosen.language, folder, name), encoding="utf-8")
        written.append(path)
    return written


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


def _personal(text: str, language: str, folder: Path, name: str) -> str:
    """The text with the bot's own name and folder."""
    text = text.replace(f"{language}-starter", name)
    return re.sub(rf"\./{re.escape(language)}\b", f"./{folder.name}", text)


def missing_tools(chosen: Starter) -> list[str]:
    """The programs that a starter bot needs and that are not here."""
    own = {"python3"}  # the arena's
    return [tool for tool in chosen.tools if tool not in own and shutil.which(tool) is None]
