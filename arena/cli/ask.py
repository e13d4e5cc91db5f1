"""`arena ask`: a recorded decision, put to a bot again."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options as o
from arena.cli.debugger import wait_for_enter, with_breakpoints
from arena.cli.recorded import HELP

if TYPE_CHECKING:
    from arena.again import Answer
    from arena.decisions import Decision
    from arena.referee.sandbox import Level
    from arena.replay import Replay
    from arena.tournament.entry import Entry


def ask(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot: see `arena bots`.")],
    match: Annotated[str, typer.Argument(metavar="MATCH", help=HELP)],
    turn: Annotated[int, typer.Option("--turn", metavar="N", help="The turn to decide again.")],
    seat: Annotated[
        int | None, typer.Option("--seat", help="Of this seat. [default: whose turn it was]")
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Put only this turn, not those before it.")
    ] = False,
    pause: Annotated[
        bool, typer.Option("--pause", help="Wait for Enter before anything is sent.")
    ] = False,
    store: o.StoreFile = Path("arena.db"),
    memory: o.Memory = None,
    isolation: o.Isolation = None,
    trust: o.Trust = False,
    json: o.AsJson = False,
) -> None:
    """Put a recorded decision to a bot again, under no clock; see it beside what was played.

    The bot is told what the seat was told, turn by turn, and nothing else.
    """
    from arena.cli.asked import compared, print_compared
    from arena.cli.building import build_all
    from arena.cli.output import print_json
    from arena.cli.recorded import recorded
    from arena.cli.trio_runner import run_async
    from arena.replay import Replay
    from arena.tournament import config

    replay = Replay(recorded(match, store))
    earlier, wanted = _chosen(replay, turn, seat)
    put = _alone(earlier, wanted) if alone else [*earlier, *wanted]
    settings = config.Settings(game=replay.game.name, bot=(config.BotSettings(bot),), memory=memory)
    level = o.level_from(isolation)
    [entry] = build_all(config.entries_of(settings), level, trust)
    answered = run_async(_put_all, entry, level, replay, put, pause)
    shown = [pair for pair in answered if pair[0].turn == turn] or answered[-1:]
    if json:
        print_json([compared(*pair) for pair in shown])
    else:
        print_compared(replay, entry.name, shown)


# Which decisions


def _chosen(
    replay: "Replay", turn: int, seat: int | None
) -> "tuple[list[Decision], list[Decision]]":
    """The decisions of the seat before the turn, and in it."""
    from arena.decisions import decisions

    found = [d for d in decisions(replay) if seat in (None, d.seat)]
    in_turn = [d for d in found if d.turn == turn]
    if not in_turn:
        raise typer.BadParameter(_no_decision(turn, seat, found), param_hint="--turn")
    chosen = in_turn[0].seat
    earlier = [d for d in found if d.seat == chosen and d.turn < turn]
    return earlier, [d for d in in_turn if d.seat == chosen]


def _no_decision(turn: int, seat: int | None, found: "Sequence[Decision]") -> str:
    who = "no bot" if seat is None else f"no bot in seat {seat}"
    if not found:
        return f"{who} decided anything"
    return f"{who} decided in turn {turn}; the turns are {found[0].turn} to {found[-1].turn}"


def _alone(earlier: "Sequence[Decision]", wanted: "Sequence[Decision]") -> "Sequence[Decision]":
    from arena.decisions import as_first

    first, *others = wanted
    return [as_first(first, earlier), *others]


# Putting them


async def _put_all(
    entry: "Entry",
    level: "Level",
    replay: "Replay",
    put: "Sequence[Decision]",
    pause: bool,
) -> "list[tuple[Decision, Answer]]":
    """Every decision with its answer, up to one that the bot did not outlive."""
    from arena.again import seated
    from arena.referee.faults import BotFault, CannotStart

    answered = []
    program = with_breakpoints(entry.program, level) if pause else entry.program
    hold = wait_for_enter if pause else None
    try:
        async with seated(program, level, replay, put[0].seat, hold=hold) as bot:
            for decision in put:
                answer = await bot.put(decision)
                answered.append((decision, answer))
                if answer.action is None:
                    break
    except BotFault as fault:
        raise CannotStart(f"bot {entry.name} does not start: {fault.message}") from None
    return answered
