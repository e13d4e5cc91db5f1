"""A single match on a terminal, turn by turn, and its result."""

import sys
from collections import defaultdict
from typing import TYPE_CHECKING

import typer

from arena.cli.logbook import stderr_lines

if TYPE_CHECKING:
    from msgspec import Struct

    from arena.referee.tap import Line
    from arena.tournament.single import Single
    from protocol.record import LogEntry, Record


class Drawing:
    """Draws the board after each turn, as a spectator sees it or open.

    Openly it also shows what a bot notes, expects and writes to stderr in that turn.
    """

    def __init__(self, single: "Single", *, openly: bool) -> None:
        self._single = single
        self._openly = openly
        self._turn: list[LogEntry] = []
        self._seen: list[str] = []
        self._stderr: defaultdict[int, list[str]] = defaultdict(list)

    def hear(self, line: "Line") -> None:
        """Keep what a bot writes to stderr until its turn is drawn."""
        from arena.referee.tap import Way

        if line.way is Way.STDERR:
            self._stderr[line.seat].append(line.text.decode(errors="backslashreplace"))

    def watch(self, before: "Struct", entry: "LogEntry", after: "Struct") -> None:
        """See an action; draw the turn that it ends."""
        game = self._single.game
        if entry.by < 0:
            return
        event = None if self._openly else game.redact(before, entry.do, after, None)
        self._turn.append(entry)
        self._seen.append(getattr(event, "action", entry.do))
        if game.turn(before) != game.turn(after) or game.to_act(after) is None:
            self._draw(after)
            self._turn, self._seen = [], []

    def _draw(self, after: "Struct") -> None:
        game, seat = self._single.game, self._turn[0].by
        times = [entry.ms for entry in self._turn if entry.ms is not None]
        time = f"  {round(sum(times), 2):g} ms" if times else ""
        stand_in = "  (stand-in)" if self._turn[-1].stand_in else ""
        name = self._single.entries[seat].name
        typer.echo(f"\n{name} (seat {seat}): {' '.join(self._seen)}{time}{stand_in}")
        if self._openly:
            self._tell_more(seat)
        view = game.open_view(after) if self._openly else game.view(after, None)
        typer.echo(game.text(self._single.table, view))

    def _tell_more(self, seat: int) -> None:
        from arena.cli.replay import said

        for entry in self._turn:
            for line in said(entry.note, entry.value):
                typer.echo(line)
        for line in stderr_lines(self._stderr.pop(seat, [])):
            typer.echo(line)


def print_result(played: "Record", *, openly: bool, with_board: bool) -> None:
    """Who came where, below the last board."""
    from arena.cli.replay import final_state, result_lines
    from arena.replay import Replay

    replay = Replay(played)
    if with_board:
        state = final_state(replay)
        view = replay.game.open_view(state) if openly else replay.game.view(state, None)
        typer.echo(replay.game.text(replay.table, view) + "\n")
    for line in result_lines(replay):
        typer.echo(line)


def on_terminal() -> bool:
    """Whether somebody sees a match as it goes."""
    return sys.stdout.isatty()
