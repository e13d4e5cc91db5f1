"""A full state of Savanna Ten that fits what one seat knows."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from msgspec import UNSET
from msgspec.structs import astuple

from engine.game import Table
from engine.savanna_ten_course import variant_of
from engine.savanna_ten_lines import CELLS, EMPTY_LINES, TILES
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import pack, placements
from engine.savanna_ten_wire import ByCell, Face, Placed, SavannaOptions, SavannaView, Tile

T = TypeVar("T")


class _Unseen(NamedTuple):
    """The tiles of a seat that do not lie animal side up."""

    lions: Sequence[Tile]
    """Under its Lions, in board order."""
    hand: Sequence[Tile]
    pile: Sequence[Tile]


def sample_state(
    table: Table[SavannaOptions], view: SavannaView, seat: int, rng: Random
) -> SavannaState:
    """A state that fits the view of a seat; all deals of the hidden tiles are equally likely."""
    variant = variant_of(table)
    placed = _present(view.board)
    unseen = []
    for other, hand in enumerate(view.hands):
        faces = [tile.side for tile in placed.values() if tile.seat == other]
        known = other == seat
        unseen.append(_own(view) if known else _dealt(variant.tiles, faces, hand, rng))
    board, lines = _laid(placed, variant.sides, [own.lions for own in unseen])
    return SavannaState(
        variant=variant.key,
        played=len(placed) + len(variant.tiles) * table.players - sum(view.piles),
        board=board,
        lines=lines,
        scores=view.scores,
        lions=view.lions,
        hands=sum(pack(own.hand, owner) for owner, own in enumerate(unseen)),
        piles=sum(pack(own.pile, owner) for owner, own in enumerate(unseen)),
    )


def _own(view: SavannaView) -> _Unseen:
    """The tiles of the seat whose view it is."""
    if view.hand is UNSET or view.hidden is UNSET or view.pile is UNSET:
        raise ValueError("the view of a spectator knows no seat's tiles")
    pile = [tile for tile in TILES for _ in range(getattr(view.pile, tile))]
    return _Unseen(tuple(_present(view.hidden).values()), view.hand, pile)


def _dealt(tiles: Sequence[Tile], faces: Sequence[Face], hand: int, rng: Random) -> _Unseen:
    """The tiles of another seat: those of its set that were not seen, dealt at random."""
    unseen = list(tiles)
    for face in faces:
        if face != "lion":
            unseen.remove(face)
    rng.shuffle(unseen)
    lions = faces.count("lion")
    return _Unseen(unseen[:lions], unseen[lions : lions + hand], unseen[lions + hand :])


def _laid(
    placed: Mapping[str, Placed], sides: Sequence[int], lions: Sequence[Sequence[Tile]]
) -> tuple[bytes, int]:
    """The board and the packed lines, given the tiles under each seat's Lions."""
    board, lines = bytearray(len(CELLS)), EMPTY_LINES
    under = [iter(tiles) for tiles in lions]
    for cell, tile in placed.items():
        word = f"{next(under[tile.seat])}/lion" if tile.side == "lion" else tile.side
        placement = placements(tile.seat, sides[tile.seat])[f"{word}@{cell}"]
        board[placement.cell : placement.cell + 1] = placement.byte
        lines += placement.in_lines
    return bytes(board), lines


def _present(by_cell: ByCell[T]) -> dict[str, T]:
    return {
        cell: thing
        for cell, thing in zip(CELLS, astuple(by_cell), strict=True)
        if thing is not UNSET
    }
