"""What a bot's program is, as a digest: a change of the program changes it."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

_CACHES: Final = {"__pycache__", "node_modules"}
BUILD_OUTPUTS: Final = frozenset({"build", "target", "dist", "obj", "out"})
"""Folders that building makes, by name."""
_BUILT: Final = {".o", ".class", ".jar"}


def of_folder(folder: Path, arguments: Sequence[str], outputs: Sequence[str] | None) -> str:
    """The digest of a bot's folder and its arguments.

    Args:
        folder: all its files count but dotfiles and caches.
        arguments: the words after the bot's name.
        outputs: for a bot that is built, the files that building makes; with the usual
            folders and kinds of build outputs they do not count. None: it is not built.

    Raises:
        OSError: a file cannot be read.
    """
    ignored = _CACHES if outputs is None else _CACHES | BUILD_OUTPUTS | set(outputs)
    endings = set() if outputs is None else _BUILT
    named = (
        (path.relative_to(folder).as_posix(), path)
        for path in files(folder, ignored)
        if path.suffix not in endings
    )
    return _digest(sorted(named), arguments)


def of_file(path: Path, arguments: Sequence[str]) -> str:
    """The digest of a program in one file and its arguments.

    Raises:
        OSError: it cannot be read.
    """
    return _digest([("", path)], arguments)


def extended(digest: str, more: Sequence[object]) -> str:
    """The digest of a program that is given more than its files and arguments."""
    return hashlib.sha256(repr((digest, *more)).encode()).hexdigest()[:16]


def files(folder: Path, ignored: Collection[str], above: tuple[Path, ...] = ()) -> Iterator[Path]:
    """All files below a folder but dotfiles, and not behind a link that leads back above.

    Args:
        folder: where to look.
        ignored: names of files and folders that are passed over.
        above: the folders that led here.
    """
    real = folder.resolve()
    if real in above:
        return
    for path in folder.iterdir():
        if path.name.startswith(".") or path.name in ignored:
            continue
        if path.is_dir():
            yield from files(path, ignored, (*above, real))
        elif path.is_file():
            yield path


def _digest(files: Sequence[tuple[str, Path]], arguments: Sequence[str]) -> str:
    total = hashlib.sha256()
    for name, path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        total.update(f"{name}\0{content}\0".encode(errors="surrogateescape"))
    total.update("\0".join(["arguments", *arguments]).encode(errors="surrogateescape"))
    return total.hexdigest()[:16]
