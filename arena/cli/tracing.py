"""`arena match --trace`: every line between the referee and the bots, with its time."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from arena.cli.output import shown

if TYPE_CHECKING:
    from arena.referee.tap import Hear, Line

TERMINAL: Final = Path("-")
"""In place of a file: stderr."""
_HEADING: Final = (
    "#       ms  answered  seat, name, and: > to the bot, < from it, ! its stderr, # the referee"
)


@contextmanager
def tracing(place: Path) -> Iterator["Hear"]:
    """Write what is heard to a file, line by line, or to the terminal, cut to its width.

    Raises:
        OSError: the file cannot be written.
    """
    if place == TERMINAL:
        width = shutil.get_terminal_size().columns if sys.stderr.isatty() else None
        yield _writer(sys.stderr, width)
    else:
        with place.open("w", encoding="utf-8") as file:
            yield _writer(file, None)


def _writer(file: IO[str], width: int | None) -> "Hear":
    def hear(line: "Line") -> None:
        file.write(f"{_cut(told(line), width)}\n")
        file.flush()

    file.write(f"{_cut(_HEADING, width)}\n")
    return hear


def told(line: "Line") -> str:
    """A line of the trace: `   12.345    +1.656  0 greedy < {"type":"action",…}`."""
    took = "" if line.took is None else f"+{line.took * 1000:.3f}"
    text = shown(line.text.decode(errors="backslashreplace"))
    return f"{line.at * 1000:10.3f}  {took:>8}  {line.seat} {line.name} {line.way.value} {text}"


def _cut(text: str, width: int | None) -> str:
    return text if width is None or len(text) <= width else f"{text[: width - 1]}…"
