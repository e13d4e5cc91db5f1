"""Files of match records: JSON lines, compressed where the name ends in .gz, - for the pipes."""

import gzip
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Literal

from protocol.record import Record, RecordError, decode_records


def read_records(path: Path) -> Iterator[Record]:
    """The records of a file.

    Raises:
        RecordError: it cannot be read, or holds something else; names the file and the line.
    """
    try:
        with _reading(path) as file:
            yield from decode_records(file)
    except RecordError as error:
        raise RecordError(f"{path}, {error}") from None
    except (OSError, EOFError) as error:
        raise RecordError(f"{path} cannot be read: {error}") from None


def write_lines(path: Path | None, lines: Iterable[bytes]) -> int:
    """Write lines and give their number; to stdout without a path.

    Raises:
        RecordError: the file cannot be written.
    """
    count = 0
    try:
        with _writing(path) as file:
            for line in lines:
                file.write(line + b"\n")
                count += 1
    except BrokenPipeError:
        raise
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error}") from None
    return count


def _reading(path: Path) -> AbstractContextManager[Any]:
    return nullcontext(sys.stdin.buffer) if str(path) == "-" else _opened(path, "rb")


def _writing(path: Path | None) -> AbstractContextManager[Any]:
    if path is None or str(path) == "-":
        return nullcontext(sys.stdout.buffer)
    return _opened(path, "wb")


def _opened(path: Path, mode: Literal["rb", "wb"]) -> AbstractContextManager[Any]:
    return gzip.open(path, mode) if path.suffix == ".gz" else path.open(mode)
