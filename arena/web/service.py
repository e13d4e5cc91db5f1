"""What all pages of a server share: the store, the streams that are open, the end."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import trio
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

from arena.log import logger
from arena.referee.sandbox import Level
from arena.store.errors import StoreError
from arena.tournament.entry import Entry
from arena.web.feed import Feed, event_stream
from arena.web.guard import LOOPBACK
from arena.web.links import ServerLinks
from arena.web.shelf import Shelf

STREAMS: Final = 500
"""How many streams of events are open at a time."""


class Settings(Struct, frozen=True):
    """What a server is started with."""

    store: Path
    entries: tuple[Entry, ...] = ()
    """The bots that people can play against."""
    level: Level = Level.PROCESS
    """How those are isolated."""
    read_only: bool = False
    """Nobody plays, nothing is stored."""
    hosts: frozenset[str] = LOOPBACK
    """The names that the server answers to."""
    addresses: bool = False
    """It answers to any IP address too."""


class Service:
    """One server. Lives in a nursery that outlives every request."""

    def __init__(self, settings: Settings, nursery: trio.Nursery) -> None:
        self.settings = settings
        self.links = ServerLinks(play=not settings.read_only)
        self.shelf = Shelf(settings.store, nursery)
        self.closing = trio.Event()
        self._nursery = nursery
        self._feeds: dict[str, Feed] = {}
        self._streams = 0

    def close(self) -> None:
        """End what is open, so that the server can stop."""
        self.closing.set()
        for feed in self._feeds.values():
            feed.close()

    def watched(self, key: str, keep: Callable[[Feed], Awaitable[None]]) -> Feed:
        """The feed of a key; the first who asks has a task keep it, until nobody watches."""
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = Feed()
            self._nursery.start_soon(self._keep, key, feed, keep)
        return feed

    def stream(self, feed: Feed) -> StreamingResponse:
        """The answer that sends a feed.

        Raises:
            HTTPException: too many are open.
        """
        if self._streams >= STREAMS:
            raise HTTPException(503, f"{STREAMS} streams are open already")
        return event_stream(self._counted(feed))

    async def _counted(self, feed: Feed) -> AsyncIterator[str | None]:
        self._streams += 1
        try:
            async for text in feed.follow():
                yield text
        finally:
            self._streams -= 1

    async def _keep(self, key: str, feed: Feed, keep: Callable[[Feed], Awaitable[None]]) -> None:
        try:
            if not self.closing.is_set():
                await keep(feed)
        except StoreError:  # such as of a run that was deleted: what was said last stays
            pass
        except Exception as error:  # a defect of ours ends this stream, not the server
            logger().error("a stream failed", exc_info=error)
        finally:
            del self._feeds[key]
            feed.close()
