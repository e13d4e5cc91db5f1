"""A bot on its way to another machine: its files as a parcel, named by what is in it.

There it is unpacked into the cache once, in a folder of that name, and built there if need be.
"""

import hashlib
import os
import shlex
import shutil
import time
import zlib
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from arena.cache import cache_folder, staged
from arena.files import reason
from arena.referee.faults import CannotStart, printable
from arena.tournament import digest, parcel
from arena.tournament.entry import Entry, resolve

KEPT_S: Final = 30 * 24 * 3600.0
"""How long an unpacked bot is kept that nobody uses."""

_CACHES: Final = frozenset({"__pycache__"})


class Source(Struct, frozen=True):
    """Where a machine finds a bot: unpacked from a bundle, or installed under its name."""

    words: str
    """The BOT, relative to the folder of the bundle if there is one."""
    digest: str
    """What its program is before the tournament adds to it."""
    bundle: str | None = None
    """The name of its bundle; None: it is a registered bot, which has to be installed there."""


class Bundle(Struct, frozen=True):
    """A bot's files."""

    name: str
    """A hash of what is in it."""
    content: bytes
    """The lines of a parcel, compressed."""


def bundled(entry: Entry) -> tuple[Source, Bundle | None]:
    """How another machine comes by a bot.

    Raises:
        CannotStart: its files cannot be read, or are too much.
    """
    words = entry.entrant.words
    first, *arguments = shlex.split(words)
    base = resolve(words)
    folder = base.program.folder
    try:
        if folder is not None:
            bundle = _bundle(Path(folder), digest.files(Path(folder), _left_behind(base)))
            inside = "."
        elif (file := Path(first).absolute()).is_file():
            bundle, inside = _bundle(file.parent, [file]), f"./{file.name}"
        else:
            return Source(words, base.entrant.digest), None
    except (OSError, parcel.BadParcel) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise CannotStart(printable(f"bot {entry.name} cannot be sent: {why}")) from None
    return Source(shlex.join([inside, *arguments]), base.entrant.digest, bundle.name), bundle


def resolve_source(source: Source) -> Entry:
    """The bot on this machine; one from a bundle is unpacked here.

    Raises:
        CannotStart: it is not here, cannot be executed here, or is another program here.
    """
    entry = resolve(source.words if source.bundle is None else _moved(source))
    if entry.entrant.digest != source.digest:
        raise CannotStart(
            f"bot {entry.name} is another program there: its digest is {entry.entrant.digest}, "
            f"not {source.digest}; install the same version"
        )
    return entry


def missing(names: Iterable[str]) -> list[str]:
    """The bundles that are not unpacked here."""
    return [name for name in names if not _place(name).is_dir()]


def unpack(bundle: Bundle) -> None:
    """Unpack a bundle into the cache, and drop bots that nobody has used for long.

    Raises:
        BadParcel: it is none, or not the one that it is called.
        OSError: it cannot be unpacked.
    """
    lines = zlib.decompress(bundle.content)
    if _name(lines) != bundle.name:
        raise parcel.BadParcel(f"bundle {bundle.name} holds something else")
    place = _place(bundle.name)
    with staged(place) as staging:
        _drop_unused(place.parent)
        unpacker = parcel.Unpacker(staging)
        for line in lines.splitlines():
            unpacker.take(line)
        unpacker.close()


def _left_behind(base: Entry) -> Collection[str]:
    """What of a bot's folder is not sent: caches, and what building makes."""
    if not base.build:
        return _CACHES
    return _CACHES | digest.BUILD_OUTPUTS | {Path(base.program.command[0]).name}


def _bundle(folder: Path, files: Iterable[Path]) -> Bundle:
    lines = b"".join(parcel.pack(folder, files, follow=True))
    if len(lines) > parcel.MOST_BYTES:
        raise parcel.BadParcel(f"over {parcel.MOST_BYTES >> 20} MiB")
    return Bundle(_name(lines), zlib.compress(lines, 1))


def _name(lines: bytes) -> str:
    return hashlib.sha256(lines).hexdigest()[:32]


def _place(name: str) -> Path:
    return cache_folder("bundles") / name


def _moved(source: Source) -> str:
    """The words of a bot that was unpacked here."""
    assert source.bundle is not None
    inside, *arguments = shlex.split(source.words)
    place = _place(source.bundle)
    os.utime(place)
    return shlex.join([str(place / inside), *arguments])


def _drop_unused(shelf: Path) -> None:
    for path in shelf.iterdir():
        with suppress(FileNotFoundError):  # another arena tidies, too
            if path.stat().st_mtime < time.time() - KEPT_S:
                shutil.rmtree(path, ignore_errors=True)
