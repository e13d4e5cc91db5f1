"""The course of a game of Savanna Ten: who acts when follows from the table alone.

Every seat places one tile a turn and draws as long as its pile lasts, whatever the tiles are. So
the steps of a whole game are laid down before it begins, and a state only counts them.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final, get_args

from msgspec import Struct

from engine.game import CHANCE, Table
from engine.savanna_ten_lines import CELLS, TILES
from engine.savanna_ten_tables import Draw, Placement, draws, pack, placements
from engine.savanna_ten_wire import MouseOption, SavannaOptions, Tile

SETS: Final = {2: (4, 3, 2, 1), 3: (3, 2, 1, 1), 4: (2, 2, 1, 1)}
"""By number of players: the monkeys, zebras, giraffes and elephants of each seat."""
START_SCORES: Final = {2: (0, 0), 3: (0, 0, 2), 4: (0, 0, 0, 0)}
START_HAND: Final = 2


class Step(Struct, frozen=True):
    """One step of the course: a draw, a placement, or the end."""

    to_act: int | None
    """A seat, CHANCE for a draw, None at the end."""
    seat: int
    """Who places or draws."""
    turn: int
    """1 + tiles placed."""
    drawn: int
    """How many tiles the seat has drawn before."""
    hands: tuple[int, ...]
    """Tiles in hand, per seat."""
    piles: tuple[int, ...]
    """Tiles in the draw pile, per seat."""
    draws: Mapping[str, Draw] = {}
    """The draws by action, where one is due."""
    placements: Mapping[str, Placement] = {}
    """The placements by action, where one is due."""


class Variant(Struct, frozen=True):
    """All that follows from a table."""

    key: str
    """Names the variant in a state: `2-off`, `4-add-teams`."""
    table: Table[SavannaOptions]
    sides: tuple[int, ...]
    """The side of each seat."""
    tiles: tuple[Tile, ...]
    """Each seat's set."""
    scores: tuple[int, ...]
    """The scores at the start, per side."""
    piles: int
    """The full piles of all seats, packed."""
    course: tuple[Step, ...]


def make_variant(table: Table[SavannaOptions]) -> Variant:
    """All that follows from a table that the game allows."""
    players, teams = table.players, table.options.teams
    sides = tuple(seat % 2 if teams else seat for seat in range(players))
    tiles = tile_set(players, table.options.mouse)
    return Variant(
        key=_key(table),
        table=table,
        sides=sides,
        tiles=tiles,
        scores=(0, 0) if teams else START_SCORES[players],
        piles=sum(pack(tiles, seat) for seat in range(players)),
        course=tuple(lay_course(sides, len(tiles))),
    )


def tile_set(players: int, mouse: MouseOption) -> tuple[Tile, ...]:
    """The tiles of each seat, in tile order."""
    monkeys, *others = SETS[players]
    counts = (monkeys - (mouse == "replace"), *others, int(mouse != "off"))
    return tuple(tile for tile, count in zip(TILES, counts, strict=True) for _ in range(count))


def lay_course(sides: tuple[int, ...], set_size: int) -> Iterator[Step]:
    """The steps of a game, the end included."""
    hands, piles, turn = [0] * len(sides), [set_size] * len(sides), 1
    for to_act, seat in order_of_play(len(sides), set_size):
        known = (to_act, seat, turn, set_size - piles[seat], tuple(hands), tuple(piles))
        if to_act == CHANCE:
            yield Step(*known, draws=draws(seat))
            hands[seat] += 1
            piles[seat] -= 1
        else:
            yield Step(*known, placements=placements(seat, sides[seat]))
            hands[seat] -= 1
            turn += 1
    yield Step(None, seat, turn, set_size - piles[seat], tuple(hands), tuple(piles))


def order_of_play(players: int, set_size: int) -> Iterator[tuple[int, int]]:
    """Who is to act (a seat or CHANCE) and whose tile it is, from the deal to the last action."""
    for seat in range(players):
        for _ in range(START_HAND):
            yield CHANCE, seat
    left = [set_size - START_HAND] * players
    for placed in range(len(CELLS)):
        seat = placed % players
        yield seat, seat
        if left[seat]:
            left[seat] -= 1
            yield CHANCE, seat


def _key(table: Table[SavannaOptions]) -> str:
    teams = "-teams" if table.options.teams else ""
    return f"{table.players}-{table.options.mouse}{teams}"


def _tables() -> Iterator[Table[SavannaOptions]]:
    for players, mouse in product(SETS, get_args(MouseOption)):
        yield Table(SavannaOptions(mouse), players)
        if players == 4:
            yield Table(SavannaOptions(mouse, teams=True), players)


VARIANTS: Final = {variant.key: variant for variant in map(make_variant, _tables())}
"""Every variant of the game, by key."""

COURSES: Final = {key: variant.course for key, variant in VARIANTS.items()}
"""The steps of every variant, by key. Where speed counts a state's step is looked up here."""


def variant_of(table: Table[SavannaOptions]) -> Variant:
    """The variant of a table that the game allows."""
    return VARIANTS[_key(table)]
