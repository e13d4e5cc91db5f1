"""The command line: parse, call, print."""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

DONE = 0
NO = 1
"""Done, and the answer is no."""
WORDS = 2
"""The words of the command are off."""
REFUSED = 3
"""Refused or impossible."""
UNDECIDED = 4
INTERRUPTED = 130


def main() -> None:
    """Run the command in sys.argv; every failure is one sentence and an exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupted)
    from arena.cli.app import app

    try:
        app(prog_name="arena")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DONE)  # who read the output has seen enough
    except Exception as error:
        _fail(error)


def _interrupted(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(INTERRUPTED)


def _fail(error: Exception) -> NoReturn:
    """End with the sentence of an error that a user can cause; others keep their traceback."""
    from arena.cli.errors import status_of

    cause = error
    while isinstance(cause, ExceptionGroup):
        cause = cause.exceptions[0]
    status = status_of(cause)
    if status is None:
        raise error
    print(f"arena: {cause}", file=sys.stderr)  # noqa: T201  # the one place that speaks of errors
    sys.exit(status)
