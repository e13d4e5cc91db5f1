"""The command line: parse, call, print."""

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
    """Run the command in sys.argv, and end with its status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupted)
    from arena.cli.streams import secure

    secure()
    sys.exit(command(sys.argv[1:]))


def command(words: list[str]) -> int:
    """Run a command and give its exit status; every failure is one sentence on stderr."""
    from arena.cli.app import app
    from arena.cli.errors import explained

    try:
        return app(words, prog_name="arena", standalone_mode=False) or DONE
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE
    except Exception as error:
        status, sentence = explained(error)
        print(sentence, file=sys.stderr)  # noqa: T201  # the one place that speaks of errors
        return status


def _interrupted(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(INTERRUPTED)
