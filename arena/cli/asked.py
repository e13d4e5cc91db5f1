"""A decision that was put to a bot again, beside what was played."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from msgspec import Struct

from arena.cli.output import print_table, shown, shown_lines

if TYPE_CHECKING:
    from arena.again import Answer
    from arena.decisions import Decision
    from arena.replay import Replay


class Said(Struct, frozen=True):
    """What was decided, once."""

    actions: tuple[str, ...]
    ms: float | None
    value: float | None = None
    note: str | None = None
    fault: str | None = None
    """Its code, and what was wrong."""


class Compared(Struct, frozen=True):
    """A decision, then and now: what `arena ask --json` prints."""

    turn: int
    seat: int
    played: Said
    answered: Said
    stderr: str


def compared(decision: "Decision", answer: "Answer") -> Compared:
    """The decision with both answers."""
    return Compared(
        decision.turn, decision.seat, _played(decision), _answered(answer), answer.stderr
    )


def _played(decision: "Decision") -> Said:
    fault = decision.fault
    against = None if fault is None else f"{fault.code}: {fault.message}"
    if not decision.entries:
        return Said((), None, fault=against)
    first = decision.entries[0]
    return Said(decision.actions, first.ms, first.value, first.note, against)


def _answered(answer: "Answer") -> Said:
    fault, action, ms = answer.fault, answer.action, round(answer.seconds * 1000, 2)
    against = None if fault is None else f"{fault.code}: {fault.message}"
    if action is None:
        return Said((), None, fault=against)
    return Said(tuple(action.actions), ms, action.value, action.note, against)


def print_compared(replay: "Replay", bot: str, pairs: "Sequence[tuple[Decision, Answer]]") -> None:
    """Each decision: the board as the seat saw it, then and now in a table, what was on stderr."""
    for decision, answer in pairs:
        both = compared(decision, answer)
        name = shown(replay.record.bots[decision.seat].name)
        typer.echo(
            f"turn {decision.turn}, question {decision.act.id} of {name} (seat {decision.seat})\n"
        )
        typer.echo(replay.game.text(replay.table, decision.act.state))
        rows = [_row(f"{name} played", both.played)]
        rows += [_row(f"{bot} answers", both.answered)]
        print_table(["", "actions", ">value", ">ms", "note"], rows)
        for who, said in ((name, both.played), (bot, both.answered)):
            if said.fault:
                typer.echo(shown(f"fault of {who}: {said.fault}"))
        if answer.stderr:
            typer.echo("stderr:\n" + shown_lines(answer.stderr.rstrip("\n")))


def _row(who: str, said: Said) -> Sequence[str]:
    value = "" if said.value is None else f"{said.value:.0%}"
    ms = "" if said.ms is None else f"{said.ms:g}"
    return who, " ".join(said.actions), value, ms, said.note or ""
