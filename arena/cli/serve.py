"""`arena serve`: the arena in a browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options as o

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

    from arena.tournament.entry import Entry
    from arena.web.service import Settings

WEB = ("hypercorn", "jinja2", "starlette")
"""The packages of the extra `web`."""

Bots = Annotated[
    list[str] | None,
    typer.Argument(metavar="[BOT…]", help="Bots to play against, beside the registered ones."),
]
Host = Annotated[str, typer.Option("--host", help="The address to serve on; 0.0.0.0: all.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")]
Names = Annotated[
    list[str] | None,
    typer.Option("--name", metavar="HOST", help="Another name that the server answers to."),
]
ReadOnly = Annotated[bool, typer.Option("--read-only", help="Nobody can play, nothing is stored.")]


def need_web() -> None:
    """See that the packages for the pages are there.

    Raises:
        CannotStart: they are not.
    """
    from importlib.util import find_spec

    from arena.referee.faults import CannotStart

    if any(find_spec(package) is None for package in WEB):
        raise CannotStart(
            "the pages need more packages; pip install 'savanna-arena[web]' brings them"
        )


def serve(
    bots: Bots = None,
    store: o.StoreFile = Path("arena.db"),
    host: Host = "127.0.0.1",
    port: Port = 8010,
    name: Names = None,
    read_only: ReadOnly = False,
    isolation: o.Isolation = None,
    trust: o.Trust = False,
) -> None:
    """Serve leaderboards, matches, replays, and play against bots, in the browser."""
    import trio

    need_web()
    from arena.cli.building import build_all
    from arena.store.db import Store
    from arena.web.guard import LOOPBACK
    from arena.web.server import bind, own_names
    from arena.web.service import Settings

    Store.open(store, read_only=read_only).close()
    local = host in {"127.0.0.1", "localhost", "::1"}
    level = o.level_from(isolation)
    settings = Settings(
        store=store,
        entries=() if read_only else build_all(_entries(bots or []), level, trust),
        level=level,
        read_only=read_only,
        hosts=LOOPBACK.union(name or [], () if local else own_names()),
        addresses=not local,
    )
    on = bind(host, port)
    words = f"serving {store} at {_address(host, on)} — Ctrl-C ends it"
    trio.run(_serve_until_told, settings, on, lambda: typer.echo(words, err=True))


def _address(host: str, on: "socket") -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{on.getsockname()[1]}/"


def _entries(bots: list[str]) -> "tuple[Entry, ...]":
    """The registered bots that can be used, and those that were named."""
    from arena.tournament.entry import distinct, resolve, usable

    entries, flaws = usable()
    for flaw in flaws:
        typer.echo(flaw, err=True)
    return tuple(distinct([*entries, *map(resolve, bots)]))


async def _serve_until_told(settings: "Settings", on: "socket", tell: "Callable[[], None]") -> None:
    """Serve until Ctrl-C or SIGTERM."""
    import signal

    import trio

    from arena.web.server import serve as serve_pages

    until = trio.Event()
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def listen() -> None:
                async for _ in signals:
                    until.set()

            nursery.start_soon(listen)
            await serve_pages(settings, on, until=until, started=tell)
            nursery.cancel_scope.cancel()
