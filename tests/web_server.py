"""A server of pages for tests: in this process for requests, as a program for browsers."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import trio
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.referee.sandbox import Level
from arena.store.db import Store
from arena.store.model import Slot
from arena.tournament.entry import Entry, resolve
from arena.web.app import create
from arena.web.guard import LOOPBACK
from arena.web.play.lobby import Lobby
from arena.web.server import GRACE
from arena.web.service import Service, Settings
from tests.arena_cli import PATIENCE
from tests.stored import entrants, finished, run

HERE = "http://127.0.0.1:8010"
PLAYED = run("a1b2c3d4e5f6", clocks=Clocks())
BOTS = ("ann", "bob", "<i>cy</i>")
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Origin": HERE}


def fill(path: Path, deals: int = 4) -> None:
    """A store in which ann beats bob beats cy; cy is faulted now and then."""
    with Store.open(path) as store:
        store.add_run(PLAYED)
        store.add_entrants(PLAYED.id, entrants(*BOTS))
        for pair in (("ann", "bob"), ("<i>cy</i>", "ann"), ("<i>cy</i>", "bob")):
            better = pair.index(min(pair, key=BOTS.index))
            store.add(
                PLAYED.id,
                [
                    finished(
                        PLAYED,
                        Slot(deal, pair, rotation),
                        (1, 2) if rotation == better else (2, 1),
                        faults=[(0, "crash")] if pair[rotation] == BOTS[2] and not deal else (),
                        logs={0: "out of <b>ideas</b>"} if not deal else {},
                    )
                    for deal in range(deals)
                    for rotation in (0, 1)
                ],
            )


class Site:
    """A client of an application in this process."""

    def __init__(self, client: httpx.AsyncClient, service: Service, lobby: Lobby | None) -> None:
        self.client = client
        self.service = service
        self.lobby = lobby

    async def get(self, path: str, **headers: str) -> httpx.Response:
        """Ask for a page."""
        return await self._send("GET", path, headers)

    async def post(self, path: str, words: Mapping[str, str], **headers: str) -> httpx.Response:
        """Send a form, as a page of this server does; `Origin=''` leaves the header out."""
        sent = {k: v for k, v in (FORM | headers).items() if v}
        return await self._send("POST", path, sent, dict(words))

    async def _send(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        words: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        self.client.cookies.clear()  # each guest keeps its own
        return await self.client.request(method, path, data=words, headers=headers)

    async def text(self, path: str) -> str:
        """A page's words, without its markup."""
        answer = await self.get(path)
        assert answer.status_code == 200, answer.text
        return words_of(answer.text)


def words_of(html: str) -> str:
    """The words of a page, without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


@asynccontextmanager
async def serving(store: Path, **settings: Any) -> AsyncIterator[Site]:
    """An application and a client of it."""
    async with trio.open_nursery() as nursery:
        given = Settings(store, entries=bots(), level=Level.NONE, hosts=LOOPBACK)
        service = Service(replace(given, **settings), nursery)
        lobby = None if service.settings.read_only else Lobby(service, nursery)
        transport = httpx.ASGITransport(create(service, lobby))
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            yield Site(client, service, lobby)
        service.close()
        nursery.cancel_scope.cancel()
    service.shelf.close()


def bots() -> tuple[Entry, ...]:
    """The bots of the arena itself."""
    return tuple(map(resolve, ("greedy", "random")))


SERVE = """
import sys
from functools import partial
from arena.cli import main
from arena.web import server
from arena.web.play import invite
invite.Clocks = partial(invite.Clocks, turn_ms=60_000, first_ms=60_000, start_ms=60_000)
server.GRACE = float(sys.argv.pop(1))
main()
"""


@contextmanager
def program(
    store: Path, *words: str, grace: float = GRACE
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """`arena serve` on a free port, where bots have all the time; gives address and process.

    Args:
        store: what it serves.
        words: other words of the command.
        grace: how many seconds its connections have to end at its end.
    """
    process = subprocess.Popen(
        [
            *(sys.executable, "-P", "-c", SERVE, str(grace)),
            *("serve", "--store", str(store), "--port", "0", *words),
        ],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    try:
        told = ""
        while not (address := re.search(r"http://\S+?(?=/ )", told)):
            line = process.stderr.readline()
            assert line, told
            told += line
        yield address[0], process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        process.stderr.close()
