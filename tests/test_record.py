"""Match records: one line each, and what is said of other lines."""

import msgspec
import pytest

from protocol.messages import Result, StartTime
from protocol.record import (
    Fault,
    LogEntry,
    Record,
    RecordedBot,
    RecordError,
    decode_record,
    decode_records,
    encode_record,
)

RECORD = Record(
    record=1,
    match="2c1f",
    run="8d0e",
    game="savanna-ten",
    version=1,
    options={"mouse": "off", "teams": False},
    players=2,
    seed="00ff",
    deal="a0b1",
    seeds=(471100123, 9),
    isolation="bwrap",
    bots=(RecordedBot("greedy", "1.2", "d1"), RecordedBot("random", None, "d2")),
    time=StartTime(1000, 5000),
    started="2026-11-29T19:00:00Z",
    log=(
        LogEntry(-1, "draw@0:zebra"),
        LogEntry(0, "zebra/lion@D2", 1.9, "why", 0.6),
        LogEntry(1, "monkey@A1", stand_in=True),
    ),
    faults=(Fault(1, "timeout", "no answer within 1000 ms", 7),),
    result=Result((1, 2), (15, 10), "finished"),
)

LINE = (
    b'{"record":1,"match":"2c1f","run":"8d0e","game":"savanna-ten","version":1,'
    b'"options":{"mouse":"off","teams":false},"players":2,"seed":"00ff","deal":"a0b1",'
    b'"seeds":[471100123,9],"isolation":"bwrap",'
    b'"bots":[{"name":"greedy","version":"1.2","digest":"d1"},'
    b'{"name":"random","version":null,"digest":"d2"}],'
    b'"time":{"turn_ms":1000,"first_ms":5000,"bank_ms":null,"increment_ms":null},'
    b'"started":"2026-11-29T19:00:00Z",'
    b'"log":[{"by":-1,"do":"draw@0:zebra"},'
    b'{"by":0,"do":"zebra/lion@D2","ms":1.9,"note":"why","value":0.6},'
    b'{"by":1,"do":"monkey@A1","stand_in":true}],'
    b'"faults":[{"seat":1,"code":"timeout","message":"no answer within 1000 ms","turn":7}],'
    b'"result":{"ranks":[1,2],"scores":[15,10],"reason":"finished"}}'
)


def test_a_record_is_written_byte_for_byte() -> None:
    assert encode_record(RECORD) == LINE


def test_a_record_is_read() -> None:
    assert decode_record(LINE) == RECORD


def test_unknown_fields_are_ignored() -> None:
    line = LINE.replace(b'{"by":-1', b'{"lines":[],"by":-1').replace(b'"match"', b'"x":1,"match"')
    assert decode_record(line) == RECORD


def test_a_match_outside_a_run_has_none() -> None:
    alone = msgspec.structs.replace(RECORD, run=None)
    assert decode_record(encode_record(alone)).run is None


REFUSED = {
    "empty": (b"", "not a match record: Input data was truncated"),
    "text": (b"hello", "not a match record: JSON is malformed: invalid character (byte 0)"),
    "array": (b"[]", "not a match record: Expected `object`, got `array`"),
    "another object": (b"{}", "not a match record: Object missing required field `record`"),
    "a wrong type": (
        LINE.replace(b'"by":-1', b'"by":"x"'),
        "not a match record: Expected `int`, got `str` - at `$.log[0].by`",
    ),
    "another version": (
        LINE.replace(b'"record":1', b'"record":2'),
        "a record of version 2; this arena reads version 1",
    ),
    "too deep": (
        LINE.replace(b'"off"', b"[" * 100_000),
        "not a match record: maximum recursion depth exceeded while deserializing an object",
    ),
    "bad UTF-8": (LINE.replace(b"why", b"\xff\xff\xff"), "not a match record: "),
    "lone surrogate": (LINE.replace(b"why", b"\\ud800"), "not a match record: "),
}


@pytest.mark.parametrize(("line", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refusal_says_what_is_wrong(line: bytes, sentence: str) -> None:
    with pytest.raises(RecordError) as raised:
        decode_record(line)
    assert str(raised.value).startswith(sentence)
    assert str(raised.value).isprintable()


def test_a_file_of_records_is_read_line_by_line() -> None:
    other = msgspec.structs.replace(RECORD, match="3a")
    lines = [LINE + b"\n", b"\n", encode_record(other) + b"\r\n"]
    assert list(decode_records(lines)) == [RECORD, other]


def test_a_bad_line_of_a_file_is_named() -> None:
    with pytest.raises(RecordError, match=r"^line 3: not a match record: "):
        list(decode_records([LINE, b"", b"{}"]))
