"""What Herd says to the outside: its options, the view, its events, and the names of its seats."""

from typing import Annotated, Final

from msgspec import Meta, Struct

SEAT_NAMES: Final = ("Black", "White")
STONES: Final = "XO"
"""How each seat's stones are drawn."""


class HerdOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What is chosen before a game."""

    size: Annotated[int, Meta(ge=2, le=10, description="cells on each side of the hexagon")] = 5
    turn_limit: Annotated[
        int, Meta(ge=1, le=100_000, description="turns, of both seats, that end the game")
    ] = 1000


class HerdView(Struct, frozen=True):
    """What everybody sees, as it stands on the wire."""

    turn: int
    size: int
    turn_limit: int
    board: dict[str, int]
    """The seat that holds each occupied cell, in cell order."""
    counts: tuple[int, int]
    """Stones on the board per seat."""
    dice: tuple[int, ...]
    """This turn's dice in the order rolled, empty before the roll."""
    remove: int
    """Enemy stones still to be removed this turn."""
    place: int
    """Own stones still to be placed this turn."""


class HerdMove(Struct, frozen=True, omit_defaults=True):
    """A stone was removed or placed."""

    seat: int
    action: str
    captured: tuple[str, ...] = ()
    """The cells whose stones the placement captured, in cell order."""


class HerdRoll(Struct, frozen=True):
    """The dice were rolled."""

    seat: int
    """Whose turn it is."""
    roll: tuple[int, int]
