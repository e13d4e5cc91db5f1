"""Liar's Dice as a picture: the seats with their dice, the bidding board, the last showdown."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from engine.game import Effect, Table
from engine.picture import (
    CELL,
    CLOSED,
    EDGE,
    INK,
    LIT,
    ON_SEATS,
    QUIET,
    SEATS,
    cell,
    element,
    moved,
    picture,
    text,
)
from msgspec import UNSET

from liars_dice import bids
from liars_dice.wire import Options, Showdown, View

WIDTH: Final = 520
SEAT_HEIGHT: Final = 58
ROW_HEIGHT: Final = 44
LEFT: Final = 92
"""Of the bidding board, for the names of its rows."""
SHOWDOWN: Final = 34
"""The height of a line of the showdown."""

PIPS: Final[Mapping[int, Sequence[tuple[int, int]]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw(table: Table[Options], view: View, effects: Sequence[Effect] = ()) -> str:
    """Everything that a view shows, with the bid that was made or challenged lit."""
    board = SEAT_HEIGHT * len(view.dice) + 20
    below = board + 50 + ROW_HEIGHT * sum(view.dice)
    lit = {name for effect in effects for name in effect.cells}
    parts = [
        *(moved(0, SEAT_HEIGHT * seat, *_seat(view, seat)) for seat in range(len(view.dice))),
        *(moved(0, board, part) for part in _board(table, view, lit)),
    ]
    if view.last is not None:
        parts.append(moved(0, below, *_showdown(table, view.last, lit=_is_told(effects))))
        below += 70 + SHOWDOWN * len(view.dice)
    return picture(WIDTH, below, _summary(view), parts)


def _is_told(effects: Sequence[Effect]) -> bool:
    return any("there are" in effect.label for effect in effects)


def _summary(view: View) -> str:
    left = ", ".join(f"seat {seat} has {dice}" for seat, dice in enumerate(view.dice))
    if len(view.out) == len(view.dice) - 1:
        return f"The game is over. Dice: {left}."
    bid = bids.said(view.bid.quantity, view.bid.face) if view.bid else "none"
    doing = "dice are rolled" if view.to_act is None else f"seat {view.to_act} to act"
    return f"Round {view.round}, {doing}. Bid: {bid}. Dice: {left}."


# Dice


@cache
def _die(face: int | None, x: float, y: float, size: float, *, lit: bool = False) -> str:
    """A die, its middle at a place; None: nobody knows how it lies."""
    half = size / 2
    edge = {"stroke": LIT, "stroke_width": 3} if lit else {"stroke": EDGE, "stroke_width": 1.5}
    square = element(
        "rect", x=-half, y=-half, width=size, height=size, rx=size / 5, fill=CELL, **edge
    )
    if face is None:
        return moved(x, y, square, text("?", 0, size / 6, size / 2, fill=QUIET))
    pips = (
        element("circle", cx=size * 0.26 * px, cy=size * 0.26 * py, r=size / 11, fill=INK)
        for px, py in PIPS[face]
    )
    return moved(x, y, square, *pips)


@cache
def _token(seat: int, x: float, y: float, radius: float) -> str:
    """The seat's colour with its number, for whom colours do not tell."""
    disc = element("circle", r=radius, fill=SEATS[seat], stroke=INK, stroke_width=1)
    return moved(x, y, disc, text(seat, 0, radius * 0.4, radius * 1.2, fill=ON_SEATS[seat]))


# The seats


def _seat(view: View, seat: int) -> Iterator[str]:
    if seat == view.to_act:
        yield element("path", d="M6 20l12 9-12 9Z", fill=INK)
    yield _token(seat, 44, 29, 18)
    known = _known(view, seat)
    if not known:
        yield text("out", 80, 35, 20, fill=QUIET, text_anchor="start")
    for place, face in enumerate(known):
        yield _die(face, 96 + 46 * place, 29, 38)
    if view.bid is not None and view.bid.seat == seat:
        words = f"bids {bids.said(view.bid.quantity, view.bid.face)}"
        yield text(words, WIDTH - 12, 36, 20, text_anchor="end", font_weight=700)


def _known(view: View, seat: int) -> Sequence[int | None]:
    """The seat's dice as far as the view knows them."""
    if view.all_dice is not UNSET and seat < len(view.all_dice):
        return view.all_dice[seat]
    if view.own is not UNSET and view.own and view.seat == seat:
        return view.own
    return (None,) * view.dice[seat]


# The bidding board


def _board(table: Table[Options], view: View, lit: set[str]) -> Iterator[str]:
    columns = bids.faces(wild_ones=table.options.wild_ones)
    pitch = (WIDTH - LEFT - 10) / len(columns)
    high = (view.bid.quantity, view.bid.face) if view.bid is not None else (0, 0)
    for place, face in enumerate(columns):
        yield _die(face, LEFT + pitch * (place + 0.5), 18, 30)
    for quantity in range(1, sum(view.dice) + 1):
        middle = 44 + ROW_HEIGHT * (quantity - 0.5)
        name = bids.cell(quantity, 0)[0]
        yield text(name, 18, middle + 7, 20, fill=QUIET)
        yield text(f"{quantity} ×", LEFT - 10, middle + 7, 20, text_anchor="end")
        for place, face in enumerate(columns):
            bid, x = (quantity, face), LEFT + pitch * (place + 0.5)
            bidder = view.bid.seat if view.bid is not None and bid == high else None
            shown = bids.cell(*bid) in lit
            yield _cell(bid, x, middle, pitch - 6, bidder, low=bid < high, lit=shown)


@cache
def _cell(
    bid: tuple[int, int],
    x: float,
    y: float,
    width: float,
    bidder: int | None,
    *,
    low: bool,
    lit: bool,
) -> str:
    """A bid: made by a seat, too low by now, or still to be made."""
    edge = {"stroke": LIT, "stroke_width": 4} if lit else {"stroke": EDGE}
    ground = element(
        "rect",
        x=-width / 2,
        y=-ROW_HEIGHT / 2 + 3,
        width=width,
        height=ROW_HEIGHT - 6,
        rx=7,
        fill=CLOSED if low else CELL,
        class_="ground",
        **edge,
    )
    name, state = bids.cell(*bid), "too low" if low else "free"
    inside = "" if bidder is None else _token(bidder, 0, 0, 15)
    if bidder is not None:
        state = f"bid by seat {bidder}"
    return cell(name, f"{name}: {bids.said(*bid)}, {state}", x, y, ground, inside)


# The last showdown


def _showdown(table: Table[Options], last: Showdown, *, lit: bool) -> Iterator[str]:
    bid = bids.said(last.bid.quantity, last.bid.face)
    ink = {"fill": LIT} if lit else {"fill": INK}
    first = f"Last round: seat {last.challenger} challenged {bid} of seat {last.bid.seat};"
    second = f"there are {last.count}, so seat {last.loser} lost a die."
    yield text(first, 12, 22, 18, text_anchor="start", **ink)
    yield text(second, 12, 46, 18, text_anchor="start", **ink)
    counting = {last.bid.face, 1} if table.options.wild_ones else {last.bid.face}
    for seat, dice in enumerate(last.dice):
        y = 76 + SHOWDOWN * seat
        yield _token(seat, 26, y, 11)
        for place, face in enumerate(dice):
            yield _die(face, 60 + 34 * place, y, 27, lit=face in counting)
