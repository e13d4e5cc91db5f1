"""What bots write to stderr, by the turn that it comes in: kept as text, and read again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from arena.cli.output import shown

if TYPE_CHECKING:
    from msgspec import Struct

    from arena.referee.log import BotLog
    from arena.referee.tap import Line
    from arena.tournament.single import Single
    from protocol.record import LogEntry

SHOWN: Final = 10
"""How many lines of a turn are shown."""
MARK: Final = "[referee] turn "
"""Begins the line that stands before what came in a turn."""


class Logbook:
    """The logs of the bots of a match, bounded as all bots' logs are."""

    def __init__(self, single: "Single") -> None:
        self._game = single.game
        self._turn = single.game.turn(single.game.initial(single.table))
        self._logs: dict[int, BotLog] = {}
        self._marked: dict[int, int] = {}
        """The turn that each log is in."""

    def watch(self, before: "Struct", entry: "LogEntry", after: "Struct") -> None:  # noqa: ARG002  # a Watch
        """See which turn it is."""
        self._turn = self._game.turn(after)

    def hear(self, line: "Line") -> None:
        """Write down what stands on stderr, and what the referee notes."""
        from arena.referee.log import BotLog
        from arena.referee.tap import Way

        if line.way not in (Way.STDERR, Way.NOTE):
            return
        log = self._logs.setdefault(line.seat, BotLog())
        if self._marked.get(line.seat) != self._turn:
            self._marked[line.seat] = self._turn
            log.write(f"{MARK}{self._turn}\n".encode())
        prefix = b"[referee] " if line.way is Way.NOTE else b""
        log.write(prefix + line.text + b"\n")

    def texts(self) -> Mapping[int, str]:
        """The log of each seat whose bot wrote anything."""
        return {seat: log.text() for seat, log in self._logs.items()}


def by_turn(text: str) -> Mapping[int, Sequence[str]]:
    """The lines of a log by turn; none where it was not kept turn by turn."""
    turns: dict[int, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        number = line.removeprefix(MARK)
        if number != line and number.isdecimal():
            lines = turns.setdefault(int(number), [])
        else:
            lines.append(line)
    return turns


def stderr_lines(lines: Sequence[str], heading: str = "stderr") -> Iterator[str]:
    """The first lines of a turn as they are shown below it."""
    for text in lines[:SHOWN]:
        yield shown(f"  {heading}: {text}")
    if len(lines) > SHOWN:
        yield shown(f"  {heading}: … and {len(lines) - SHOWN} more lines")
