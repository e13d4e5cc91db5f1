"""What Savanna Ten says to the outside: its options, the view of a seat, and its events."""

from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

Tile: TypeAlias = Literal["monkey", "zebra", "giraffe", "elephant", "mouse"]
"""The animal on a tile's front."""
Face: TypeAlias = Literal["monkey", "zebra", "giraffe", "elephant", "mouse", "lion"]
"""What a tile on the board shows: its animal, or the Lion of its back."""
MouseOption: TypeAlias = Literal["off", "replace", "add"]

T = TypeVar("T")


class SavannaOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Savanna Ten."""

    mouse: Annotated[
        MouseOption,
        Meta(description="a mouse in each set: none, in place of a monkey, or on top"),
    ] = "off"
    teams: Annotated[
        bool, Meta(description="seats 0 and 2 against seats 1 and 3 (4 players only)")
    ] = False


class Placed(Struct, frozen=True):
    """A tile on the board, as everyone sees it."""

    seat: int
    """Who placed it."""
    side: Face
    """Which side lies up."""


class ByCell(Struct, Generic[T], frozen=True):
    """Something for each of the 20 cells that take a tile; absent where there is nothing."""

    A1: T | UnsetType = UNSET
    A2: T | UnsetType = UNSET
    A3: T | UnsetType = UNSET
    A5: T | UnsetType = UNSET
    B2: T | UnsetType = UNSET
    B3: T | UnsetType = UNSET
    B4: T | UnsetType = UNSET
    B5: T | UnsetType = UNSET
    C1: T | UnsetType = UNSET
    C2: T | UnsetType = UNSET
    C4: T | UnsetType = UNSET
    C5: T | UnsetType = UNSET
    D1: T | UnsetType = UNSET
    D2: T | UnsetType = UNSET
    D3: T | UnsetType = UNSET
    D4: T | UnsetType = UNSET
    E1: T | UnsetType = UNSET
    E3: T | UnsetType = UNSET
    E4: T | UnsetType = UNSET
    E5: T | UnsetType = UNSET


class Board(ByCell[Placed], frozen=True):
    """The tiles on the board, as everyone sees them."""


class Hidden(ByCell[Tile], frozen=True):
    """The tiles under Lions."""


class Pile(Struct, frozen=True):
    """How many tiles of each kind a draw pile still holds; nobody knows their order."""

    monkey: int
    zebra: int
    giraffe: int
    elephant: int
    mouse: int


class SavannaView(Struct, frozen=True, kw_only=True):
    """All that a seat may know. A spectator's view has no `hand`, `hidden` and `pile`."""

    turn: int
    """1 + tiles placed."""
    board: Board
    scores: tuple[int, ...]
    """A score per side: per seat, or per team in team play."""
    lions: tuple[int, ...]
    """Lions on the board, per side."""
    hand: tuple[Tile, ...] | UnsetType = UNSET
    """The seat's own hand, in tile order."""
    hidden: Hidden | UnsetType = UNSET
    """The tile under each Lion that the seat placed."""
    pile: Pile | UnsetType = UNSET
    """What the seat's own draw pile still holds."""
    hands: tuple[int, ...]
    """Tiles in hand, per seat."""
    piles: tuple[int, ...]
    """Tiles in the draw pile, per seat."""
    open_hands: tuple[tuple[Tile, ...], ...] | UnsetType = UNSET
    """Every seat's hand; after the match only."""
    open_hidden: Hidden | UnsetType = UNSET
    """The tile under every Lion; after the match only."""


class PlacementEvent(Struct, frozen=True):
    """A seat placed a tile."""

    seat: int
    action: str
    """Its own action as played; of another's Lion only `lion@CELL`."""
    scores: tuple[int, ...]
    """The scores after it, per side."""


class DrawEvent(Struct, frozen=True):
    """A seat drew a tile."""

    seat: int
    draw: Tile | None
    """The tile, None where it is another seat's."""
