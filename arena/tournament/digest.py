"""What a bot's program is, as a digest: a change of the program changes it."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

_CACHES: Final = {"__pycache__", "node_modules"}
_BUILD_OUTPUTS: Final = {"build", "target", "dist", "obj", "out"}


def of_folder(folder: Path, arguments: Sequence[str], outputs: Sequence[str] | None) -> str:
    """The digest of a bot's folder and its arguments.

    Args:
        folder: all its files count but dotfiles and caches.
        arguments: the words after the bot's name.
        outputs: for a bot that is built, the files that building makes; with the usual
            folders of build outputs they do not count. None: it is not built.
    """
    ignored = _CACHES if outputs is None else _CACHES | _BUILD_OUTPUTS | set(outputs)
    files = ((path.relative_to(folder).as_posix(), path) for path in _files(folder, ignored))
    return _digest(sorted(files), arguments)


def of_file(path: Path, arguments: Sequence[str]) -> str:
    """The digest of a program in one file and its arguments."""
    return _digest([("", path)], arguments)


def extended(digest: str, more: Sequence[object]) -> str:
    """The digest of a program that is given more than its files and arguments."""
    return hashlib.sha256(repr((digest, *more)).encode()).hexdigest()[:16]


def _files(folder: Path, ignored: set[str]) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if not _skipped(name, ignored)]
        for name in names:
            path = Path(place, name)
            if not _skipped(name, ignored) and path.is_file():
                yield path


def _skipped(name: str, ignored: set[str]) -> bool:
    return name.startswith(".") or name in ignored or name.endswith((".pyc", ".class", ".o"))


def _digest(files: Sequence[tuple[str, Path]], arguments: Sequence[str]) -> str:
    total = hashlib.sha256()
    for name, path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        total.update(f"{name}\0{content}\0".encode(errors="surrogateescape"))
    total.update("\0".join(["arguments", *arguments]).encode(errors="surrogateescape"))
    return total.hexdigest()[:16]
