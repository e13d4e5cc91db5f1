"""The application: routes behind the guard, and what an error looks like."""

from collections.abc import Mapping
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from arena.log import logger
from arena.store.errors import NotFound, StoreError
from arena.web import api, browse
from arena.web.browse import page, service_of
from arena.web.guard import BODY_LIMIT, Guard, TooLarge
from arena.web.pages import STATIC
from arena.web.play import pages as play
from arena.web.play.lobby import Lobby
from arena.web.queries import BadQuery
from arena.web.service import Service
from engine.guarded import GameFault

_STATUS: Final = {NotFound: 404, StoreError: 503, BadQuery: 400, GameFault: 500}


def create(service: Service, lobby: Lobby | None) -> ASGIApp:
    """The application of a server; without a lobby nobody can play."""
    tables = play.ROUTES if lobby is not None else []
    app = Starlette(
        routes=[
            *browse.ROUTES,
            *api.ROUTES,
            *tables,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={
            **dict.fromkeys(_STATUS, _explain),
            HTTPException: _say,
            TooLarge: _too_large,
            ClientDisconnect: _gone,
            Exception: _confess,
        },
    )
    app.state.service = service
    app.state.lobby = lobby
    settings = service.settings
    return Guard(app, settings.hosts, addresses=settings.addresses)


def _explain(request: Request, error: Exception) -> Response:
    status = next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)
    store = service_of(request).settings.store
    return _error_page(request, status, str(error).replace(str(store), store.name))


def _say(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = "there is no such page" if error.status_code == 404 else error.detail
    return _error_page(request, error.status_code, words, error.headers)


def _error_page(
    request: Request, status: int, sentence: str, headers: Mapping[str, str] | None = None
) -> Response:
    if request.url.path.startswith(f"{api.ROOT}/"):
        return api.refusal(status, sentence, headers)
    answer = page(request, "error.html", sentence=sentence, status=status)
    answer.status_code = status
    answer.headers.update(headers or {})
    return answer


def _too_large(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse(f"a request has at most {BODY_LIMIT} bytes\n", 413)


def _gone(_request: Request, _error: Exception) -> Response:
    """Nobody hears it."""
    return PlainTextResponse("the request has no end\n", 400)


def _confess(_request: Request, error: Exception) -> Response:
    """A defect of ours: the log has it, who asked is told no more."""
    logger().error("a page failed", exc_info=error)
    return PlainTextResponse("this page failed; the log of the server says why\n", 500)
