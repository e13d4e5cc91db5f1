"""What a table looks like to one who sits at it, or to one who watches."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from markupsafe import Markup
from msgspec import Struct

from arena.web.links import Links
from arena.web.pages import render
from arena.web.play.preview import at_the_start
from arena.web.play.room import Moment, Room
from arena.web.play.story import action_text
from engine.game import CHANCE
from engine.guarded import GameFault
from protocol.record import Record

BUTTONS: Final = 400
"""Actions in the list for those who do not click on the board."""


class SeatNow(Struct, frozen=True):
    """A seat in the list of who plays."""

    number: int
    name: str
    mine: bool
    to_act: bool
    free: bool
    rank: int | None


class Ask(Struct, frozen=True):
    """What the one who looks may do now."""

    at: str
    """Names this point of the turn, so that a click that comes too late does nothing."""
    by_cell: str
    """JSON: for each cell its actions, each with its words."""
    elsewhere: Sequence[tuple[str, str]]
    """Actions without a cell, with their words."""
    all: Sequence[tuple[str, str]]
    undo: int
    """How many actions of the turn can be taken back."""
    hint: str
    hint_cells: str


def fragment(room: Room, seat: int | None, links: Links, bots: Sequence[str]) -> str:
    """The part of a table's page that changes."""
    moment = room.moment(seat)
    return render(
        "_room.html",
        links,
        room=room,
        seat=seat,
        board=_picture(room, moment),
        moment=moment,
        seats=[_seat(room, number, seat) for number in range(len(room.names))],
        status=status(room, seat),
        ask=_ask(room, seat),
        left_ms=None if seat is None else room.left_ms(seat),
        bots=bots,
    )


def _picture(room: Room, moment: Moment | None) -> Markup:
    game, table = room.terms.game, room.terms.table
    try:
        if moment is None:
            return at_the_start(game, table)
        drawn = game.svg(table, moment.view, moment.effects)
    except GameFault as fault:
        return Markup("<p>{}</p>").format(str(fault))
    return Markup(drawn)  # a game's picture is SVG, and names in it there are none


def status(room: Room, seat: int | None) -> str:
    """Where the match stands, in a sentence."""
    if room.failure:
        return f"The match cannot go on: {room.failure}"
    if room.record is not None:
        return _ending(room.record, room.names, seat)
    if room.free:
        return "Waiting for somebody to take a free seat"
    if room.to_act is None or room.to_act == CHANCE:
        return "The match begins"
    return _turn(room, seat) if room.to_act == seat else f"{room.names[room.to_act]} is to act"


def _turn(room: Room, seat: int) -> str:
    draft = room.draft(seat)
    if draft is None:
        return "Your turn is played"
    return "Your turn goes on" if draft.actions else "Your turn"


def _ending(record: Record, names: Sequence[str], seat: int | None) -> str:
    result = record.result
    best = [number for number, rank in enumerate(result.ranks) if rank == 1]
    score = " : ".join(map(str, result.scores))
    fault = f" ({record.faults[0].message})" if result.reason == "fault" else ""
    if len(best) == len(result.ranks):
        return f"A draw, {score}"
    if seat in best:
        return f"You won, {score}{fault}" if len(best) == 1 else f"You won together, {score}{fault}"
    winners = " and ".join(names[number] for number in best)
    return f"{winners} won, {score}{fault}"


def _seat(room: Room, number: int, seat: int | None) -> SeatNow:
    return SeatNow(
        number=number,
        name=room.names[number],
        mine=number == seat,
        to_act=number == room.to_act and not room.over,
        free=number in room.free,
        rank=None if room.record is None else room.record.result.ranks[number],
    )


def _ask(room: Room, seat: int | None) -> Ask | None:
    asked, draft = room.asked(seat), room.draft(seat)
    if asked is None or draft is None or seat is None:
        return None
    legal = draft.legal
    advice = room.advice.get(seat)
    cells: Mapping[str, list[tuple[str, str]]] = defaultdict(list)
    elsewhere = []
    for action in legal:
        what, at, cell = action.partition("@")
        if at:
            cells[cell].append((action, action_text(what)))
        else:
            elsewhere.append((action, action_text(action)))
    return Ask(
        at=f"{asked.question}.{len(draft.actions)}",
        by_cell=msgspec.json.encode(cells).decode(),
        elsewhere=elsewhere,
        all=[(action, action_text(action)) for action in legal[:BUTTONS]],
        undo=len(draft.actions),
        hint=_hint(room, seat),
        hint_cells=" ".join(a.rpartition("@")[2] for a in advice.actions) if advice else "",
    )


def _hint(room: Room, seat: int) -> str:
    advice = room.advice.get(seat)
    if advice is None:
        return ""
    if advice.failure:
        return f"no hint: {advice.failure}"
    words = ", ".join(map(action_text, advice.actions))
    value = "" if advice.value is None else f" It expects {advice.value:.0%} of the win."
    return f"A bot would play {words}.{value}"
