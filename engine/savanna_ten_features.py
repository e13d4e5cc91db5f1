"""What a seat of Savanna Ten sees, as numbers for programs that learn."""

from functools import cache
from typing import Final

from msgspec import UNSET
from msgspec.structs import astuple

from engine.game import Table
from engine.savanna_ten_course import variant_of
from engine.savanna_ten_lines import TILES
from engine.savanna_ten_wire import Face, SavannaOptions, SavannaView, Tile

FACES: Final[tuple[Face, ...]] = (*TILES, "lion")
HIGH_SCORE: Final = 50
MOST_TILES: Final = 10
"""Of a seat, about."""


def features(table: Table[SavannaOptions], view: SavannaView, seat: int) -> list[float]:
    """The board cell by cell, the tiles that the seat knows, then the standing.

    A cell has a 1 for whose tile lies there, for what it shows, and for the tile under an own
    Lion. Sides stand in the order of play from the seat's own.
    """
    players, known = table.players, view.hidden
    numbers: list[float] = []
    under = astuple(known) if known is not UNSET else (UNSET,) * len(astuple(view.board))
    for placed, tile in zip(astuple(view.board), under, strict=True):
        if placed is UNSET:
            numbers += _cell(players)
        else:
            hidden = None if tile is UNSET else tile
            numbers += _cell(players, (placed.seat - seat) % players, placed.side, hidden)
    hand = () if view.hand is UNSET else view.hand
    numbers += [hand.count(tile) / 2 for tile in TILES]
    numbers += [0.0] * len(TILES) if view.pile is UNSET else [n / 4 for n in astuple(view.pile)]
    side, sides = variant_of(table).sides[seat], len(view.scores)
    for counts, unit in ((view.scores, HIGH_SCORE), (view.lions, MOST_TILES)):
        numbers += [counts[(side + step) % sides] / unit for step in range(sides)]
    numbers.append(view.piles[seat] / MOST_TILES)
    return numbers


@cache
def _cell(
    players: int, owner: int | None = None, face: Face | None = None, hidden: Tile | None = None
) -> tuple[float, ...]:
    """A cell: its owner counted from the seat, its face, the tile known under it."""
    return (
        *(float(owner == seat) for seat in range(players)),
        *(float(face == one) for one in FACES),
        *(float(hidden == one) for one in TILES),
    )
