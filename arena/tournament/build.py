"""Bots that are built: once for each state of their sources, on demand.

What `build` in a bot.toml runs is a stranger's program. It runs as a bot does, under the same
isolation and without network, in a copy of the bot's folder. The bot is then run from that copy,
which is kept in a cache and named by the digest of the sources: a build that is there is one of
these sources. The bot's own folder is never written to.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio
from msgspec.structs import replace

from arena.cache import cache_folder, staged
from arena.files import reason
from arena.referee import tree
from arena.referee.exchange import exchange
from arena.referee.faults import CannotStart, printable
from arena.referee.limits import Limits
from arena.referee.process import Process, spawn
from arena.referee.program import Program, check_executable
from arena.referee.sandbox import Level
from arena.referee.wire import Broken, WireError
from arena.tournament import digest, parcel
from arena.tournament.entry import Entry

SECONDS: Final = 300
"""How long a build may take."""
LIMITS: Final = Limits(memory_mb=2048, processes=512, file_mb=1024, folder_mb=1024)
"""What a build may use."""
KEPT: Final = 5
"""How many builds of a bot's folder are kept, the last ones used."""
WORDS: Final = 100
"""How many lines of what a failed build said are shown."""

_LEAVING_S: Final = 30
"""How long a build that has nothing more to say may take to end."""
_CACHES: Final = frozenset({"__pycache__"})


class _Failed(Exception):  # noqa: N818  # reads as what happened
    """A build did not make its program; says why."""


async def built(
    entry: Entry, level: Level, trust: bool, announce: Callable[[str], None] = lambda _: None
) -> Entry:
    """The entry with a program that is there: as it is, from the cache, or built now.

    Args:
        entry: any bot; those without `build` are given back.
        level: how the build is isolated.
        trust: build also at a level that does not hold what attacks.
        announce: is told before a build begins, since it takes a while.

    Raises:
        CannotStart: it cannot be built; what the compiler said is in the message.
        HostFault: the host has no means to.
    """
    if not entry.build:
        return entry
    folder = _folder(entry)
    try:
        kept = _shelf(folder) / digest.of_folder(folder, [platform.machine()], _outputs(entry))
        if not kept.is_dir():
            _check_trusted(level, trust)
            announce(f"building {entry.name}: {' '.join(map(printable, entry.build))}")
            await _build(entry, level, kept)
        os.utime(kept)
        return _moved(entry, kept)
    except (_Failed, parcel.BadParcel, OSError) as error:
        raise CannotStart(f"bot {entry.name} cannot be built: {_why(error)}") from None


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return printable(f"{error.filename or 'its folder'}: {reason(error)}")
    return str(error)


def _folder(entry: Entry) -> Path:
    assert entry.program.folder is not None
    return Path(entry.program.folder)


def _outputs(entry: Entry) -> Sequence[str]:
    """What the build makes in the bot's folder, by name."""
    program = Path(entry.program.command[0])
    return [program.name] if program.is_relative_to(_folder(entry)) else []


def _check_trusted(level: Level, trust: bool) -> None:
    if level is not Level.BWRAP and not trust:
        raise _Failed(
            f"isolation {level} does not hold a build that attacks; if you trust this bot, "
            "build it with --trust, else install bubblewrap"
        )


def _moved(entry: Entry, kept: Path) -> Entry:
    """The entry as it runs from a copy of its folder."""
    program, *arguments = entry.program.command
    if (own := Path(program)).is_relative_to(folder := _folder(entry)):
        made = kept / own.relative_to(folder)
        if not made.is_file():
            raise _Failed(f"it makes no {own.relative_to(folder)}, which command in bot.toml names")
        program = str(made)
    moved = replace(entry.program, command=(program, *arguments), folder=str(kept))
    check_executable(moved)
    return replace(entry, program=moved)


# The cache


def _shelf(folder: Path) -> Path:
    """Where the builds of a bot's folder are kept."""
    return cache_folder("builds") / hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]


async def _build(entry: Entry, level: Level, kept: Path) -> None:
    with staged(kept) as staging:
        _tidy(kept.parent)
        await _run(entry, level, parcel.Unpacker(staging))
        _moved(entry, staging)  # what is no program is not kept


def _tidy(shelf: Path) -> None:
    """Make room for another build; drop what arenas that were killed left half made."""
    used: dict[Path, float] = {}
    for path in shelf.iterdir():
        with suppress(FileNotFoundError):  # another arena tidies, too
            used[path] = path.stat().st_mtime
    builds = sorted((path for path in used if not path.name.startswith(".")), key=used.__getitem__)
    half_made = used.keys() - set(builds)
    stale = [path for path in half_made if used[path] < time.time() - 2 * SECONDS]
    for path in (*builds[: 1 - KEPT], *stale):
        shutil.rmtree(path, ignore_errors=True)


# The build


async def _run(entry: Entry, level: Level, results: parcel.Unpacker) -> None:
    """Build in a sandbox, and unpack what was made.

    Raises:
        _Failed, BadParcel, OSError: it was not made.
    """
    tree.adopt_orphans()
    sources = parcel.run_line(entry.build) + b"".join(_sources(entry))
    process = spawn(_builder(entry), level)
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.tend)
        try:
            await _converse(process, sources, results)
        except WireError as error:
            failure = await _failure(process, error)
        except (parcel.BadParcel, OSError) as error:
            failure = error
        finally:
            process.kill()
            results.close()
    if isinstance(failure, _Failed):
        raise _Failed(f"{failure}{_words(process.log.text())}")
    if failure is not None:
        raise failure


def _sources(entry: Entry) -> Sequence[bytes]:
    """The bot's folder but for dotfiles, caches and what a build makes."""
    folder = _folder(entry)
    ignored = _CACHES | digest.BUILD_OUTPUTS | set(_outputs(entry))
    lines = list(parcel.pack(folder, digest.files(folder, ignored), follow=True))
    if len(lines) > parcel.MOST_LINES or sum(map(len, lines)) > parcel.MOST_BYTES:
        raise _Failed(
            f"its folder is too big: over {parcel.MOST_BYTES >> 20} MiB or too many files"
        )
    return lines


def _builder(entry: Entry) -> Program:
    """The program that builds; the words of bot.toml are none of its own words."""
    tool = _tool(entry.build[0])
    path = [os.path.dirname(program) for program in (*tool, sys.executable)]
    return Program(
        name=entry.name,
        command=(sys.executable, "-I", os.path.abspath(parcel.__file__)),
        env={"PATH": ":".join([*path, "/usr/local/bin", "/usr/bin", "/bin"])},
        limits=LIMITS,
        tools=tool,
    )


def _tool(word: str) -> tuple[str, ...]:
    """Where the program that builds is installed; (): it is in the bot's folder, or Python."""
    if "/" in word or word in {"python", "python3"}:
        return ()
    found = shutil.which(word)
    if found is None:
        raise _Failed(f"{printable(word)} is not on the PATH; install it or mend build in bot.toml")
    real = os.path.realpath(found)
    if os.path.basename(real) != "rustup":
        return (found,)
    # rustup's programs only choose among installed ones, for which they need the user's home
    chosen = subprocess.run(
        [real, "which", word], cwd="/", capture_output=True, text=True, check=False
    )
    return (chosen.stdout.strip() or found,)


async def _converse(process: Process, sources: bytes, results: parcel.Unpacker) -> None:
    """Send the sources, and ask for one line of the results after the other."""
    question, left = sources, float(SECONDS)
    while True:
        line, used = await exchange(process, question, left)
        if results.take(line):
            return
        question, left = parcel.MORE, left - used
        await trio.lowlevel.checkpoint()


async def _failure(process: Process, error: WireError) -> _Failed:
    match error.why:
        case Broken.TIMEOUT:
            return _Failed(f"it takes over {SECONDS // 60} minutes")
        case Broken.CLOSED:
            process.warden.release()  # one that is stopped does not end
            if await process.wait(_LEAVING_S):
                process.kill()
            return _Failed(process.over_memory or f"the build {process.ending()}")
        case _:
            return _Failed("what it made cannot be read")


def _words(log: str) -> str:
    """What the build said, for a message: the first lines, where the first error is."""
    lines = log.rstrip().splitlines()
    if not lines:
        return ""
    more = [f"({len(lines) - WORDS} more lines)"] if len(lines) > WORDS else []
    return "\n".join([":", *lines[:WORDS], *more])
