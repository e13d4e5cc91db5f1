"""What a seat of Herd sees, as numbers for programs that learn."""

from engine.herd_board import board_of
from engine.herd_wire import HerdView


def features(view: HerdView, seat: int) -> list[float]:
    """A 1 for each cell of the seat, one for each of the enemy's, then what is to be done."""
    cells = [view.board.get(name) for name in board_of(view.size).cells]
    return [
        *(float(owner == seat) for owner in cells),
        *(float(owner == 1 - seat) for owner in cells),
        view.remove / 6,
        view.place / 6,
        float((view.turn - 1) % 2 == seat),
        view.turn / view.turn_limit,
    ]
