"""What Liar's Dice says to the outside: its options, the view of a seat, and its events."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What is chosen before a game."""

    dice: Annotated[int, Meta(ge=1, le=6, description="dice of each player at the start")] = 5
    wild_ones: Annotated[
        bool, Meta(description="a one counts as every face, and is not bid itself")
    ] = True


class Bid(Struct, frozen=True):
    """That there are at least so many dice of a face among all."""

    seat: int
    """Who bid."""
    action: str
    """As it was played: `bid@C5`."""
    quantity: int
    face: int


class Showdown(Struct, frozen=True):
    """A challenge, and what it brought to light."""

    challenger: int
    bid: Bid
    dice: tuple[tuple[int, ...], ...]
    """Each seat's, in order; all were shown."""
    count: int
    """How many of them counted for the bid."""
    loser: int
    """Who lost a die by it."""


class View(Struct, frozen=True, kw_only=True):
    """All that a seat may know. A spectator's view has no `seat` and no `own`."""

    turn: int
    round: int
    """From 1; a challenge ends it."""
    to_act: int | None
    """The seat to bid or to challenge; None while dice are rolled, and when the game is over."""
    dice: tuple[int, ...]
    """How many dice each seat has; 0: it is out."""
    out: tuple[int, ...]
    """The seats without dice, in the order in which they lost the last."""
    seat: int | UnsetType = UNSET
    """Whose view it is."""
    own: tuple[int, ...] | UnsetType = UNSET
    """The seat's own dice in order, empty until they are rolled."""
    bid: Bid | None
    """The bid to beat or to challenge."""
    last: Showdown | None
    """How the last round ended."""
    all_dice: tuple[tuple[int, ...], ...] | UnsetType = UNSET
    """Every seat's dice; after the match only."""


class BidEvent(Struct, frozen=True):
    """A seat bid."""

    seat: int
    action: str


class ChallengeEvent(Struct, frozen=True):
    """A seat challenged, and all dice were shown."""

    seat: int
    action: str
    showdown: Showdown


class RollEvent(Struct, frozen=True):
    """A seat rolled its dice."""

    seat: int
    roll: tuple[int, ...] | None
    """None where they are another seat's."""
