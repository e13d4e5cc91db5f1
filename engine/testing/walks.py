"""Random matches at a spread of tables, position by position."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import product
from math import prod
from random import Random
from typing import Any, Final, NoReturn, Protocol

import msgspec
from msgspec.inspect import BoolType, IntType, LiteralType, Metadata, Type, type_info

from engine.game import CHANCE, AnyGame, AnyTable, IllegalAction, TableError
from engine.options import make_table

LONGEST: Final = 20_000
"""Actions within which a match of random play has to end."""
MOST_COMBINATIONS: Final = 12
"""Of the values of all options, for each number of players."""


class Check(Protocol):
    """One promise of the interface, looked at over a game's tables."""

    __name__: str

    def __call__(self, game: AnyGame, seed: int = 0, matches: int = 1) -> None:
        """Raise AssertionError where the promise is broken."""


@dataclass(frozen=True)
class Position:
    """A state of a match and how it came about."""

    game: AnyGame
    table: AnyTable
    state: Any
    before: "Position | None" = None
    """None at the start."""
    action: str = ""
    """What led here from the position before, by a seat or by chance."""
    number: int = 0
    """Actions so far."""

    @property
    def log(self) -> Sequence[str]:
        """All actions so far, those of chance included."""
        actions, position = [], self
        while position.before:
            actions.append(position.action)
            position = position.before
        return actions[::-1]

    def fail(self, broken: str) -> NoReturn:
        """Say which promise is broken here."""
        options = encode(self.table.options).decode()
        where = f"{self.game.name} for {self.table.players} players with {options}"
        raise AssertionError(f"{broken}; {where}, after {' '.join(self.log) or 'no action'}")

    def after(self, action: str) -> "Position":
        """The position after an action that has to be possible."""
        if self.number >= LONGEST:
            self.fail(f"random play ends within {LONGEST} actions")
        try:
            state = self.game.apply(self.state, action)
        except IllegalAction as error:
            self.fail(
                f"every action of legal and chances can be applied, but {action} is refused:"
                f" {error.detail}"
            )
        return Position(self.game, self.table, state, self, action, self.number + 1)

    def options(self) -> Sequence[str]:
        """What may happen next: the legal actions, or the outcomes of chance."""
        seat = self.game.to_act(self.state)
        if seat == CHANCE:
            return [outcome for outcome, _ in self.game.chances(self.state)]
        return self.game.legal(self.state)

    def pick(self, rng: Random) -> str:
        """One of the options at random."""
        options = self.options()
        if not options:
            self.fail("there is a legal action or an outcome of chance until the game is over")
        return rng.choice(options)

    def copy(self) -> Any:
        """The state after it went through JSON."""
        return decode(encode(self.state), self.game.state_type)

    @property
    def seats(self) -> range:
        """All seats of the table."""
        return range(self.table.players)

    @property
    def audience(self) -> Sequence[int | None]:
        """All seats and a spectator."""
        return [*self.seats, None]


@dataclass
class Walk:
    """One random match; each time it is walked it is the same."""

    start: Position
    deal: str
    last: Position = field(init=False)
    """The position that was looked at last."""

    def __post_init__(self) -> None:
        self.last = self.start

    def __iter__(self) -> Iterator[Position]:
        game, rng = self.start.game, Random(self.deal)
        position = self.last = self.start
        yield position
        while (seat := game.to_act(position.state)) is not None:
            dealt = seat == CHANCE
            action = game.chance(position.state, self.deal) if dealt else position.pick(rng)
            position = self.last = position.after(action)
            yield position

    def some(self, count: int = 8) -> Iterator[Position]:
        """A few positions, for what takes long."""
        positions = list(self)
        chosen = sorted(Random(self.deal).sample(range(len(positions)), min(count, len(positions))))
        for index in chosen:
            self.last = positions[index]
            yield positions[index]


def on_walks(check: Callable[[Walk], None]) -> Check:
    """Make a check of one walk a check of a game."""

    @wraps(check)
    def on_all(game: AnyGame, seed: int = 0, matches: int = 1) -> None:
        for walk in walks(game, seed, matches):
            try:
                check(walk)
            except AssertionError:
                raise
            except Exception as error:  # whatever a game's method may raise
                walk.last.fail(f"no method raises {type(error).__name__}: {error}")

    return on_all


def walks(game: AnyGame, seed: int, matches: int) -> Iterator[Walk]:
    """Matches at every table of the spread."""
    for number, table in enumerate(spread_tables(game, seed)):
        for match in range(matches):
            start = Position(game, table, game.initial(table))
            yield Walk(start, deal=f"{seed}-{number}-{match}")


def spread_tables(game: AnyGame, seed: int = 0) -> Sequence[AnyTable]:
    """Every number of players with many combinations of options that the game allows."""
    tables: list[AnyTable] = []
    for players in game.players:
        for options in _spread_options(game, Random(seed)):
            try:
                table = make_table(game, players, options)
            except TableError:
                continue
            if table not in tables:
                tables.append(table)
    return tables


def _spread_options(game: AnyGame, rng: Random) -> Iterator[Mapping[str, Any]]:
    """The defaults, each value alone, and values combined; numbers only alone, at their bounds."""
    yield {}
    combined: dict[str, Sequence[Any]] = {}
    for option in msgspec.structs.fields(game.options_type):
        info = type_info(option.type)
        info = info.type if isinstance(info, Metadata) else info
        values = _values(info)
        yield from ({option.encode_name: value} for value in values)
        if values and not isinstance(info, IntType):
            combined[option.encode_name] = values
    if prod(map(len, combined.values())) <= MOST_COMBINATIONS:
        yield from (dict(zip(combined, row, strict=True)) for row in product(*combined.values()))
    else:
        for _ in range(MOST_COMBINATIONS):
            yield {name: rng.choice(values) for name, values in combined.items()}


def _values(info: Type) -> Sequence[Any]:
    """The values of an option's type, a number's bounds; empty where they cannot be listed."""
    match info:
        case BoolType():
            return [False, True]
        case LiteralType(values=values):
            return values
        case IntType(ge=int(low), le=int(high)):
            return [low, high]
        case _:
            return []


def encode(value: Any) -> bytes:
    """As JSON, as it stands on the wire."""
    return msgspec.json.encode(value)


def decode(data: bytes, kind: Any) -> Any:
    """From JSON."""
    return msgspec.json.decode(data, type=kind)
