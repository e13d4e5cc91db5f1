"""The pages that only read: requests in, pages out."""

from functools import partial
from typing import Any, Final

import trio
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.store.db import EVERYTHING, Store
from arena.store.model import Filter
from arena.web import bots, leaderboard, matches, runs
from arena.web.feed import Feed
from arena.web.pages import render
from arena.web.queries import wanted_of
from arena.web.service import Service
from arena.web.shelf import Shelf

LOOK_EVERY: Final = 1.0
"""Seconds between two looks whether a run went on."""


def service_of(request: Request) -> Service:
    """The server that a request came to."""
    service: Service = request.app.state.service
    return service


def page(request: Request, template: str, **shown: Any) -> HTMLResponse:
    """A page."""
    return HTMLResponse(render(template, service_of(request).links, **shown))


async def boards_now(shelf: Shelf, wanted: Filter = EVERYTHING) -> list[leaderboard.Board]:
    """The tables that a filter lets through."""
    return await shelf.remembered(repr(wanted), lambda store: leaderboard.boards(store, wanted))


async def show_leaderboard(request: Request) -> Response:
    """Ratings of all bots, filtered."""
    words = dict(request.query_params)
    wanted = wanted_of(words)
    shelf = service_of(request).shelf
    boards = await boards_now(shelf, wanted)
    choices = await shelf.remembered("choices", leaderboard.choices)
    return page(request, "leaderboard.html", boards=boards, choices=choices, words=words)


async def show_bot(request: Request) -> Response:
    """A bot."""
    name = request.path_params["name"]
    shelf = service_of(request).shelf
    rated = await shelf.remembered("rated", bots.rated)
    bot = await shelf.remembered(("bot", name), lambda store: bots.bot_of(store, name, rated))
    return page(request, "bot.html", bot=bot)


async def show_bots(request: Request) -> Response:
    """All bots by name."""
    names = await service_of(request).shelf.remembered("bots", bots.names_of)
    return page(request, "bots.html", names=names)


async def list_matches(request: Request) -> Response:
    """Matches, the latest first, or the one whose id was typed."""
    words = dict(request.query_params)
    search = matches.search_of(words)
    service = service_of(request)
    named = await service.shelf.read(lambda store: matches.match_named(store, search.wanted.match))
    if named is not None:
        return RedirectResponse(service.links.match(named), 303)
    found = await service.shelf.remembered(repr(search), lambda store: matches.find(store, search))
    choices = await service.shelf.remembered("choices", leaderboard.choices)
    return page(request, "matches.html", found=found, choices=choices, words=words)


async def show_match(request: Request) -> Response:
    """A match, with its replay."""
    name = request.path_params["match"]
    shelf = service_of(request).shelf
    match = await shelf.remembered(("match", name), lambda store: matches.match_of(store, name))
    return page(request, "match.html", match=match)


async def list_runs(request: Request) -> Response:
    """All runs, the latest first."""
    summaries = await service_of(request).shelf.remembered("runs", Store.runs)
    return page(request, "runs.html", summaries=summaries[::-1])


async def show_run(request: Request) -> Response:
    """A run as it stands."""
    run = await _run_now(service_of(request), request.path_params["run"])
    return page(request, "run.html", now=run)


async def follow_run(request: Request) -> Response:
    """News of a run: its standings whenever they changed."""
    service = service_of(request)
    now = await _run_now(service, request.path_params["run"])
    feed = service.watched(f"run {now.run.id}", partial(_keep_run, service, now.run.id))
    return service.stream(feed)


async def _run_now(service: Service, name: str) -> runs.RunNow:
    return await service.shelf.remembered(("run", name), lambda store: runs.run_now(store, name))


async def _keep_run(service: Service, run: str, feed: Feed) -> None:
    """Tell how the run stands now and then, as long as somebody watches."""
    before = None
    unwatched = 0
    while unwatched < 2 and not service.closing.is_set():
        now = await _run_now(service, run)
        if now is not before:
            feed.publish(render("_run_now.html", service.links, now=now))
            before = now
        with trio.move_on_after(LOOK_EVERY):
            await service.closing.wait()
        unwatched = 0 if feed.watchers else unwatched + 1


ROUTES: Final = [
    Route("/", show_leaderboard),
    Route("/bots", show_bots),
    Route("/bots/{name:path}", show_bot),
    Route("/matches", list_matches),
    Route("/matches/{match}", show_match),
    Route("/runs", list_runs),
    Route("/runs/{run}", show_run),
    Route("/runs/{run}/events", follow_run),
]
