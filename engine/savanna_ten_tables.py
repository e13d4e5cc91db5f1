"""The tables behind Savanna Ten: what each action needs and changes, made once.

- *Packed tiles* have 3 bits for the number of each kind of tile. The hands of all seats stand
  side by side in one integer, their piles in another.
- The *board* is a byte for each cell: 0, or `byte_of(seat, kind, lion)`.
- The lines are described in `savanna_ten_lines`.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from engine.savanna_ten_lines import CELLS, COMPLETE, TILES, in_line, shifts_through
from engine.savanna_ten_wire import DrawEvent, Pile, Placed, Tile

MAX_SEATS: Final = 4

KIND_BITS: Final = 3
KIND: Final = 0b111
"""The bits of one kind among a seat's packed tiles."""
SEAT_BITS: Final = KIND_BITS * len(TILES)
SEAT: Final = (1 << SEAT_BITS) - 1
"""The bits of one seat."""


# Tiles out of sight


def pack(tiles: Iterable[Tile], seat: int = 0) -> int:
    """The packed tiles of one seat, at most 7 of a kind."""
    return sum(1 << seat * SEAT_BITS + TILES.index(tile) * KIND_BITS for tile in tiles)


def counts(packed: int) -> list[int]:
    """How many tiles of each kind a seat has."""
    return [packed >> kind * KIND_BITS & KIND for kind in range(len(TILES))]


HANDS: Final = {
    pack(tiles): tiles for size in (0, 1, 2) for tiles in combinations_with_replacement(TILES, size)
}
"""From every hand, packed, to its tiles in order."""


@cache
def pile_of(packed: int) -> Pile:
    """What a pile holds, by kind."""
    return Pile(*counts(packed))


@cache
def draw_chances(seat: int, pile: int) -> tuple[tuple[str, float], ...]:
    """Every draw from a seat's packed pile with its probability, in tile order."""
    total = sum(counts(pile))
    return tuple(
        (f"draw@{seat}:{tile}", count / total)
        for tile, count in zip(TILES, counts(pile), strict=True)
        if count
    )


class Draw(NamedTuple):
    """What a draw needs and changes, for one seat."""

    kind: int
    """The bits of the tile's kind in the packed piles: any set will do."""
    tile: int
    """The tile in the packed piles, and in the packed hands."""
    event: DrawEvent
    """The draw as its own seat sees it."""


@cache
def draws(seat: int) -> Mapping[str, Draw]:
    """From each chance action to its draw, for one seat."""
    table = {}
    for tile in TILES:
        one = pack([tile], seat)
        table[f"draw@{seat}:{tile}"] = Draw(one * KIND, one, DrawEvent(seat, tile))
    return table


UNSEEN_DRAWS: Final = tuple(DrawEvent(seat, None) for seat in range(MAX_SEATS))
"""Per seat: its draw as the others see it."""


# Tiles on the board


def byte_of(seat: int, kind: int, *, lion: bool) -> int:
    """The byte of a tile on the board, 1 to 40."""
    return 1 + (seat * len(TILES) + kind) * 2 + lion


FREE: Final = bytes(byte == 0 for byte in range(256))
"""Translates a board to 1 where a cell is free, 0 where a tile lies."""

PLACED: Final[tuple[Placed | UnsetType, ...]] = (
    UNSET,
    *(Placed(seat, side) for seat in range(MAX_SEATS) for tile in TILES for side in (tile, "lion")),
)
"""By byte of the board: what everyone sees."""


def hidden_tiles(seats: Iterable[int]) -> tuple[Tile | UnsetType, ...]:
    """By byte of the board: the tile under a Lion of one of the seats."""
    hidden: list[Tile | UnsetType] = [UNSET] * len(PLACED)
    for seat in seats:
        for kind, tile in enumerate(TILES):
            hidden[byte_of(seat, kind, lion=True)] = tile
    return tuple(hidden)


HIDDEN: Final = tuple(hidden_tiles([seat]) for seat in range(MAX_SEATS))
"""Per seat, by byte of the board: what it knows of its own Lions."""
ALL_HIDDEN: Final = hidden_tiles(range(MAX_SEATS))


# Placements


HAND_ACTIONS: Final = {
    hand: tuple(
        f"{word}@{cell}"
        for tile in dict.fromkeys(tiles)
        for word in (tile, f"{tile}/lion")
        for cell in CELLS
    )
    for hand, tiles in HANDS.items()
}
"""From every hand, packed, to its placements on an empty board in the order of `legal`: a row of
20 for each kind of tile and side."""
ROWS_PER_HAND: Final = 4
"""At most: 2 kinds of tile, 2 sides."""

SEEN: Final = {
    f"{tile}{back}@{cell}": f"lion@{cell}" if back else f"{tile}@{cell}"
    for tile in TILES
    for back in ("", "/lion")
    for cell in CELLS
}
"""From each placement to what the other seats see of it."""


class Placement(NamedTuple):
    """What a placement needs and changes, for one seat that plays for one side."""

    cell: int
    byte: bytes
    """The tile on the board."""
    kind: int
    """The bits of the tile's kind in the packed hands: any set will do."""
    tile: int
    """The tile in the packed hands."""
    in_lines: int
    """What it adds to the packed lines."""
    complete: int
    """The `COMPLETE` bits of the lines through the cell."""
    side: int
    lion: bool


@cache
def placements(seat: int, side: int) -> Mapping[str, Placement]:
    """From each action to its placement, for a seat that plays for this side."""
    table = {}
    for cell, name in enumerate(CELLS):
        through = sum(1 << shift for shift in shifts_through(cell))
        for kind, tile in enumerate(TILES):
            one = pack([tile], seat)
            for word, lion in ((tile, False), (f"{tile}/lion", True)):
                table[f"{word}@{name}"] = Placement(
                    cell=cell,
                    byte=bytes([byte_of(seat, kind, lion=lion)]),
                    kind=one * KIND,
                    tile=one,
                    in_lines=through * in_line(tile, side, lion=lion),
                    complete=through * COMPLETE,
                    side=side,
                    lion=lion,
                )
    return table
