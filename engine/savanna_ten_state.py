"""The state of a game of Savanna Ten."""

from msgspec import Struct

from engine.game import Table
from engine.savanna_ten_course import COURSES, VARIANTS, Step
from engine.savanna_ten_tables import SEAT, SEAT_BITS
from engine.savanna_ten_wire import SavannaOptions


class SavannaState(Struct, frozen=True):
    """A place in a game, secrets included. `savanna_ten_tables` describes the packed numbers."""

    variant: str
    """The key of the table's variant in VARIANTS."""
    played: int
    """How many actions were played, draws included."""
    board: bytes
    """A byte for each cell, 0 where it is free."""
    lines: int
    """The shares and the count of every line, packed."""
    scores: tuple[int, ...]
    """A score per side."""
    lions: tuple[int, ...]
    """Lions on the board, per side."""
    hands: int
    """The hands of all seats, packed."""
    piles: int
    """What the piles of all seats still hold, packed."""

    @property
    def table(self) -> Table[SavannaOptions]:
        """What is fixed for the match."""
        return VARIANTS[self.variant].table

    @property
    def step(self) -> Step:
        """The step to be taken."""
        return COURSES[self.variant][self.played]

    def hand(self, seat: int) -> int:
        """A seat's hand, packed."""
        return self.hands >> seat * SEAT_BITS & SEAT

    def pile(self, seat: int) -> int:
        """What a seat's pile still holds, packed."""
        return self.piles >> seat * SEAT_BITS & SEAT
