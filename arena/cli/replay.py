"""A record in words: its result, its turns."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from arena.cli.output import shown

if TYPE_CHECKING:
    from arena.replay import Replay, Step

EVERYTHING = -1
"""In place of a seat: the view of everything."""
NO_LUCK: Final[Mapping[int, Sequence[float]]] = MappingProxyType({})
"""Luck has no price, or is not told."""


class Frame(Struct, frozen=True):
    """What is shown after one action."""

    turn: int
    heading: str
    """Who did what."""
    board: str


def frames(
    replay: "Replay", seat: int | None, luck: Mapping[int, Sequence[float]] = NO_LUCK
) -> Iterator[Frame]:
    """The match, action by action; chance is told with the action that it follows, or the first.

    Args:
        replay: of the record.
        seat: whose knowledge is shown; None: a spectator's, EVERYTHING: all.
        luck: by place in the log what a chance event gave each side; told to who sees everything.
    """
    pending: Frame | None = None
    chance = ""
    names = [shown(bot.name) for bot in replay.record.bots]
    for place, step in enumerate(replay.steps()):
        if step.entry.by >= 0:
            if pending is not None:
                yield pending
            pending = _frame(replay, step, seat, names)
        elif seat == EVERYTHING and place in luck:
            chance += f"\n  {step.entry.do}: luck {_luck_words(replay, luck[place])}"
        if pending is not None:
            board = replay.game.text(replay.table, _view(replay, step.after, seat))
            pending, chance = Frame(pending.turn, pending.heading + chance, board), ""
    if pending is not None:
        yield pending


def luck_line(replay: "Replay", luck: Mapping[int, Sequence[float]]) -> str:
    """What chance gave each side over the whole match, in shares of the win."""
    sides = max(replay.sides) + 1
    sums = [sum(event[side] for event in luck.values()) for side in range(sides)]
    return f"Luck in all: {_luck_words(replay, sums)}"


def _luck_words(replay: "Replay", luck: Sequence[float]) -> str:
    """`ann +3.1%, bob -3.1%`; a side is called by the bots in its seats."""
    holders: dict[int, list[str]] = {}
    for bot, side in zip(replay.record.bots, replay.sides, strict=True):
        holders.setdefault(side, []).append(shown(bot.name))
    return ", ".join(
        f"{'+'.join(dict.fromkeys(holders[side]))} {round(share, 3) + 0:+.1%}"
        for side, share in enumerate(luck)
    )


def _frame(replay: "Replay", step: "Step", seat: int | None, names: list[str]) -> Frame:
    entry = step.entry
    lines = [f"{names[entry.by]} (seat {entry.by}): {_seen(replay, step, seat)}"]
    if entry.ms is not None:
        lines[0] += f"  {entry.ms:g} ms"
    if entry.stand_in:
        lines[0] += "  (stand-in)"
    for effect in replay.game.effects(step.before, entry.do, step.after):
        gained = ", ".join(f"side {side} +{points}" for side, points in effect.points.items())
        lines.append("  " + " ".join(filter(None, (effect.label, " ".join(effect.cells), gained))))
    if seat in (entry.by, EVERYTHING):
        lines += said(entry.note, entry.value)
    return Frame(
        replay.game.turn(step.before),
        "\n".join(lines),
        replay.game.text(replay.table, _view(replay, step.after, seat)),
    )


def said(note: str | None, value: float | None) -> Iterator[str]:
    """What a bot told beside its action."""
    if value is not None:
        yield f"  expects {value:.0%} of the win"
    if note:
        yield f"  notes: {shown(note)}"


def _seen(replay: "Replay", step: "Step", seat: int | None) -> str:
    """The action as the seat sees it."""
    if seat == EVERYTHING:
        return step.entry.do
    event = replay.game.redact(step.before, step.entry.do, step.after, seat)
    return str(getattr(event, "action", step.entry.do))


def _view(replay: "Replay", state: Any, seat: int | None) -> Any:
    return replay.game.open_view(state) if seat == EVERYTHING else replay.game.view(state, seat)


def final_state(replay: "Replay") -> Any:
    """The state after the last entry of the log."""
    state = replay.game.initial(replay.table)
    for step in replay.steps():
        state = step.after
    return state


def result_lines(replay: "Replay") -> Iterator[str]:
    """Who came where with what, the best first, and what went wrong."""
    record = replay.record
    names = [shown(bot.name) for bot in record.bots]
    width = max(map(len, names))
    for seat in sorted(range(record.players), key=record.result.ranks.__getitem__):
        score = record.result.scores[replay.sides[seat]]
        place = f"{record.result.ranks[seat]}.  {names[seat]:<{width}}"
        yield f"{place}  seat {seat}  {score} points"
    if record.result.reason != "finished":
        yield f"Ended by {shown(record.result.reason)}."
    for fault in record.faults:
        where = f"in turn {fault.turn}" if fault.turn else "before the game"
        what = shown(f"{fault.code}: {fault.message}")
        yield f"Fault of {names[fault.seat]} (seat {fault.seat}) {where}: {what}"
