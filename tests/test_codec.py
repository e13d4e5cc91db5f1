"""Lines to messages: what is accepted, and what each refusal says."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import (
    LINE_LIMIT,
    ProtocolError,
    decode_action,
    decode_ready,
    encode,
    encode_into,
)
from protocol.messages import Action, Hello, Message, Quit, Ready

PLAIN = b'{"type":"action","id":5,"actions":["zebra@D1"]}'


def action_with(member: bytes) -> bytes:
    """A valid answer with one more member."""
    return PLAIN[:-1] + b"," + member + b"}"


ACCEPTED = {
    "plain": (PLAIN, Action(5, ["zebra@D1"])),
    "CRLF": (PLAIN + b"\r", Action(5, ["zebra@D1"])),
    "spaces around it": (b"  " + PLAIN + b"\t", Action(5, ["zebra@D1"])),
    "keys in another order": (
        b'{"actions":["a","b"],"id":5,"type":"action"}',
        Action(5, ["a", "b"]),
    ),
    "an escaped key": (b'{"\\u0074ype":"action","id":5,"actions":["a"]}', Action(5, ["a"])),
    "unknown fields": (action_with(b'"mood":{"calm":[1,null]}'), Action(5, ["zebra@D1"])),
    "1e400 in an unknown field": (action_with(b'"x":1e400'), Action(5, ["zebra@D1"])),
    "5000 digits in an unknown field": (
        action_with(b'"x":' + b"9" * 5000),
        Action(5, ["zebra@D1"]),
    ),
    "a NUL in an unknown field": (action_with(b'"x":"\\u0000"'), Action(5, ["zebra@D1"])),
    "duplicate key: the last counts": (action_with(b'"id":6'), Action(6, ["zebra@D1"])),
    "an id that no question has": (action_with(b'"id":%d' % 2**70), Action(2**70, ["zebra@D1"])),
    "a value outside 0…1": (action_with(b'"value":-3'), Action(5, ["zebra@D1"], value=-3.0)),
    "null for what may be absent": (
        action_with(b'"note":null,"value":null'),
        Action(5, ["zebra@D1"]),
    ),
    "raw UTF-8": (action_with('"note":"né"'.encode()), Action(5, ["zebra@D1"], "né")),
    "an escaped pair": (
        action_with(b'"note":"\\ud83e\\udd81"'),
        Action(5, ["zebra@D1"], "\N{LION FACE}"),
    ),
    "an escaped backslash before ud800": (
        action_with(b'"note":"\\\\ud800"'),
        Action(5, ["zebra@D1"], "\\ud800"),
    ),
    "a byte-order mark inside a text": (
        action_with(b'"note":"\xef\xbb\xbf"'),
        Action(5, ["zebra@D1"], "\ufeff"),
    ),
}


@pytest.mark.parametrize(("line", "action"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_an_answer_is_accepted(line: bytes, action: Action) -> None:
    assert decode_action(line) == action
    assert decode_action(bytearray(line)) == action


REFUSED = {
    # bytes: the offset is said
    "byte-order mark": (b"\xef\xbb\xbf" + PLAIN, "a byte-order mark at byte 0"),
    "NUL": (PLAIN.replace(b"zebra", b"ze\0ra"), "a NUL at byte 38"),
    "NUL behind the object": (PLAIN + b"\0", "a NUL at byte 47"),
    "NUL in an unknown field": (action_with(b'"x":"\0"'), "a NUL at byte 52"),
    "bad UTF-8": (PLAIN.replace(b"zebra", b"z\xc3bra"), "not UTF-8 at byte 37"),
    "overlong UTF-8": (PLAIN.replace(b"zebra", b"\xc0\xafbra"), "not UTF-8 at byte 36"),
    "bad UTF-8 in an unknown field": (action_with(b'"x":"\xff"'), "not UTF-8 at byte 52"),
    "raw lone surrogate": (PLAIN.replace(b"zebra", b"z\xed\xa0\x80"), "not UTF-8 at byte 37"),
    "escaped high surrogate": (
        PLAIN.replace(b"zebra", b"z\\ud83ebra"),
        "a lone surrogate at byte 37",
    ),
    "escaped low surrogate": (PLAIN.replace(b"zebra", b"z\\udd81"), "a lone surrogate at byte 37"),
    "high before a pair": (
        PLAIN.replace(b"zebra", b"\\ud83e\\ud83e\\udd81"),
        "a lone surrogate at byte 36",
    ),
    "high before another escape": (
        PLAIN.replace(b"zebra", b"\\ud83e\\n\\udd81"),
        "a lone surrogate at byte 36",
    ),
    "lone surrogate in a key": (action_with(b'"\\ud800":1'), "a lone surrogate at byte 48"),
    # not one JSON object
    "empty": (b"", "a blank line"),
    "spaces": (b"  \t", "a blank line"),
    "only a carriage return": (b"\r", "a blank line"),
    "two objects": (PLAIN + PLAIN, "not JSON: trailing characters (byte 48)"),
    "text": (b"hello", "not JSON: invalid character (byte 0)"),
    "terminal escape": (b"\x1b[2J", "not JSON: invalid character (byte 0)"),
    "raw control character": (
        PLAIN.replace(b"zebra", b"ze\x01ra"),
        "not JSON: invalid character (byte 38)",
    ),
    "half an object": (PLAIN[:-1], "not JSON: Input data was truncated"),
    "NaN": (action_with(b'"value":NaN'), "not JSON: invalid character (byte 55)"),
    "Infinity": (action_with(b'"value":Infinity'), "not JSON: invalid character (byte 55)"),
    "NaN in an unknown field": (action_with(b'"x":NaN'), "not JSON: invalid character (byte 51)"),
    "100,000 arrays deep": (
        b"[" * 100_000,
        "expected a JSON object of type action: Expected `object`, got `array`",
    ),
    "100,000 arrays deep in a field": (
        action_with(b'"x":' + b"[" * 100_000),
        "the line is nested too deep",
    ),
    "100,000 objects deep": (b'{"a":' * 100_000, "the line is nested too deep"),
    "array": (b"[]", "expected a JSON object of type action: Expected `object`, got `array`"),
    "null": (b"null", "expected a JSON object of type action: Expected `object`, got `null`"),
    "number": (b"5", "expected a JSON object of type action: Expected `object`, got `int`"),
    "string": (b'"a"', "expected a JSON object of type action: Expected `object`, got `str`"),
    # another message
    "no type": (b'{"id":5,"actions":["a"]}', "Object missing required field `type`"),
    "unknown type": (b'{"type":"nope"}', "expected a message of type action, got 'nope'"),
    "the type of another answer": (
        b'{"type":"ready","protocol":1}',
        "expected a message of type action, got 'ready'",
    ),
    "a type for terminals": (
        b'{"type":"\\u001b[2J\\n"}',
        r"expected a message of type action, got '\x1b[2J\n'",
    ),
    "a long type": (
        b'{"type":"' + b"x" * 60_000 + b'"}',
        f"expected a message of type action, got '{'x' * 40}'",
    ),
    "a number for a type": (b'{"type":5}', "Expected `str` - at `$.type`"),
    "two types": (b'{"type":"ready","type":"action"}', "two values of `type`"),
    # wrong fields
    "no actions": (b'{"type":"action","id":5}', "Object missing required field `actions`"),
    "no id": (b'{"type":"action","actions":["a"]}', "Object missing required field `id`"),
    "empty actions": (
        action_with(b'"actions":[]'),
        "Expected `array` of length >= 1 - at `$.actions`",
    ),
    "null actions": (
        action_with(b'"actions":null'),
        "Expected `array`, got `null` - at `$.actions`",
    ),
    "a string of actions": (
        action_with(b'"actions":"zebra@D1"'),
        "Expected `array`, got `str` - at `$.actions`",
    ),
    "a number for an action": (
        action_with(b'"actions":["a",1]'),
        "Expected `str`, got `int` - at `$.actions[1]`",
    ),
    "a string for an id": (action_with(b'"id":"5"'), "Expected `int`, got `str` - at `$.id`"),
    "a fraction for an id": (action_with(b'"id":5.0'), "Expected `int`, got `float` - at `$.id`"),
    "1e400 for an id": (action_with(b'"id":1e400'), "Number out of range - at `$.id`"),
    "5000 digits for an id": (
        action_with(b'"id":' + b"9" * 5000),
        "Integer value out of range - at `$.id`",
    ),
    "1e400 for a value": (action_with(b'"value":1e400'), "Number out of range - at `$.value`"),
    "5000 digits for a value": (
        action_with(b'"value":' + b"9" * 5000),
        "Number out of range - at `$.value`",
    ),
    "a number for a note": (
        action_with(b'"note":5'),
        "Expected `str | null`, got `int` - at `$.note`",
    ),
    "an escaped NUL in an action": (
        PLAIN.replace(b"zebra", b"ze\\u0000ra"),
        "a NUL in `$.actions`",
    ),
    "an escaped NUL in a note": (action_with(b'"note":"\\u0000"'), "a NUL in `$.note`"),
}


@pytest.mark.parametrize(("line", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refusal_says_what_is_wrong(line: bytes, sentence: str) -> None:
    with pytest.raises(ProtocolError) as raised:
        decode_action(line)
    assert str(raised.value) == sentence


READY = {
    "as short as can be": (b'{"type":"ready","protocol":1}', Ready(1)),
    "another version": (b'{"type":"ready","protocol":2}', Ready(2)),
    "every field": (
        b'{"type":"ready","protocol":1,"name":"greedy","version":"1.2","author":"A. N.",'
        b'"games":["herd"],"legal":false}',
        Ready(1, "greedy", "1.2", "A. N.", ["herd"], False),
    ),
}


@pytest.mark.parametrize(("line", "ready"), READY.values(), ids=READY.keys())
def test_a_ready_is_accepted(line: bytes, ready: Ready) -> None:
    assert decode_ready(line) == ready


NOT_READY = {
    "a banner": (b"Greedy 1.2", "not JSON: invalid character (byte 0)"),
    "an answer": (PLAIN, "expected a message of type ready, got 'action'"),
    "no version": (b'{"type":"ready"}', "Object missing required field `protocol`"),
    "a NUL in the name": (
        b'{"type":"ready","protocol":1,"name":"\\u0000"}',
        "a NUL in `$.name`",
    ),
    "a NUL in a game": (
        b'{"type":"ready","protocol":1,"games":["\\u0000"]}',
        "a NUL in `$.games`",
    ),
    "a word for legal": (
        b'{"type":"ready","protocol":1,"legal":"yes"}',
        "Expected `bool`, got `str` - at `$.legal`",
    ),
}


@pytest.mark.parametrize(("line", "sentence"), NOT_READY.values(), ids=NOT_READY.keys())
def test_what_is_no_ready(line: bytes, sentence: str) -> None:
    with pytest.raises(ProtocolError) as raised:
        decode_ready(line)
    assert str(raised.value) == sentence


def test_encode_ends_the_line() -> None:
    assert encode(Quit()) == b'{"type":"quit"}\n'


def test_encode_writes_ascii_only_where_the_referee_does() -> None:
    assert encode(Hello(1, "savanna-arena 0.1.0")).isascii()


def test_encode_into_replaces_what_was_in_the_buffer() -> None:
    buffer = bytearray(b"x" * 100)
    encode_into(Quit(), buffer)
    assert buffer == b'{"type":"quit"}\n'


def test_the_line_limit_is_64_kib() -> None:
    assert LINE_LIMIT == 64 * 1024


# Whatever a bot writes


def damaged(line: bytes) -> st.SearchStrategy[bytes]:
    """The line with one stretch of it replaced by any bytes."""

    def replace(start: int, length: int, with_: bytes) -> bytes:
        return line[:start] + with_ + line[start + length :]

    place = st.integers(0, len(line))
    return st.builds(replace, place, st.integers(0, 3), st.binary(max_size=4))


SCALAR = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
)
ANY_JSON = SCALAR | st.lists(SCALAR, max_size=2) | st.dictionaries(st.text(max_size=3), SCALAR)
ANSWER = {"type": st.sampled_from(["action", "ready"]) | ANY_JSON, "id": ANY_JSON}
FIELDS = ("actions", "note", "value", "protocol", "name", "games")
ANY_ANSWER = st.fixed_dictionaries(ANSWER, optional=dict.fromkeys(FIELDS, ANY_JSON)).map(
    msgspec.json.encode
)


def refusal(decode: Callable[[bytes], Message], line: bytes) -> str | None:
    try:
        decode(line)
    except ProtocolError as error:
        return str(error)
    return None


@given(st.binary(max_size=60) | damaged(PLAIN) | damaged(READY["every field"][0]) | ANY_ANSWER)
def test_any_bytes_are_a_message_or_one_printable_sentence(line: bytes) -> None:
    for decode in (decode_action, decode_ready):
        sentence = refusal(decode, line)
        assert sentence is None or (sentence.isprintable() and 0 < len(sentence) < 200)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(
    st.builds(
        Action,
        id=st.integers(),
        actions=st.lists(TEXT, min_size=1),
        note=st.none() | TEXT,
        value=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_what_is_encoded_is_decoded_again(action: Action) -> None:
    assert decode_action(encode(action).removesuffix(b"\n")) == action
