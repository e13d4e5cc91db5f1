"""What every request and answer has to pass: hosts, origins, sizes, and the headers of answers.

A page from elsewhere can make a browser send requests here, and a name that somebody else controls
can be pointed at this machine. So only names that are known are answered, and only a page of this
server may change anything. Answers allow no code, style or picture but this server's own.
"""

from collections.abc import Collection
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT: Final = 16 * 1024
"""Bytes of a request's body."""
SAFE: Final = {"GET", "HEAD", "OPTIONS"}
"""Methods that change nothing."""
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})

CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """An ASGI application in front of another."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], *, addresses: bool) -> None:
        """Guard an application.

        Args:
            app: what is guarded. It answers its own failures.
            hosts: the names that this server answers to, without ports.
            addresses: it answers to any IP address too; nobody can point one elsewhere.
        """
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        answer = self._app if refusal is None else refusal
        with suppress(Exception):  # Starlette raises again what it has answered and logged
            await answer(scope, _limited(receive), _with_headers(send))

    def _refusal(self, method: str, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if not self._knows(_name(host)):
            return _refused(421, f"this server does not answer to the name {host[:80]!r}")
        if method in SAFE:
            return None
        origin = headers.get("origin")
        if origin not in (f"http://{host}", f"https://{host}"):
            return _refused(403, "only a page of this server may do that")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY_LIMIT:
            return _refused(413, f"a request has at most {BODY_LIMIT} bytes")
        return None

    def _knows(self, name: str) -> bool:
        return name in self._hosts or (self._addresses and _is_address(name))


class TooLarge(Exception):  # noqa: N818  # named for the answer that it becomes
    """A body went on over the limit."""


def _name(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name.strip("[]")))
    except ValueError:
        return False


def _refused(status: int, sentence: str) -> PlainTextResponse:
    return PlainTextResponse(sentence + "\n", status)


def _limited(receive: Receive) -> Receive:
    """The same, for bodies up to the limit, also those that do not tell their length."""
    taken = 0

    async def receive_some() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > BODY_LIMIT:
            raise TooLarge
        return message

    return receive_some


def _with_headers(send: Send) -> Send:
    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_guarded
