"""`arena show`: a stored match, stepped through in the terminal."""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options as o
from arena.cli.recorded import HELP, recorded

if TYPE_CHECKING:
    from arena.cli.replay import Frame
    from arena.replay import Replay
    from protocol.record import Record

KEYS_HELP = "space or → next, ← back, home and end, q to leave"
LOG_END = 10
"""How many lines of a log are shown unasked."""
_KEYS = {
    " ": 1,
    "n": 1,
    "\r": 1,
    "\n": 1,
    "\x1b[C": 1,
    "\x1b[B": 1,
    "p": -1,
    "\x1b[D": -1,
    "\x1b[A": -1,
}
_ENDS = {"\x1b[H": 0, "g": 0, "\x1b[F": -1, "G": -1}


def show(
    match: Annotated[str, typer.Argument(metavar="MATCH", help=HELP)],
    store: o.StoreFile = Path("arena.db"),
    turn: Annotated[int | None, typer.Option("--turn", help="Only this turn.")] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", help="What this seat knew. [default: everything]")
    ] = None,
    public: Annotated[bool, typer.Option("--public", help="What a spectator sees.")] = False,
    log: Annotated[
        bool, typer.Option("--log", help="All that is kept of the bots' stderr.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write the replay as a page for a browser."),
    ] = None,
    json: o.AsJson = False,
) -> None:
    """Step through a replay; without a terminal all turns are shown."""
    from protocol.record import encode_record

    record = recorded(match, store)
    if html is not None:
        _write_page(record, store, html)
        return
    if json:
        typer.echo(encode_record(record).decode())
        return
    _print(record, store, turn, seat, public=public, log=log)


def _print(
    record: "Record", store: Path, turn: int | None, seat: int | None, *, public: bool, log: bool
) -> None:
    """The turns that are asked for, the result, and what was on stderr."""
    from arena.cli.replay import luck_line, result_lines
    from arena.ratings.luck import luck_by_place
    from arena.replay import Replay

    replay = Replay(record)
    luck = luck_by_place(replay) if seat is None and not public else {}
    logs = _logs(record, store)
    told = {} if public else {s: text for s, text in logs.items() if seat in (None, s)}
    shown = _with_stderr(_chosen(replay, turn, seat, public, luck), record, told)
    if turn is None and shown and sys.stdout.isatty() and sys.stdin.isatty():
        _step_through(shown)
    else:
        for frame in shown:
            typer.echo(f"turn {frame.turn}  {frame.heading}\n{frame.board}\n")
    if luck:
        typer.echo(luck_line(replay, luck))
    for line in result_lines(replay):
        typer.echo(line)
    faulted = {fault.seat for fault in record.faults}
    for writer in sorted(faulted | logs.keys() if log else faulted & told.keys()):
        _print_log(record, writer, logs.get(writer, "(empty)"), whole=log)


def _logs(record: "Record", store: Path) -> "Mapping[int, str]":
    """What is kept of each seat's stderr, if the match is in the store."""
    from arena.store.db import Store
    from arena.store.errors import NotFound

    if not store.is_file():
        return {}
    with suppress(NotFound), Store.open(store, read_only=True) as kept:
        logs = {seat: kept.log(record.match, seat) for seat in range(record.players)}
        return {seat: text for seat, text in logs.items() if text}
    return {}


def _with_stderr(
    shown: "Sequence[Frame]", record: "Record", logs: "Mapping[int, str]"
) -> "Sequence[Frame]":
    """Frames whose first of a turn also tells what came on stderr in it, where that is known."""
    from msgspec.structs import replace

    from arena.cli.logbook import by_turn, stderr_lines

    turns = [(record.bots[seat].name, by_turn(text)) for seat, text in logs.items()]
    frames: list[Frame] = []
    for frame in shown:
        new = not frames or frames[-1].turn != frame.turn
        words = [
            line
            for name, lines in turns
            for line in stderr_lines(lines.get(frame.turn, ()), f"stderr of {name}")
            if new
        ]
        frames.append(replace(frame, heading="\n".join([frame.heading, *words])))
    return frames


def _print_log(record: "Record", seat: int, text: str, *, whole: bool) -> None:
    """What a bot wrote to stderr, or its end: that came in the turn of a fault."""
    from arena.cli.output import shown_lines

    lines = text.rstrip("\n").split("\n")
    cut = not whole and len(lines) > LOG_END
    name, end = record.bots[seat].name, ", its end; --log shows all of it" if cut else ""
    typer.echo(shown_lines(f"\nlog of {name} (seat {seat}){end}:"))
    typer.echo(shown_lines("\n".join(lines[-LOG_END:] if cut else lines)))


def _write_page(record: "Record", store: Path, file: Path) -> None:
    from arena.replay import Replay
    from arena.store.db import Store
    from arena.store.errors import NotFound
    from arena.web.replay_data import kept_analysis
    from arena.web.replay_page import page

    analysis = None
    if store.is_file():
        with suppress(NotFound), Store.open(store, read_only=True) as kept:
            analysis = kept_analysis(kept, record.match)
    file.write_text(page(Replay(record), analysis), encoding="utf-8")
    typer.echo(f"{file} is written: open it in a browser", err=True)


def _chosen(
    replay: "Replay",
    turn: int | None,
    seat: int | None,
    public: bool,
    luck: "Mapping[int, Sequence[float]]",
) -> "Sequence[Frame]":
    """The frames of a turn, or of all, as the words ask for."""
    from arena.cli.replay import EVERYTHING, frames

    players = replay.record.players
    if seat is not None and not 0 <= seat < players:
        raise typer.BadParameter(f"the match has seats 0 to {players - 1}", param_hint="--seat")
    knowledge = None if public else EVERYTHING if seat is None else seat
    chosen = [f for f in frames(replay, knowledge, luck) if turn is None or f.turn == turn]
    if turn is not None and not chosen:
        raise typer.BadParameter(f"the match has no turn {turn}", param_hint="--turn")
    return chosen


def _step_through(shown: "Sequence[Frame]") -> None:
    """One frame at a time, by keys."""
    position = 0
    with _keys_at_once():
        while True:
            frame = shown[position]
            typer.echo(
                f"\x1b[2J\x1b[H{position + 1}/{len(shown)}  turn {frame.turn}  {frame.heading}"
                f"\n\n{frame.board}"
            )
            typer.echo(f"\n{KEYS_HELP}")
            for key in _pressed() or ["q"]:
                if key in ("q", "\x1b"):
                    return
                if key in _ENDS:
                    position = _ENDS[key] % len(shown)
                position = max(0, min(len(shown) - 1, position + _KEYS.get(key, 0)))


@contextmanager
def _keys_at_once() -> Iterator[None]:
    """Have the terminal give each key as it is pressed, without showing it."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _pressed() -> list[str]:
    """The keys that were pressed, an arrow as its escape sequence; none at the end of input."""
    text = os.read(sys.stdin.fileno(), 64).decode(errors="replace")
    return re.findall(r"\x1b\[.|.", text, re.DOTALL)
