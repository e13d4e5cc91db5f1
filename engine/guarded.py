"""An installed game as the arena calls it: where it breaks a promise, a sentence names it.

A stranger's game may raise anything, anywhere. Behind this it raises `GameFault`, so that one match
or one page ends for it, and not the arena.
"""

from collections.abc import Callable
from typing import Any, Final

from engine.game import CHANCE, AnyGame, Game, IllegalAction, TableError
from engine.words import quoted

ATTRIBUTES: Final = (
    "name",
    "version",
    "title",
    "credit",
    "players",
    "options_type",
    "state_type",
    "view_type",
    "event_types",
)
"""What every game sets."""


class GameFault(Exception):  # noqa: N818  # beside a bot's and the host's
    """An installed game did what no game may; names it, its package, and what it did."""


def flaw_of(error: BaseException) -> str:
    """An error on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")


def _passing(name: str, *allowed: type[Exception]) -> Callable[..., Any]:
    """A method that passes its arguments on, and lets no other errors out than those allowed."""

    def method(self: "Guarded", *given: Any, **named: Any) -> Any:
        try:
            return getattr(self.inner, name)(*given, **named)
        except allowed:
            raise
        except Exception as error:  # whatever a stranger's game may raise
            raise self.fault(f"broke in {name}: {flaw_of(error)}") from error

    return method


class Guarded(Game[Any, Any, Any]):
    """A game of an installed package."""

    def __init__(self, game: AnyGame, package: str) -> None:
        self.inner: Final = game
        self.package: Final = package
        for attribute in Game.__annotations__:
            setattr(self, attribute, getattr(game, attribute))

    check = _passing("check", TableError)
    sides = _passing("sides")
    initial = _passing("initial")
    turn = _passing("turn")
    apply = _passing("apply", IllegalAction)
    outcome = _passing("outcome")
    scores = _passing("scores")
    chance = _passing("chance")
    chances = _passing("chances")
    open_view = _passing("open_view")
    redact = _passing("redact")
    sample = _passing("sample")
    actions = _passing("actions")
    features = _passing("features")
    effects = _passing("effects")
    text = _passing("text")
    svg = _passing("svg")

    _to_act = _passing("to_act")
    _legal = _passing("legal")
    _view = _passing("view")

    def to_act(self, state: Any) -> int | None:
        """A seat that can be, CHANCE or None."""
        seat = self._to_act(state)
        if seat is None or (type(seat) is int and CHANCE <= seat < self.players[-1]):
            return seat
        raise self.fault(f"asks seat {quoted(seat)}, which is not at its tables")

    def legal(self, state: Any) -> Any:
        """At least one action where a seat is to act."""
        legal = self._legal(state)
        if not legal and self.to_act(state) not in (CHANCE, None):
            raise self.fault(f"gives seat {self.to_act(state)} no legal action")
        return legal

    def view(self, state: Any, seat: int | None) -> Any:
        """Of the view type."""
        view = self._view(state, seat)
        if isinstance(view, self.view_type):
            return view
        raise self.fault(f"gives a {type(view).__name__} as the view of seat {seat}")

    def fault(self, what: str) -> GameFault:
        """The error that says of this game what it did."""
        return GameFault(f"the game {quoted(self.name)} of the package {self.package} {what}")
