"""Bytes to structs and back, one line each way, under the line limit.

Decoding is strict about bytes (UTF-8, no byte-order mark, no lone surrogates) and about the
types of the fields it knows, and lenient about fields it does not know. Of a key that stands
twice the last one counts, except that `type` may not have two values.
"""

import re
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from protocol.messages import Action, FromBot, Message, Ready

LINE_LIMIT: Final = 65536
"""The longest line in bytes, without its end, in both directions."""

_encoder = msgspec.json.Encoder()
_answers = msgspec.json.Decoder(FromBot)
_TYPES: Final = {kind.__struct_config__.tag for kind in (Ready, Action)}
_BOM: Final = b"\xef\xbb\xbf"
_ESCAPE: Final = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_OTHER_TYPE: Final = re.compile(r"Invalid value '(.*)' - at `\$\.type`", re.DOTALL)
_SHOWN: Final = 40
"""How many characters of a text of the bot's are repeated in an error."""

AnswerT = TypeVar("AnswerT", Ready, Action)


class ProtocolError(ValueError):
    """A line that is not a valid message; says what is wrong with it, and where."""


def encode(message: Message) -> bytes:
    """One line, its end included."""
    return _encoder.encode(message) + b"\n"


def encode_into(message: Message, buffer: bytearray) -> None:
    """Write one line, its end included, over the buffer: no allocation on the hot path."""
    _encoder.encode_into(message, buffer)
    buffer += b"\n"


def decode_action(line: bytes | bytearray) -> Action:
    r"""The answer to `act`.

    Args:
        line: one line without its `\n`; a `\r` at its end is accepted.

    Raises:
        ProtocolError: the line is something else.
    """
    return _decode(line, Action)


def decode_ready(line: bytes | bytearray) -> Ready:
    """The answer to `hello`.

    Raises:
        ProtocolError: the line is something else.
    """
    return _decode(line, Ready)


def _decode(line: bytes | bytearray, wanted: type[AnswerT]) -> AnswerT:
    try:
        message = _answers.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _check_bytes(line)
        raise ProtocolError(_sentence(error, wanted)) from None
    if not isinstance(message, wanted):
        raise ProtocolError(_other_type(wanted, str(message.__struct_config__.tag)))
    if not line.isascii() or b"\\u" in line:
        _check_bytes(line)
        _check_text(message)
    return message


def _check_text(message: Struct) -> None:
    """Raise ProtocolError where a text that would be kept holds a NUL."""
    for field, value in msgspec.structs.asdict(message).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and "\0" in text:
                raise ProtocolError(f"a NUL in `$.{field}`")


def _check_bytes(line: bytes | bytearray) -> None:
    """Raise ProtocolError with the byte offset where the line is not clean UTF-8 text."""
    if not line.strip():
        raise ProtocolError("a blank line")
    if line.startswith(_BOM):
        raise ProtocolError("a byte-order mark at byte 0")
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise ProtocolError(f"not UTF-8 at byte {error.start}") from None
    if (nul := line.find(b"\0")) >= 0:
        raise ProtocolError(f"a NUL at byte {nul}")
    if (lone := _lone_surrogate(line)) is not None:
        raise ProtocolError(f"a lone surrogate at byte {lone}")


def _lone_surrogate(line: bytes | bytearray) -> int | None:
    """The offset of an escape of half a character: a high surrogate needs a low one behind it."""
    high: re.Match[bytes] | None = None
    for escape in _ESCAPE.finditer(line):
        unit = int(escape[1], 16) if escape[1] else 0
        if 0xDC00 <= unit < 0xE000:
            if high is None or high.end() != escape.start():
                return escape.start()
            high = None
        elif high is not None:
            return high.start()
        elif 0xD800 <= unit < 0xDC00:
            high = escape
    return None if high is None else high.start()


def _sentence(error: Exception, wanted: type[Message]) -> str:
    text = str(error)
    if isinstance(error, RecursionError):
        return "the line is nested too deep"
    if not isinstance(error, msgspec.ValidationError):
        return f"not JSON: {text.removeprefix('JSON is malformed: ')}"
    if other := _OTHER_TYPE.fullmatch(text):
        return "two values of `type`" if other[1] in _TYPES else _other_type(wanted, other[1])
    if text.startswith("Expected `object`"):
        return f"expected a JSON object of type {wanted.__struct_config__.tag}: {text}"
    return text


def _other_type(wanted: type[Message], got: str) -> str:
    return f"expected a message of type {wanted.__struct_config__.tag}, got {got[:_SHOWN]!r}"
