"""The match record, version 1: one match whole, chance outcomes and secrets included."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from protocol.messages import Result, StartTime

RECORD_VERSION: Final = 1


class RecordedBot(Struct, frozen=True):
    """Who sat in a seat."""

    name: str
    """The name it was entered under."""
    version: str | None
    """What it said of itself in `ready`."""
    digest: str
    """What its program is: a change of the program changes it."""


class LogEntry(Struct, frozen=True, omit_defaults=True):
    """One action or chance outcome."""

    by: int
    """The seat, −1 for chance."""
    do: str
    ms: float | None = None
    """The time charged for the answer that this action was the first of, in milliseconds."""
    note: str | None = None
    value: float | None = None
    stand_in: bool = False
    """Played by the referee for a faulted seat."""


class Fault(Struct, frozen=True):
    """Why a seat's part in the match ended early."""

    seat: int
    code: str
    """`start`, `timeout`, `crash`, `protocol`, `overlong`, `illegal` or `memory`."""
    message: str
    turn: int
    """The game's turn number; 0 before the game began."""


class Record(Struct, frozen=True):
    """One match; it replays without a random generator."""

    record: int
    match: str
    """Unique in the world, and reproducible: it follows from the run's seed and the slot."""
    run: str | None
    """None for a match outside a run."""
    game: str
    version: int
    options: dict[str, Any]
    players: int
    seed: str
    """The match seed in hex; stand-ins play from it."""
    deal: str
    """The deal in hex; chance follows from it."""
    seeds: tuple[int, ...]
    """The seed each seat was given in `start`."""
    isolation: str
    """The level of isolation that the bots ran under."""
    bots: tuple[RecordedBot, ...]
    """In seat order."""
    time: StartTime
    started: str
    """UTC, ISO 8601."""
    log: tuple[LogEntry, ...]
    faults: tuple[Fault, ...]
    result: Result
    handicaps: tuple[float, ...] | UnsetType = UNSET
    """What the clocks of each seat were multiplied by; absent: all alike."""


class RecordError(ValueError):
    """A file of records holds something else; names the line."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


def encode_record(record: Record) -> bytes:
    """One line of a file of records, without its end."""
    return _encoder.encode(record)


def decode_record(line: bytes) -> Record:
    """The record in one line.

    Raises:
        RecordError: the line is not a record of this version.
    """
    try:
        record = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"not a match record: {error}") from None
    if record.record != RECORD_VERSION:
        raise RecordError(
            f"a record of version {record.record}; this arena reads version {RECORD_VERSION}"
        )
    return record


def decode_records(lines: Iterable[bytes]) -> Iterator[Record]:
    """The records of a file, blank lines passed over.

    Raises:
        RecordError: with the number of the line.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield decode_record(line)
            except RecordError as error:
                raise RecordError(f"line {number}: {error}") from None
