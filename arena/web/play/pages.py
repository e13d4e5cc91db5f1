"""The pages of tables: a form, a table, what is done at it, and news of it."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import parse_qsl

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.web.browse import page, service_of
from arena.web.play import invite
from arena.web.play.lobby import Lobby
from arena.web.play.preview import in_progress
from arena.web.play.room import Room
from arena.web.play.sight import fragment, status

FIELDS: Final = 60
"""Of a form, at most."""
PATIENCE: Final = 10.0
"""Seconds until a form has to be there."""
TOO_LATE: Final = "that is not possible any more"


def lobby_of(request: Request) -> Lobby:
    """The tables of the server that a request came to."""
    lobby: Lobby = request.app.state.lobby
    return lobby


async def show_form(request: Request) -> Response:
    """Choose a game and whom to play."""
    offers = invite.offers(lobby_of(request).bots)
    return page(
        request,
        "play.html",
        offers=offers,
        clocks=invite.CLOCKS,
        friend=invite.FRIEND,
        picture=in_progress,
    )


async def open_table(request: Request) -> Response:
    """Set up a table, and sit down."""
    words = await _words(request)
    lobby = lobby_of(request)
    terms, seat = invite.terms_of(words, lobby.bots)
    room = lobby.open(terms)
    return _seated(request, room, room.sit(seat, invite.name_of(words)))


async def show_table(request: Request) -> Response:
    """A table, as the one who asks may see it."""
    room, seat = _at_table(request)
    lobby = lobby_of(request)
    now = fragment(room, seat, service_of(request).links, list(lobby.bots))
    answer = page(request, "table.html", room=room, now=now, status=status(room, seat))
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def follow_table(request: Request) -> Response:
    """News of a table."""
    room, seat = _at_table(request)
    return service_of(request).stream(lobby_of(request).feed(room, seat))


async def sit(request: Request) -> Response:
    """Take a free seat."""
    room, held = _at_table(request)
    words = await _words(request)
    wanted = words.get("seat", "")
    if held is not None:
        raise HTTPException(409, "you sit at this table already")
    if not wanted.isdecimal() or int(wanted[:3]) not in room.free:
        raise HTTPException(409, "this seat is taken")
    return _seated(request, room, room.sit(int(wanted), invite.name_of(words)))


async def act(request: Request) -> Response:
    """Add an action to one's turn."""
    room, seat = _seat_at(request)
    words = await _words(request)
    asked, draft = room.asked(seat), room.draft(seat)
    at = "" if asked is None or draft is None else f"{asked.question}.{len(draft.actions)}"
    done = words.get("at") == at and await room.act(seat, words.get("action", ""))
    return _done(request, room, done=done)


async def undo(request: Request) -> Response:
    """Take back the last action of one's turn."""
    room, seat = _seat_at(request)
    return _done(request, room, done=room.undo(seat))


async def hint(request: Request) -> Response:
    """Ask a bot what it would do."""
    room, seat = _seat_at(request)
    bot = lobby_of(request).bots.get((await _words(request)).get("bot", ""))
    done = bot is not None and await room.advise(seat, bot)
    return _done(request, room, done=done)


async def leave(request: Request) -> Response:
    """Give up one's seat."""
    room, seat = _seat_at(request)
    await room.leave(seat)
    return _done(request, room, done=True)


async def rematch(request: Request) -> Response:
    """Play again, everybody a seat further; the first who asks sets up the table."""
    room, seat = _seat_at(request)
    if not room.over:
        raise HTTPException(409, "the match is not over")
    if room.rematch is None:
        room.invite(lobby_of(request).open(invite.turned(room.terms, room.names)))
    again = room.rematch
    assert again is not None
    place = (seat + 1) % len(room.names)
    token = room.tokens[seat]
    if place in again.free:
        again.sit(place, room.names[seat], token)
    return _seated(request, again, token)


# What they share


def _at_table(request: Request) -> tuple[Room, int | None]:
    """The table that is meant, and the seat of who asks."""
    room = lobby_of(request).room(request.path_params["room"])
    return room, room.seat_of(request.cookies.get(_cookie(room)))


def _seat_at(request: Request) -> tuple[Room, int]:
    room, seat = _at_table(request)
    if seat is None:
        raise HTTPException(403, "you do not sit at this table")
    return room, seat


async def _words(request: Request) -> dict[str, str]:
    """The fields of a form."""
    try:
        with trio.fail_after(PATIENCE):
            body = (await request.body()).decode()
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=FIELDS))
    except trio.TooSlowError:
        raise HTTPException(408, f"a form takes at most {PATIENCE:.0f} seconds") from None
    except ValueError:  # also of bytes that are no text
        raise HTTPException(400, "this is not a form of this server") from None


def _seated(request: Request, room: Room, token: str) -> Response:
    """On to the table, with the proof of one's seat."""
    answer = RedirectResponse(f"/play/{room.id}", 303)
    answer.set_cookie(
        _cookie(room),
        token,
        path=f"/play/{room.id}",
        httponly=True,
        samesite="lax",
        secure=request.headers["origin"].startswith("https:"),  # also behind a proxy
    )
    return answer


def _cookie(room: Room) -> str:
    return f"seat-{room.id}"


def _done(request: Request, room: Room, *, done: bool) -> Response:
    """A page's script hears the news from the stream; without one the page is shown again."""
    if "text/html" in request.headers.get("accept", ""):
        return RedirectResponse(f"/play/{room.id}", 303)
    return Response(status_code=204) if done else PlainTextResponse(TOO_LATE, 409)


def _post(path: str, function: Callable[[Request], Any]) -> Route:
    return Route(f"/play/{{room}}/{path}", function, methods=["POST"])


ROUTES: Final = [
    Route("/play", show_form),
    Route("/play", open_table, methods=["POST"]),
    Route("/play/{room}", show_table),
    Route("/play/{room}/events", follow_table),
    _post("sit", sit),
    _post("act", act),
    _post("undo", undo),
    _post("hint", hint),
    _post("leave", leave),
    _post("rematch", rematch),
]
