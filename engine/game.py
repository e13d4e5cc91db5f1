"""The interface that every game implements.

A `Game` is a stateless object; its states are frozen structs. An action is a string of the
protocol's alphabet, `[a-z0-9/]+(@[A-Z][0-9]+)?`, also a chance outcome (`draw@0:zebra`,
`roll@2,5`). Nothing here does I/O, reads a clock or has randomness of its own: the same calls
give the same answers, so a recorded match replays as a fold of `apply` over its log.

Faults, clocks and stand-ins are the referee's, not the game's.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

CHANCE: Final = -1
"""The seat that acts where the rules roll or draw."""

OptionsT = TypeVar("OptionsT", bound=Struct)
StateT = TypeVar("StateT", bound=Struct)
ViewT = TypeVar("ViewT", bound=Struct)


class TableError(ValueError):
    """A game cannot be set up with these options or this number of players; says why."""


class IllegalAction(ValueError):  # noqa: N818  # named for the fault code that it becomes
    """An action that the rules do not allow in this state."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        """What kind of rule was broken, one word for programs: `taken`, `not-in-hand`, …"""
        self.detail = detail
        """One sentence for the bot's author. It names only what the seat may know."""


class Table(Struct, Generic[OptionsT], frozen=True):
    """What is fixed for a match."""

    options: OptionsT
    """The game's options, complete and checked."""
    players: int
    """How many seats take part."""


class Outcome(Struct, frozen=True):
    """How a finished game ended."""

    ranks: tuple[int, ...]
    """A rank per seat, 1 the best; shared ranks take the better number; team mates share."""
    scores: tuple[int, ...]
    """A score per side."""
    reason: str
    """`finished`, or `limit` where the game's own length limit ended it."""


class Effect(Struct, frozen=True, omit_defaults=True):
    """Something an action brought about that a picture should light up."""

    label: str
    """A few words: `line of 10`, `captured`, `rolled 2 and 5`."""
    cells: tuple[str, ...] = ()
    """The cells concerned, in board order."""
    points: dict[int, int] = {}
    """What each side gained by it; sides that gained nothing are absent."""


class Game(ABC, Generic[OptionsT, StateT, ViewT]):
    """The rules of one game. Subclasses hold no data of a match."""

    name: ClassVar[str]
    """The name on the command line and on the wire: lower-case letters, digits and dashes."""
    version: ClassVar[int]
    """Changes whenever the same log could lead to another result."""
    title: ClassVar[str]
    """The name for people."""
    credit: ClassVar[str]
    """Who designed the game, and when."""
    about: ClassVar[str] = ""
    """How it is played, in a few sentences, for who has never seen it."""
    players: ClassVar[range]
    """The numbers of seats that can play."""

    options_type: type[OptionsT]
    """A frozen struct with defaults and bounds (`msgspec.Meta`), unknown fields forbidden."""
    state_type: type[StateT]
    view_type: type[ViewT]
    event_types: tuple[type[Struct], ...]
    """All that `redact` returns."""

    # What is played

    def check(self, table: Table[OptionsT]) -> None:  # most games suit every option
        """Raise TableError where the options do not suit the number of players."""

    @abstractmethod
    def sides(self, table: Table[OptionsT]) -> tuple[int, ...]:
        """The side (team) of each seat, counted from 0."""

    @abstractmethod
    def initial(self, table: Table[OptionsT]) -> StateT:
        """The state before anything happened, the deal included."""

    # How it goes on

    @abstractmethod
    def to_act(self, state: StateT) -> int | None:
        """The seat to act, CHANCE, or None when the game is over."""

    @abstractmethod
    def turn(self, state: StateT) -> int:
        """The number of the turn in progress, from 1. A turn may take several actions."""

    @abstractmethod
    def legal(self, state: StateT) -> Sequence[str]:
        """All actions of the seat to act: at least one, no duplicates, in an order that is fixed.

        Empty where no seat is to act.
        """

    @abstractmethod
    def apply(self, state: StateT, action: str) -> StateT:
        """The state after an action of the seat to act, or after a chance outcome.

        Raises:
            IllegalAction: for every other string.
        """

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """The result, None while the game is on."""

    @abstractmethod
    def scores(self, state: StateT) -> tuple[int, ...]:
        """A score per side, as it stands now."""

    # Chance

    @abstractmethod
    def chance(self, state: StateT, deal: str) -> str:
        """THE outcome of this deal here: a pure function of the deal and the place in the game.

        It does not depend on what the seats did where the rules allow that, so that the same
        deal can be played again with the bots in other seats.
        """

    @abstractmethod
    def chances(self, state: StateT) -> Sequence[tuple[str, float]]:
        """All outcomes with their probabilities (sum 1), given everything in the state."""

    # Who may know what

    @abstractmethod
    def view(self, state: StateT, seat: int | None) -> ViewT:
        """All that a seat may know: what `act` carries as `state`. None: a spectator."""

    def open_view(self, state: StateT) -> ViewT:
        """Everything, for after the match. Games without secrets show the spectator's view."""
        return self.view(state, None)

    @abstractmethod
    def redact(self, before: StateT, action: str, after: StateT, seat: int | None) -> Struct | None:
        """The event that a seat sees when `action` turned `before` into `after`. None: nothing."""

    @abstractmethod
    def sample(self, table: Table[OptionsT], view: ViewT, seat: int, rng: Random) -> StateT:
        """A full state that fits what the seat knows, uniform over the hidden tiles."""

    # For programs that learn: both may be left out

    def actions(self, table: Table[OptionsT]) -> Sequence[str] | None:
        """Every action that can become legal at a table, once each; None: nobody made a list.

        Then `engine.encoding` numbers actions the same way all through a match.
        """

    def features(self, table: Table[OptionsT], view: ViewT, seat: int) -> Sequence[float] | None:
        """What a seat sees as numbers, at most 1 or so, as many in every state of a table.

        They follow from the seat's view alone and put the seat first, its opponents after it in
        the order of play. None: nobody chose any.
        """

    # For people

    @abstractmethod
    def effects(self, before: StateT, action: str, after: StateT) -> Sequence[Effect]:
        """What the action brought about, in the order it should be shown."""

    @abstractmethod
    def text(self, table: Table[OptionsT], view: ViewT) -> str:
        """The board for a terminal, plain text of at most 80 columns, no final newline."""

    @abstractmethod
    def svg(self, table: Table[OptionsT], view: ViewT, effects: Sequence[Effect] = ()) -> str:
        """The board as a picture that shows the view, with these effects lit.

        One `svg` element of at most 64 KiB with a `viewBox`, and in `aria-label` what it shows. It
        is made of plain shapes: no script, no style, no reference to elsewhere; an id begins with
        the game's name and a dash. Each cell that an action may name has one element with
        `data-at="D2"`, a `title` and, for pages to light, a shape of class `ground`. Colours are
        those of `engine.picture`, which follow the page's light and dark. Pages keep the pictures
        of a match line by line, so break the line between parts.
        """


AnyGame: TypeAlias = Game[Any, Any, Any]
"""A game whose types are not known here, as the registry holds it."""
AnyTable: TypeAlias = Table[Any]
