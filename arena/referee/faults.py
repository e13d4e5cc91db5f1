"""What ends a bot's part in a match, and what voids the match."""

from enum import StrEnum
from typing import Final

MESSAGE_LENGTH: Final = 400
"""How many characters of a fault's message are kept."""


class Code(StrEnum):
    """The fault codes of the protocol."""

    START = "start"
    """The program runs but gives no valid `ready` in time."""
    TIMEOUT = "timeout"
    """No complete line within the turn's limit, or the bank ran out."""
    CRASH = "crash"
    """Stdout was closed or the process ended while an answer was due."""
    PROTOCOL = "protocol"
    """A line that is not a valid message, another id than asked, or speech when not asked."""
    OVERLONG = "overlong"
    """A line over the limit."""
    ILLEGAL = "illegal"
    """An action that is not legal."""
    MEMORY = "memory"
    """Ended for going over its memory limit."""


class BotFault(Exception):  # noqa: N818  # "fault" is the protocol's word
    """A bot broke the rules: its seat is out, the match goes on by the rules."""

    def __init__(self, code: Code, message: str) -> None:
        self.code = code
        self.message = printable(message)[:MESSAGE_LENGTH]
        super().__init__(self.message)


class HostFault(Exception):  # noqa: N818  # the counterpart of a bot's fault
    """The host failed, not a bot: the match is void and its slot is played again."""


class CannotStart(Exception):  # noqa: N818  # reads as what happened
    """A program cannot be executed at all; one sentence names it and the mend."""


def printable(text: str) -> str:
    """Text of unknown origin as printable ASCII: everything else is shown escaped."""
    return "".join(
        char if " " <= char <= "~" else char.encode("unicode_escape").decode() for char in text
    )


def quoted(line: bytes | bytearray, limit: int = 80) -> str:
    """A line of unknown bytes for a message: escaped, cut, in quotes."""
    text = printable(bytes(line[: limit + 1]).decode(errors="backslashreplace"))
    return f"'{text[:limit]}…'" if len(text) > limit else f"'{text}'"
