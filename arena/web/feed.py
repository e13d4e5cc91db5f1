"""The newest of something, for all who watch it, and how a browser is sent it."""

from collections.abc import AsyncIterator
from typing import Final

import trio
from starlette.responses import StreamingResponse

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a stream says that it is still there."""


class Feed:
    """A text that changes. Who is slow misses what lies between, and always gets the newest."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._number = 0
        self._news = trio.Event()
        self.closed = False
        self.watchers = 0

    def publish(self, text: str) -> None:
        """Let all watchers have this."""
        if text != self._text:
            self._text = text
            self._number += 1
            self._wake()

    def close(self) -> None:
        """Nothing more will come."""
        self.closed = True
        self._wake()

    async def follow(self) -> AsyncIterator[str | None]:
        """What there is, then each change; None when there was none for a while."""
        seen = 0
        self.watchers += 1
        try:
            while True:
                news = self._news
                if seen < self._number and self._text is not None:
                    seen = self._number
                    yield self._text
                elif self.closed:
                    return
                else:
                    with trio.move_on_after(HEARTBEAT):
                        await news.wait()
                    if not news.is_set():
                        yield None
        finally:
            self.watchers -= 1

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()


def event_stream(texts: AsyncIterator[str | None]) -> StreamingResponse:
    """The answer that sends each text as an event; None keeps the connection alive."""

    async def events() -> AsyncIterator[str]:
        async for text in texts:
            yield ":\n\n" if text is None else _event(text)

    return StreamingResponse(
        events(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


def _event(text: str) -> str:
    """A server-sent event: lines of data, then an empty line."""
    return "".join(f"data: {line}\n" for line in text.splitlines() or [""]) + "\n"
