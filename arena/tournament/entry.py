"""From the BOT words of a command line to an entrant and the program to execute for it."""

import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from arena.files import reason
from arena.referee.faults import CannotStart, printable
from arena.referee.program import Program, check_executable
from arena.store.model import Entrant
from arena.toml import TomlError, load
from arena.tournament import digest, plugins

BUNDLED: Final = {
    "random": "bots.random_bot",
    "greedy": "bots.greedy",
    "lookahead": "bots.lookahead",
    "search": "bots.search",
}
"""The bots that come with the arena, and their modules."""

_BUILT_IN: Final = ("savanna-ten", "herd")
PLAYS: Final = {"lookahead": _BUILT_IN, "search": _BUILT_IN}
"""The games of bundled bots that do not play any; they say the same when they start."""

ON_REQUEST: Final = {"policy": "bots.policy"}
"""Bots that come along too, but are nothing without arguments: no list offers them."""

COME_ALONG: Final = BUNDLED | ON_REQUEST

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")


class BadName(ValueError):  # noqa: N818  # reads as what is wrong
    """A name that an entrant cannot have; one sentence."""


Word: TypeAlias = Annotated[str, Meta(pattern=r"^[^\0]*$")]
"""What an operating system takes as an argument or as the value of a variable."""
Variables: TypeAlias = dict[Annotated[str, Meta(pattern=r"^[^=\0]+$")], Word]
"""Environment variables."""


class BotToml(Struct, frozen=True, forbid_unknown_fields=True):
    """The file bot.toml."""

    name: str
    command: Annotated[tuple[Word, ...], Meta(min_length=1)]
    """Relative to the bot's folder."""
    build: tuple[Word, ...] = ()
    """What makes the program from its sources."""
    games: tuple[str, ...] | None = None
    env: Variables = {}
    network: bool = False
    """It calls a service."""


class Entry(Struct, frozen=True):
    """A bot that takes part."""

    entrant: Entrant
    program: Program
    games: tuple[str, ...] | None = None
    """The games that it says it plays; None: any."""
    time_handicap: float = 1.0
    """What its clocks are multiplied by."""
    build: tuple[str, ...] = ()
    """What makes its program, in a copy of its folder; (): it needs no building."""

    @property
    def name(self) -> str:
        """The name it is entered under."""
        return self.entrant.name


def resolve(words: str) -> Entry:
    """The entry that `BOT` or `NAME=BOT` stands for. Nothing is built.

    Raises:
        BadName: the name has other characters than an entrant's may have.
        CannotStart: there is no such bot, or it cannot be executed.
    """
    name, bot = _split_name(words)
    try:
        first, *arguments = _split(bot)
        entry = _find(first, arguments, bot)
    except OSError as error:
        file = error.filename or "one of its files"
        raise CannotStart(printable(f"bot {bot}: {file} cannot be read: {reason(error)}")) from None
    entry = entry if name is None else _renamed(entry, name)
    if not entry.build:
        check_executable(entry.program)
    return entry


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    """The same entries, whose names differ by more than case.

    Raises:
        CannotStart: two have one name.
    """
    known: dict[str, Entry] = {}
    for entry in entries:
        other = known.setdefault(entry.name.lower(), entry)
        if other is not entry:
            alike = "" if other.name == entry.name else f" and {entry.name}, equal but for case"
            mend = shlex.quote(f"{entry.name}-2={entry.entrant.words}")
            raise CannotStart(
                f"two entrants are called {other.name}{alike}; give one another name, as in {mend}"
            )
    return list(known.values())


def numbered(entries: Iterable[Entry]) -> list[Entry]:
    """The same entries, repeated names numbered: random, random-2, random-3."""
    entries = list(entries)
    given = {entry.name for entry in entries}
    taken: dict[str, Entry] = {}
    for entry in entries:
        numbers = (f"{entry.name}-{number}" for number in count(2))
        free = (name for name in numbers if name not in given and name not in taken)
        name = next(free) if entry.name in taken else entry.name
        taken[name] = _renamed(entry, name)
    return list(taken.values())


def registered() -> Sequence[str]:
    """The names of all registered bots, the bundled ones first."""
    return [*BUNDLED, *(name for name in plugins.names() if name not in COME_ALONG)]


def usable() -> tuple[Sequence[Entry], Sequence[str]]:
    """All registered bots that can be used, and a sentence for each that cannot."""
    entries, flaws = [], list(plugins.shadowed(list(COME_ALONG)))
    for name in registered():
        try:
            entries.append(resolve(shlex.quote(name)))
        except (CannotStart, BadName) as error:
            flaws.append(str(error))
    return entries, flaws


# Where a bot is found


def _find(first: str, arguments: Sequence[str], words: str) -> Entry:
    path = Path(first)
    if path.name == "bot.toml" and path.is_file():
        return _of_folder(path.parent, arguments, words)
    if (path / "bot.toml").is_file():
        return _of_folder(path, arguments, words)
    if path.is_file():
        return _of_file(path, arguments, words)
    module = COME_ALONG.get(first) or plugins.module_named(first)
    if module is not None:
        return _of_module(first, module, arguments, words)
    raise CannotStart(_not_found(path, first))


def _not_found(path: Path, first: str) -> str:
    shown = printable(first)
    if first == "human":
        return "human is a person at the terminal, who can play in `arena match` only"
    if path.is_dir():
        return f"bot {shown}: the folder has no bot.toml; it needs one with name and command"
    if "/" in first or path.suffix:
        return f"bot {shown}: there is no such file"
    return (
        f"bot {shown}: there is no such folder, program or registered bot; "
        f"registered are {', '.join(registered())}"
    )


def _of_folder(folder: Path, arguments: Sequence[str], words: str) -> Entry:
    folder = folder.absolute()
    try:
        toml = load(folder / "bot.toml", BotToml)
    except TomlError as error:
        raise CannotStart(printable(str(error))) from None
    name = checked_name(toml.name, f"{folder}/bot.toml")
    program = _executable(name, toml, folder)
    built = Path(program).is_relative_to(folder)
    outputs = ([Path(program).name] if built else []) if toml.build else None
    return Entry(
        Entrant(name, digest.of_folder(folder, arguments, outputs), words, toml.network),
        Program(
            name,
            (program, *toml.command[1:], *arguments),
            str(folder),
            toml.env,
            toml.network,
        ),
        toml.games,
        build=toml.build,
    )


def _executable(name: str, toml: BotToml, folder: Path) -> str:
    """A program in the bot's folder, else on the PATH."""
    program = toml.command[0]
    inside = folder / program
    if "/" in program or inside.is_file():
        return str(inside)
    if program in {"python", "python3"}:
        return sys.executable
    found = shutil.which(program)
    if found is None and toml.build:
        return str(inside)
    if found is None:
        raise CannotStart(
            f"bot {name} cannot be executed: {printable(program)} is neither in {folder} "
            "nor on the PATH; install it or mend command in bot.toml"
        )
    return found


def _of_file(path: Path, arguments: Sequence[str], words: str) -> Entry:
    path = path.absolute()
    name = re.sub(r"[^A-Za-z0-9._+-]", "-", path.stem).lstrip("._+-")[:40] or "bot"
    start = (sys.executable, str(path)) if path.suffix == ".py" else (str(path),)
    return Entry(
        Entrant(name, digest.of_file(path, arguments), words),
        Program(name, (*start, *arguments)),
    )


def _of_module(name: str, module: str, arguments: Sequence[str], words: str) -> Entry:
    checked_name(name, plugins.GROUP)
    origin = plugins.origin(name, module)
    whole = origin.name == "__init__.py"
    identity = (*arguments, module)
    same = (
        digest.of_folder(origin.parent, identity, None)
        if whole
        else digest.of_file(origin, identity)
    )
    given = [path for path in map(_file_of, arguments) if path is not None]
    if given:
        same = digest.extended(same, [digest.of_file(path, ()) for path in given])
    return Entry(
        Entrant(name, same, words),
        Program(
            name,
            (sys.executable, "-P", "-m", module, *map(_absolute, arguments)),
            tools=(str(origin.parent if whole else origin), *map(str, given)),
        ),
        PLAYS.get(name),
    )


def _file_of(word: str) -> Path | None:
    """The file that an argument of a registered bot names, as `./net.npz` or `./bot.py:act`."""
    path = Path(word.partition(":")[0])
    return path.absolute() if "/" in word and path.is_file() else None


def _absolute(word: str) -> str:
    """The argument, with its file as it is found from the bot's own working folder."""
    path = _file_of(word)
    return word if path is None else str(path) + word[len(word.partition(":")[0]) :]


# Names


def _split(bot: str) -> list[str]:
    """The words of a BOT, as a shell would split them."""
    try:
        words = shlex.split(bot)
    except ValueError as error:
        raise CannotStart(f"bot '{printable(bot)}' cannot be read: {str(error).lower()}") from None
    if not words or not words[0]:
        raise CannotStart(f"bot '{printable(bot)}' names nothing")
    return words


def _renamed(entry: Entry, name: str) -> Entry:
    return replace(
        entry,
        entrant=replace(entry.entrant, name=name),
        program=replace(entry.program, name=name),
    )


def _split_name(words: str) -> tuple[str | None, str]:
    name, equals, bot = words.partition("=")
    if not equals or "/" in name or " " in name.strip():
        return None, words
    return checked_name(name, "NAME=BOT"), bot


def checked_name(name: str, where: str) -> str:
    """The name, if an entrant can have it.

    Args:
        name: any words.
        where: what they stand in, for the message.

    Raises:
        BadName: it has other characters, or too many.
    """
    if _NAME.fullmatch(name):
        return name
    raise BadName(
        f"the name '{printable(name)}' in {where} cannot be an entrant's: 1 to 40 letters, digits "
        "and . _ + -, a letter or digit first"
    )
