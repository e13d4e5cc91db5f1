"""Every message as it stands on the wire, byte for byte."""

import msgspec
import pytest

from protocol.codec import encode
from protocol.messages import (
    Act,
    Action,
    ActTime,
    End,
    Error,
    FromBot,
    Hello,
    Message,
    Quit,
    Ready,
    Result,
    Start,
    StartTime,
    ToBot,
)

STATE = {"turn": 9, "board": {"A5": {"seat": 1, "side": "zebra"}}, "scores": [0, 0]}
EVENTS = [{"seat": 0, "draw": "zebra"}, {"seat": 1, "action": "lion@B3", "scores": [0, 2]}]

TO_BOT: dict[str, tuple[Message, bytes]] = {
    "hello": (
        Hello(1, "savanna-arena 0.1.0"),
        b'{"type":"hello","protocol":1,"referee":"savanna-arena 0.1.0"}',
    ),
    "start": (
        Start(
            match="m1",
            game="savanna-ten",
            version=1,
            options={"mouse": "off", "teams": False},
            players=2,
            seat=0,
            seed=471100123,
            time=StartTime(1000, 5000),
        ),
        b'{"type":"start","match":"m1","game":"savanna-ten","version":1,'
        b'"options":{"mouse":"off","teams":false},"players":2,"seat":0,"seed":471100123,'
        b'"time":{"turn_ms":1000,"first_ms":5000,"bank_ms":null,"increment_ms":null}}',
    ),
    "act": (
        Act("m1", 5, 0, STATE, EVENTS, ["monkey@A1", "monkey@A2"], ActTime(1000, None)),
        b'{"type":"act","match":"m1","id":5,"seat":0,'
        b'"state":{"turn":9,"board":{"A5":{"seat":1,"side":"zebra"}},"scores":[0,0]},'
        b'"events":[{"seat":0,"draw":"zebra"},{"seat":1,"action":"lion@B3","scores":[0,2]}],'
        b'"legal":["monkey@A1","monkey@A2"],"time":{"turn_ms":1000,"bank_ms":null}}',
    ),
    "act without legal": (
        Act("m1", 5, 0, {"turn": 3}, [], time=ActTime(None, 60_000)),
        b'{"type":"act","match":"m1","id":5,"seat":0,"state":{"turn":3},"events":[],'
        b'"time":{"turn_ms":null,"bank_ms":60000}}',
    ),
    "end": (
        End("m1", Result((1, 2), (15, 10), "finished"), []),
        b'{"type":"end","match":"m1",'
        b'"result":{"ranks":[1,2],"scores":[15,10],"reason":"finished"},"events":[]}',
    ),
    "end of a faulted seat": (
        End("m1", None, []),
        b'{"type":"end","match":"m1","result":null,"events":[]}',
    ),
    "error": (
        Error("m1", 5, "illegal", "D2 is taken"),
        b'{"type":"error","match":"m1","id":5,"code":"illegal","message":"D2 is taken"}',
    ),
    "quit": (Quit(), b'{"type":"quit"}'),
}

FROM_BOT: dict[str, tuple[Message, bytes]] = {
    "ready": (
        Ready(1, "greedy", "1.2", "optional", ["savanna-ten"], True),
        b'{"type":"ready","protocol":1,"name":"greedy","version":"1.2","author":"optional",'
        b'"games":["savanna-ten"],"legal":true}',
    ),
    "action": (
        Action(5, ["zebra@D1"], "optional, for replays", 0.62),
        b'{"type":"action","id":5,"actions":["zebra@D1"],"note":"optional, for replays",'
        b'"value":0.62}',
    ),
}


def tag(message: Message) -> str | int | None:
    return message.__struct_config__.tag


@pytest.mark.parametrize(
    ("message", "line"), [*TO_BOT.values(), *FROM_BOT.values()], ids=[*TO_BOT, *FROM_BOT]
)
def test_a_message_is_written_byte_for_byte(message: Message, line: bytes) -> None:
    assert encode(message) == line + b"\n"


@pytest.mark.parametrize(("message", "line"), TO_BOT.values(), ids=TO_BOT.keys())
def test_a_message_to_the_bot_is_read(message: Message, line: bytes) -> None:
    assert msgspec.json.decode(line, type=ToBot) == message


@pytest.mark.parametrize(("message", "line"), FROM_BOT.values(), ids=FROM_BOT.keys())
def test_a_message_from_the_bot_is_read(message: Message, line: bytes) -> None:
    assert msgspec.json.decode(line, type=FromBot) == message


def test_every_message_has_an_example() -> None:
    shown = {tag(message) for message, _ in [*TO_BOT.values(), *FROM_BOT.values()]}
    assert shown == {tag(kind) for kind in [*ToBot.__args__, *FromBot.__args__]}


@pytest.mark.parametrize("seed", [-1, 2**31])
def test_a_seed_fits_31_bits(seed: int) -> None:
    line = TO_BOT["start"][1].replace(b"471100123", str(seed).encode())
    with pytest.raises(msgspec.ValidationError, match=r"\$\.seed"):
        msgspec.json.decode(line, type=ToBot)
