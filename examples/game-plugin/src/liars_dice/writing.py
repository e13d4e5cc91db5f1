"""Liar's Dice for a terminal: the dice that a view knows, and the bidding board."""

from collections.abc import Iterator

from engine.game import Table
from msgspec import UNSET

from liars_dice.bids import FACES, cell, faces, said
from liars_dice.wire import Options, Showdown, View


def write(table: Table[Options], view: View) -> str:
    """Everything that a view shows, in at most 80 columns."""
    lines = [_heading(view), "", *_seats(view), "", *_board(table, view)]
    if view.last is not None:
        lines += ["", *_showdown(view.last)]
    return "\n".join(line.rstrip() for line in lines)


def _heading(view: View) -> str:
    if len(view.out) == len(view.dice) - 1:
        winner = next(seat for seat, dice in enumerate(view.dice) if dice)
        return f"The game is over: seat {winner} has the last dice."
    start = f"Round {view.round}, turn {view.turn}: "
    if view.to_act is None:
        return start + "the dice are rolled."
    if view.bid is None:
        return start + f"seat {view.to_act} opens the bidding."
    bid = said(view.bid.quantity, view.bid.face)
    return start + f"seat {view.to_act} beats or challenges {bid} of seat {view.bid.seat}."


def _seats(view: View) -> Iterator[str]:
    for seat, left in enumerate(view.dice):
        arrow = ">" if seat == view.to_act else " "
        yield f"{arrow} seat {seat}   {_dice(view, seat, left)}"


def _dice(view: View, seat: int, left: int) -> str:
    """A seat's dice as far as they are known, or as many question marks."""
    if not left:
        return "out"
    dice = view.own if seat == view.seat and view.own is not UNSET else ()
    if view.all_dice is not UNSET and seat < len(view.all_dice):
        dice = view.all_dice[seat]
    return " ".join(map(str, dice)) or " ".join("?" * left)


def _board(table: Table[Options], view: View) -> Iterator[str]:
    """A row for each quantity, a column for each face; a dot is a bid that may be made."""
    columns = faces(wild_ones=table.options.wild_ones)
    yield "  bid@   " + " ".join(f"{FACES[face]:>6}" for face in columns)
    yield "         " + " ".join(f"{face:>6}" for face in columns)
    high = (view.bid.quantity, view.bid.face) if view.bid else (0, 0)
    for quantity in range(1, sum(view.dice) + 1):
        marks = (_mark(view, (quantity, face), high) for face in columns)
        yield f"  {cell(quantity, 0)[0]} {quantity:>3}   " + " ".join(
            f"{mark:>6}" for mark in marks
        )


def _mark(view: View, bid: tuple[int, int], high: tuple[int, int]) -> str:
    if view.bid is not None and bid == high:
        return f"seat {view.bid.seat}"
    return "." if bid > high else "-"


def _showdown(last: Showdown) -> Iterator[str]:
    bid = said(last.bid.quantity, last.bid.face)
    yield f"Last round: seat {last.challenger} challenged {bid} of seat {last.bid.seat};"
    yield f"there are {last.count}, so seat {last.loser} lost a die."
    for seat, dice in enumerate(last.dice):
        if dice:
            yield f"  seat {seat}   {' '.join(map(str, dice))}"
