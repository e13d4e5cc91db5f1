"""A record in words: its result, its turns."""

from collections.abc import Iterator, Sequence
from typing import Any

from protocol.record import Record


def final_state(record: Record) -> Any:
    """The state after the last entry of the log."""
    from arena.replay import Replay

    replay = Replay(record)
    state = replay.game.initial(replay.table)
    for step in replay.steps():
        state = step.after
    return state


def result_lines(record: Record, sides: Sequence[int]) -> Iterator[str]:
    """Who came where with what, the best first, and what went wrong."""
    width = max(len(bot.name) for bot in record.bots)
    seats = sorted(range(len(record.bots)), key=lambda seat: record.result.ranks[seat])
    for seat in seats:
        score = record.result.scores[sides[seat]]
        name = record.bots[seat].name
        yield f"{record.result.ranks[seat]}.  {name:<{width}}  seat {seat}  {score} points"
    if record.result.reason != "finished":
        yield f"Ended by {record.result.reason}."
    for fault in record.faults:
        name = record.bots[fault.seat].name
        where = f"in turn {fault.turn}" if fault.turn else "before the game"
        yield f"Fault of {name} (seat {fault.seat}) {where}: {fault.code}: {fault.message}"
