"""The server: binds, tells where it is, and stops within a moment."""

import logging
import socket
from collections.abc import Callable
from typing import Final

import trio
from hypercorn.config import Config
from hypercorn.trio import serve as serve_app

from arena.web import browse
from arena.web.app import create
from arena.web.play.lobby import Lobby
from arena.web.service import Service, Settings

GRACE: Final = 1.0
"""Seconds that requests have to end when the server stops."""
CONNECTIONS: Final = 1000
"""Waiting to be accepted."""


class CannotServe(Exception):  # noqa: N818  # reads as what is wrong
    """The server cannot begin; one sentence."""


def bind(host: str, port: int) -> socket.socket:
    """A socket to serve on.

    Raises:
        CannotServe: there is no such address here, or somebody else has it.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise CannotServe(
            f"{host} port {port} cannot be served on: {error.strerror or error}; "
            "give another --port, or end what has it"
        ) from None


def own_names() -> set[str]:
    """What others in its network call this machine."""
    name = socket.gethostname()
    return {name, f"{name}.local"}


async def serve(
    settings: Settings,
    on: socket.socket,
    *,
    until: trio.Event,
    started: Callable[[], None] = lambda: None,
) -> None:
    """Serve pages.

    Args:
        settings: what of.
        on: where; it is closed at the end.
        until: when it is set, streams end, then the server.
        started: called when requests are answered.
    """
    async with trio.open_nursery() as nursery:
        service = Service(settings, nursery)
        nursery.start_soon(_close_when, until, service)
        nursery.start_soon(_warm, service)
        async with trio.open_nursery() as serving:
            lobby = None if settings.read_only else Lobby(service, nursery)
            await serving.start(_run, service, lobby, on)
            started()
        nursery.cancel_scope.cancel()
    service.shelf.close()


async def _run(
    service: Service,
    lobby: Lobby | None,
    on: socket.socket,
    *,
    task_status: trio.TaskStatus[list[str]],
) -> None:
    config = Config()
    config.bind = [f"fd://{on.detach()}"]
    config.graceful_timeout = GRACE
    config.backlog = CONNECTIONS
    config.errorlog = logging.getLogger("arena.web")
    config.include_server_header = False
    await serve_app(
        create(service, lobby),  # type: ignore[arg-type]  # the same protocol in other words
        config,
        shutdown_trigger=service.closing.wait,
        task_status=task_status,
    )


async def _close_when(until: trio.Event, service: Service) -> None:
    await until.wait()
    service.close()


async def _warm(service: Service) -> None:
    """Have the first visitor wait for nothing."""
    await browse.boards_now(service.shelf)
