"""One bot as the referee talks to it: handshake, questions, farewell; lives across matches."""

import trio

from arena.referee.exchange import GRAIN, exchange
from arena.referee.faults import BotFault, Code, quoted
from arena.referee.process import FAULT_GRACE, QUIT_GRACE, Process, spawn
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.referee.wire import Broken, WireError
from protocol.codec import ProtocolError, decode_action, decode_ready, encode
from protocol.messages import VERSION, Action, Hello, Message, Quit, Ready, Start


class Bot:
    """A running program that said `ready`. After a fault it is ended and never used again."""

    def __init__(self, process: Process, ready: Ready) -> None:
        self.process = process
        self.ready = ready
        self.matches = 0
        """How many matches it was started for."""
        self.usable = True
        """False once it was faulted, or spoke or ended between matches."""

    def begin(self, start: Start) -> None:
        """Say that a match begins."""
        self.matches += 1
        self.process.warden.forgive()
        self.post(start)

    def post(self, message: Message) -> None:
        """Say something that needs no answer, without waiting for the bot."""
        self.process.wire.post(encode(message))

    async def ask(self, line: bytes | bytearray, limit: float) -> tuple[bytes, float]:
        """Put a question.

        Args:
            line: an `act` message, with its end.
            limit: seconds that the bot has; inf: no limit.

        Returns:
            The line that answers, and the seconds charged for it.

        Raises:
            BotFault: any code but `start` and `illegal`.
            HostFault: as `exchange` does.
        """
        try:
            answer, used = await exchange(self.process, line, limit)
        except WireError as error:
            raise await _fault(self.process, error) from None
        if used > limit + GRAIN:
            late = (used - limit) * 1000
            raise BotFault(Code.TIMEOUT, f"the answer came {late:.0f} ms after the limit")
        return answer, used

    async def understand(self, line: bytes, question: int) -> Action:
        """The answer to a question.

        Raises:
            BotFault: `protocol`, or `crash` where the line was cut off by the bot's end.
        """
        try:
            action = decode_action(line)
        except ProtocolError as error:
            if self.process.wire.mute:
                raise await _fault(self.process, WireError(Broken.CLOSED, line)) from None
            raise BotFault(Code.PROTOCOL, f"{error}, in {quoted(line)}") from None
        if action.id != question:
            raise BotFault(Code.PROTOCOL, f"the answer has id {action.id}, asked was {question}")
        return action

    def note(self, text: str) -> None:
        """Write into its log."""
        self.process.log.note(text)

    def check_silence(self) -> None:
        """Look between matches whether the bot spoke or ended unasked; if so it is retired."""
        try:
            speech = self.process.wire.overheard()
        except WireError:
            self._retire(f"the program {self.process.ending()} between matches")
        else:
            if speech:
                self._retire(f"spoke after the match: {quoted(speech)}")

    async def dismiss(self) -> None:
        """Say `quit`, wait a second at most, and end whatever is left."""
        self.usable = False
        self.post(Quit())
        await self.process.end(QUIT_GRACE)

    async def expel(self) -> None:
        """End a faulted bot; it was told why and has a moment to read it."""
        self.usable = False
        await self.process.end(FAULT_GRACE)

    def _retire(self, reason: str) -> None:
        self.usable = False
        self.note(reason)


async def launch(
    program: Program, level: Level, game: str, referee: str, start_s: float, nursery: trio.Nursery
) -> Bot:
    """Start a program and shake hands.

    Args:
        program: what to execute.
        level: how it is isolated.
        game: the name of the game it is needed for.
        referee: what `hello` says of the referee.
        start_s: the start-up limit in seconds.
        nursery: tends the process as long as it lives.

    Raises:
        BotFault: `start`; nothing of it is left running.
        CannotStart, HostFault: as `spawn` does.
    """
    process = spawn(program, level)
    nursery.start_soon(process.tend)
    return await greet(process, game, referee, start_s)


async def greet(process: Process, game: str, referee: str, start_s: float) -> Bot:
    """Shake hands with a process that was started; as `launch`, which does both."""
    try:
        return Bot(process, await _shake_hands(process, game, referee, start_s))
    except BaseException:
        process.kill()
        raise


async def _shake_hands(process: Process, game: str, referee: str, start_s: float) -> Ready:
    hello = encode(Hello(VERSION, referee))
    try:
        line, _ = await exchange(process, hello, start_s)
    except WireError as error:
        fault = await _fault(process, error)
        reason = f"no ready within {start_s:g} s" if error.why is Broken.TIMEOUT else fault.message
        raise BotFault(Code.START, reason) from None
    try:
        ready = decode_ready(line)
    except ProtocolError as error:
        raise BotFault(Code.START, f"expected ready: {error}, in {quoted(line)}") from None
    if ready.protocol != VERSION:
        raise BotFault(Code.START, f"speaks protocol {ready.protocol}, needed is {VERSION}")
    if ready.games is not None and game not in ready.games:
        raise BotFault(Code.START, f"does not play {game}, only {', '.join(ready.games)}")
    return ready


async def _fault(process: Process, error: WireError) -> BotFault:
    """What a broken exchange is called in the catalogue of faults."""
    match error.why:
        case Broken.TIMEOUT:
            partial = f"; a partial line had come: {quoted(error.rest)}" if error.rest else ""
            return BotFault(Code.TIMEOUT, f"no complete line in time{partial}")
        case Broken.OVERLONG:
            return BotFault(Code.OVERLONG, f"a line of over 65536 bytes: {quoted(error.rest)}")
        case Broken.SPEECH:
            return BotFault(Code.PROTOCOL, f"spoke when not asked: {quoted(error.rest)}")
        case Broken.CLOSED:
            if await process.leaves():  # so that the message can say how it ended
                process.kill()
                await process.hear_out(0.1)
            if process.over_memory:
                return BotFault(Code.MEMORY, process.over_memory)
            last = process.log.last_line()
            words = f"; its last words: {last}" if last else ""
            partial = f"; a partial line had come: {quoted(error.rest)}" if error.rest else ""
            return BotFault(Code.CRASH, f"the program {process.ending()}{partial}{words}")
