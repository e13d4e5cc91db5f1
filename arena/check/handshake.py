"""The first rule: without a handshake there is no other."""

from typing import Final

import trio

from arena import REFEREE
from arena.check.report import Result
from arena.check.talk import Lab, last_words
from arena.referee.exchange import exchange
from arena.referee.faults import quoted
from arena.referee.process import Process, spawn
from arena.referee.wire import Broken, WireError
from protocol.codec import ProtocolError, decode_ready, encode
from protocol.messages import VERSION, Hello, Ready

NAME: Final = "handshake"
TITLE: Final = "It answers hello with ready"

_LEAVING_S: Final = 10
"""How long a bot may take to end so that it can be told how it did."""
_READY: Final = '{"type":"ready","protocol":1,"name":"…"}'


class NoHandshake(Exception):  # noqa: N818  # reads as what is missing
    """No valid `ready`; says why, and what to mend."""

    def __init__(self, why: str, mend: str, received: bytes = b"") -> None:
        super().__init__(why)
        self.mend = mend
        self.received = received


async def handshake(lab: Lab) -> tuple[Result, Ready | None]:
    """How the handshake goes, and what the bot says of itself.

    Raises:
        CannotStart, HostFault: it cannot be started here.
    """
    hello = encode(Hello(VERSION, REFEREE))
    process = spawn(lab.program, lab.level)
    process.warden.release()  # it may compute for long before it reads, or after its time
    lab.nursery.start_soon(process.tend)
    began = trio.current_time()
    try:
        ready = await _shake_hands(process, hello, lab.start_s)
    except NoHandshake as no:
        received = quoted(no.received) if no.received else "nothing"
        sent = quoted(hello.rstrip())
        return Result(NAME, TITLE, "failed", str(no), sent, received, no.mend), None
    finally:
        process.kill()
    seconds = trio.current_time() - began
    games = "any game" if ready.games is None else ", ".join(ready.games)
    return Result(NAME, TITLE, "ok", f"after {seconds * 1000:.0f} ms; it plays {games}"), ready


async def _shake_hands(process: Process, hello: bytes, start_s: float) -> Ready:
    try:
        line, _ = await exchange(process, hello, start_s)
    except WireError as error:
        raise await _explained(process, error, start_s) from None
    try:
        ready = decode_ready(line)
    except ProtocolError as error:
        mend = f"The first line on stdout is {_READY}; banners and debugging go to stderr."
        raise NoHandshake(f"its first line is no ready: {error}", mend, line) from None
    if ready.protocol != VERSION:
        why = f"it speaks protocol {ready.protocol}, needed is {VERSION}"
        raise NoHandshake(why, f'Say "protocol":{VERSION}.', line)
    return ready


async def _explained(process: Process, error: WireError, start_s: float) -> NoHandshake:
    """Why no line came."""
    match error.why:
        case Broken.TIMEOUT:
            return await _late(process, error.rest, start_s)
        case Broken.CLOSED:
            if await process.wait(_LEAVING_S):
                process.kill()
                await process.hear_out(1)
            last = process.log.last_line()
            why = f"the program {process.ending()}" + (f"; its last words: {last}" if last else "")
            mend = "Start it by hand with its command and see what it says."
        case Broken.SPEECH:
            why = "it spoke before it was asked"
            mend = f"Wait for hello, then say {_READY}."
        case Broken.OVERLONG:
            why = "its first line is over 65,536 bytes"
            mend = f"The first line on stdout is {_READY}."
    return NoHandshake(why, mend, error.rest)


async def _late(process: Process, partial: bytes, start_s: float) -> NoHandshake:
    """Tell a bot that is mute from one whose answer lies in a buffer, by ending its input."""
    late = partial
    if not partial:
        process.wire.hang_up()
        await process.wait(max(start_s, _LEAVING_S))  # it may still be about to start
        late = last_words(process)
    if late and b"\n" not in late:
        return NoHandshake("its first line has no end", "End each line with \\n.", late)
    if late:
        why = "its ready came only when its input had ended"
        mend = (
            "Flush stdout after each line, and read line by line, not until the input ends; if it "
            "only starts slowly, give it more with --start-time."
        )
        return NoHandshake(why, mend, late)
    mend = f"Read a line from stdin; when its type is hello, write {_READY} and flush."
    return NoHandshake(f"no ready within {start_s:g} s", mend)
