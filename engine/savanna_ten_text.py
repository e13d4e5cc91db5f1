"""Savanna Ten for a terminal: the board, the standing and the tiles that a view knows."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET
from msgspec.structs import asdict

from engine.game import Table
from engine.savanna_ten_course import variant_of
from engine.savanna_ten_lines import CELLS, CLOSED, COLUMNS, INFLUENCE, ROWS
from engine.savanna_ten_wire import SavannaOptions, SavannaView

WIDTH: Final = 14
"""Characters inside a space of the board: ` 0 elephant 5 `."""
RULE: Final = "─" * WIDTH
MARGIN: Final = "  "
COLOURS: Final = ("red", "blue", "yellow", "green")
TEAMS: Final = ("Warm", "Cool")


def draw_view(table: Table[SavannaOptions], view: SavannaView) -> str:
    """Everything that a view shows, in at most 80 columns."""
    lines = [*_board(view), "", _turn(table, view), *_standing(table, view), *_own_tiles(view)]
    return "\n".join(line.rstrip() for line in lines)


def _board(view: SavannaView) -> Iterator[str]:
    yield MARGIN + "".join(f" {column:^{WIDTH}}" for column in COLUMNS)
    yield _rule(*"┌┬┐")
    for row in ROWS:
        first, second = zip(*(_space(view, column + row) for column in COLUMNS), strict=True)
        yield f"{row} │{'│'.join(first)}│"
        yield f"{MARGIN}│{'│'.join(second)}│"
        yield _rule(*("└┴┘" if row == ROWS[-1] else "├┼┤"))


def _rule(left: str, middle: str, right: str) -> str:
    return MARGIN + left + middle.join([RULE] * len(COLUMNS)) + right


def _space(view: SavannaView, cell: str) -> tuple[str, str]:
    """The two rows of a space: seat, tile and influence; and the tile under a Lion, if known."""
    if cell in CLOSED:
        return "░" * WIDTH, "░" * WIDTH
    placed = getattr(view.board, cell)
    if placed is UNSET:
        return f"{cell:^{WIDTH}}", " " * WIDTH
    face = "LION" if placed.side == "lion" else placed.side
    known = view.hidden if view.open_hidden is UNSET else view.open_hidden
    under = getattr(known, cell, UNSET)
    note = "" if under is UNSET else f"   ({under})"
    return f" {placed.seat} {face:<8} {INFLUENCE[placed.side]} ", f"{note:<{WIDTH}}"


def _turn(table: Table[SavannaOptions], view: SavannaView) -> str:
    if view.turn > len(CELLS):
        return "The board is full."
    return f"Turn {view.turn}: seat {(view.turn - 1) % table.players} places a tile."


def _standing(table: Table[SavannaOptions], view: SavannaView) -> Iterator[str]:
    yield f"{'seat':<16}{'score':>7}{'lions':>7}{'hand':>7}{'pile':>7}"
    for seat, side in enumerate(variant_of(table).sides):
        label = f"{seat}  {TEAMS[side]}, {COLOURS[seat]}" if table.options.teams else str(seat)
        counts = (view.scores[side], view.lions[side], view.hands[seat], view.piles[seat])
        hand = "" if view.open_hands is UNSET else "  " + ", ".join(view.open_hands[seat])
        yield f"{label:<16}" + "".join(f"{count:>7}" for count in counts) + hand


def _own_tiles(view: SavannaView) -> Iterator[str]:
    if view.hand is not UNSET and view.pile is not UNSET:
        pile = [f"{count} {tile}" for tile, count in asdict(view.pile).items() if count]
        yield ""
        yield f"Your hand: {', '.join(view.hand) or 'empty'}"
        yield f"Your pile: {', '.join(pile) or 'empty'}"
