"""Files of match records: JSON lines, compressed where the name ends in .gz, - for the pipes."""

import gzip
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, Literal
from zlib import error as ZlibError  # noqa: N812  # a class, which zlib writes small

from protocol.record import Record, RecordError, decode_records

STDIN = STDOUT = Path("-")


def is_database(path: Path) -> bool:
    """Whether a file is a store, by its first bytes."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
    return False


def read_records(path: Path) -> Iterator[Record]:
    """The records of a file.

    Raises:
        RecordError: it cannot be read, or holds something else; names the file and the line.
    """
    try:
        with nullcontext(sys.stdin.buffer) if path == STDIN else _opened(path, "rb") as file:
            yield from decode_records(file)
    except RecordError as error:
        raise RecordError(f"{path}, {error}") from None
    except (OSError, EOFError, ZlibError) as error:
        raise RecordError(f"{path} cannot be read: {reason(error)}") from None


def write_records(path: Path, lines: Iterable[bytes], *, append: bool = False) -> int:
    """Write encoded records, a line each, and give their number.

    Raises:
        RecordError: the file cannot be written.
        BrokenPipeError: who reads stdout has left.
    """
    count = 0
    try:
        with _writing(path, append=append) as file:
            for line in lines:
                file.write(line + b"\n")
                count += 1
            file.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        place = "stdout" if path == STDOUT else path
        raise RecordError(f"{place} cannot be written: {reason(error)}") from None
    return count


def reason(error: Exception) -> str:
    """Why a file cannot be used, in lower-case words."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]


def _writing(path: Path, *, append: bool) -> AbstractContextManager[Any]:
    if path == STDOUT:
        return nullcontext(sys.stdout.buffer)
    return _opened(path, "ab" if append else "wb")


def _opened(path: Path, mode: Literal["rb", "wb", "ab"]) -> AbstractContextManager[Any]:
    return gzip.open(path, mode) if path.suffix == ".gz" else path.open(mode)
