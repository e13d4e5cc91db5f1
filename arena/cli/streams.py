"""The standard streams as every command can rely on them, however it was started."""

import io
import os
import sys
from contextlib import suppress

STDIN, STDOUT, STDERR = 0, 1, 2


def secure() -> None:
    """Open what is closed, and let stderr never fail.

    With a standard descriptor closed, the next file or pipe would get its number.
    """
    for number in (STDIN, STDOUT, STDERR):
        with suppress(OSError):
            os.fstat(number)
            continue
        _connect_to_nothing(number)
    sys.stdin = sys.stdin or os.fdopen(STDIN, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(STDOUT, "w", closefd=False)
    sys.stderr = _Stderr(os.fdopen(STDERR, "wb", closefd=False), sys.stdout.encoding)


def give_up_stdout() -> None:
    """Who read stdout has left: what is still to be written goes nowhere."""
    _connect_to_nothing(STDOUT)


class _Stderr(io.TextIOWrapper):
    """Where nobody hears what is said on stderr any more, nothing is lost."""

    def __init__(self, buffer: io.BufferedWriter, encoding: str) -> None:
        super().__init__(buffer, encoding, errors="backslashreplace", line_buffering=True)

    def write(self, text: str) -> int:
        with suppress(OSError):
            return super().write(text)
        _connect_to_nothing(STDERR)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            return super().flush()
        return _connect_to_nothing(STDERR)


def _connect_to_nothing(number: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    if nothing != number:
        os.dup2(nothing, number)
        os.close(nothing)
