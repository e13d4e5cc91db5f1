"""Which games there are: the built-in ones, and those of installed packages.

A package adds a game by an entry point of the group `arena.games`. It has the game's name and
points to a subclass of `Game` that takes no arguments, or to an instance:

    [project.entry-points."arena.games"]
    reversi = "my_reversi:Reversi"

A game is imported when it is first asked for. A package's game that cannot be used is left out and
kept in `broken`, and so is a name that two packages give; a built-in game keeps its own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from engine.game import AnyGame, Game
from engine.guarded import ATTRIBUTES, Guarded, flaw_of
from engine.words import listed, quoted

if TYPE_CHECKING:  # importing it takes longer than all else here
    from importlib.metadata import EntryPoint

GROUP: Final = "arena.games"
NAME_FORM: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class UnknownGame(LookupError):  # noqa: N818  # said as it is raised: unknown game
    """No usable game has this name; says which names there are, or what is wrong with it."""


class BrokenGame(Struct, frozen=True):
    """An installed game that cannot be used."""

    name: str
    package: str
    reason: str
    """One sentence that names the game, its package and what is wrong."""


def _savanna_ten() -> AnyGame:
    from engine.savanna_ten import SavannaTen

    return SavannaTen()


def _herd() -> AnyGame:
    from engine.herd import Herd

    return Herd()


BUILT_IN: Final[Mapping[str, Callable[[], AnyGame]]] = {
    "savanna-ten": _savanna_ten,
    "herd": _herd,
}


class Registry:
    """The games by name, each made once."""

    def __init__(self) -> None:
        self._made: dict[str, AnyGame | BrokenGame] = {}

    def games(self) -> Mapping[str, AnyGame]:
        """All usable games, the built-in ones first, then by name."""
        made = {name: self._make(name) for name in self._names}
        return {name: game for name, game in made.items() if isinstance(game, Game)}

    def broken(self) -> Sequence[BrokenGame]:
        """The installed games that cannot be used, by name."""
        taken = [
            _broken(point, "the name is that of a built-in game")
            for name in BUILT_IN
            for point in self._installed.get(name, ())
        ]
        made = map(self._make, self._names)
        return [*taken, *(game for game in made if isinstance(game, BrokenGame))]

    def game(self, name: str) -> AnyGame:
        """The game of this name.

        Raises:
            UnknownGame: there is none, or it cannot be used.
        """
        if name not in BUILT_IN and name not in self._installed:
            raise UnknownGame(_unknown(name, self._names))
        game = self._make(name)
        if isinstance(game, BrokenGame):
            raise UnknownGame(game.reason)
        return game

    def packages(self) -> frozenset[str]:
        """The Python packages that installed games are in; nothing is imported."""
        points = (point for points in self._installed.values() for point in points)
        modules = (point.value.partition(":")[0].strip() for point in points)
        return frozenset(module.partition(".")[0] for module in modules)

    def _make(self, name: str) -> AnyGame | BrokenGame:
        if name not in self._made:
            built_in = BUILT_IN.get(name)
            self._made[name] = built_in() if built_in else _load(self._installed[name])
        return self._made[name]

    @property
    def _names(self) -> Sequence[str]:
        return [*BUILT_IN, *(name for name in self._installed if name not in BUILT_IN)]

    @cached_property
    def _installed(self) -> "Mapping[str, Sequence[EntryPoint]]":
        """The entry points of installed packages by name."""
        from importlib.metadata import entry_points

        points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, _package(point)))
        return {name: list(same) for name, same in groupby(points, attrgetter("name"))}


def _load(points: "Sequence[EntryPoint]") -> AnyGame | BrokenGame:
    """The game of an entry point, or why it cannot be used."""
    point, *others = points
    if others:
        both = listed(map(_package, points))
        reason = (
            f"the packages {both} both give a game named {quoted(point.name)};"
            " uninstall one of them"
        )
        return BrokenGame(point.name, _package(point), reason)
    try:
        loaded = point.load()
        game = _checked(point.name, loaded() if isinstance(loaded, type) else loaded)
    except (Exception, SystemExit) as error:  # a stranger's module may raise anything
        return _broken(point, flaw_of(error))
    return Guarded(game, _package(point))


def _broken(point: "EntryPoint", flaw: str) -> BrokenGame:
    package = _package(point)
    reason = f"the game {quoted(point.name)} of the package {package} cannot be used: {flaw}"
    return BrokenGame(point.name, package, reason)


def _checked(name: str, game: object) -> AnyGame:
    """The object, if it can be the game of this name."""
    if not isinstance(game, Game):
        raise TypeError(f"{type(game).__name__} is not a Game")
    missing = [attribute for attribute in ATTRIBUTES if not hasattr(game, attribute)]
    if missing:
        raise TypeError(f"{type(game).__name__} does not set {listed(missing)}")
    if game.name != name:
        raise ValueError(f"it calls itself {quoted(game.name)}")
    if not NAME_FORM.fullmatch(name):
        raise ValueError("a name is lower-case letters and digits, with single dashes between them")
    if type(game.version) is not int or game.version < 1:
        raise ValueError(f"its version is {quoted(game.version)}, not a whole number from 1")
    if not isinstance(game.players, range) or not game.players or game.players[0] < 1:
        raise ValueError(f"its players are {quoted(game.players)}, not a range such as range(2, 5)")
    for kind in (game.options_type, game.state_type, game.view_type, *game.event_types):
        if not (isinstance(kind, type) and issubclass(kind, Struct)):
            raise TypeError(f"{quoted(kind)} is not a msgspec struct")
    _check_defaults(game.options_type)
    return game


def _check_defaults(options_type: Any) -> None:
    """Raise where options are not complete by themselves, or cannot be shown as a form."""
    required = [field.name for field in msgspec.structs.fields(options_type) if field.required]
    if required:
        raise TypeError(f"{options_type.__name__} has no default for {listed(required)}")
    msgspec.json.encode(options_type())
    msgspec.json.schema(options_type)


def _package(point: "EntryPoint") -> str:
    return point.dist.name if point.dist else "unknown"


def _unknown(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), names, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"there is no game {quoted(name)}{hint}; the games are {listed(names)}"


_INSTALLED: Final = Registry()
games: Final = _INSTALLED.games
game: Final = _INSTALLED.game
broken: Final = _INSTALLED.broken
packages: Final = _INSTALLED.packages
