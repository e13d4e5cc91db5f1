"""`arena analyse`: what each turn of a match was worth, and the better one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options as o
from arena.cli.recorded import HELP

if TYPE_CHECKING:
    from arena.analysis import Analysis, Judged
    from arena.replay import Replay

SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def analyse(
    match: Annotated[str, typer.Argument(metavar="MATCH", help=HELP)],
    nodes: Annotated[
        int, typer.Option("--nodes", min=1, help="Playouts for each of its three questions a turn.")
    ] = 200,
    store: o.StoreFile = Path("arena.db"),
    memory: o.Memory = None,
    isolation: o.Isolation = None,
    json: o.AsJson = False,
) -> None:
    """Say what every turn of a match was worth to `search`, and what it holds better.

    The analysis of a stored match is kept: its replay in the browser shows it.
    """
    from arena.analysis import analyse as ask_analyst
    from arena.analysis import decided
    from arena.cli.output import print_json
    from arena.cli.progress import bar
    from arena.cli.recorded import recorded
    from arena.cli.trio_runner import run_async
    from arena.replay import Replay
    from arena.tournament import config

    replay = Replay(recorded(match, store))
    words = f"search --nodes {nodes}"
    settings = config.Settings(
        game=replay.game.name, bot=(config.BotSettings(words),), memory=memory
    )
    level = o.level_from(isolation)
    [entry] = config.entries_of(settings)
    with bar(sum(1 for _ in decided(replay))) as advance:
        analysis = run_async(ask_analyst, replay, entry.program, level, words, advance)
    if not Path(match).is_file():
        _keep(store, analysis)
        typer.echo("kept: the replay in the browser shows it", err=True)
    if json:
        print_json(analysis)
    else:
        _print(replay, analysis)


def _keep(store: Path, analysis: "Analysis") -> None:
    import msgspec

    from arena.store.db import Store

    with Store.open(store) as kept:
        kept.keep_analysis(analysis.match, msgspec.json.encode(analysis).decode())


def _print(replay: "Replay", analysis: "Analysis") -> None:
    from arena.cli.output import print_table, shown

    names = [shown(bot.name) for bot in replay.record.bots]
    print_table(
        [">turn", "bot", "played", ">worth", ">lost", "", "better"],
        [_row(judged, names[judged.seat]) for judged in analysis.turns],
    )
    for seat, accuracy in enumerate(analysis.accuracy):
        if accuracy is not None:
            marks = [turn.mark for turn in analysis.turns if turn.seat == seat]
            counts = ", ".join(f"{_counted(marks.count(m), m)} {SIGNS[m]}" for m in SIGNS)
            typer.echo(f"{names[seat]} (seat {seat}): accuracy {accuracy:.0f} %, {counts}")


def _row(judged: "Judged", name: str) -> tuple[object, ...]:
    better = judged.best != judged.played
    return (
        judged.turn,
        name,
        " ".join(judged.played),
        f"{judged.value:.1%}",
        f"{judged.loss:.1%}" if better else "",
        SIGNS[judged.mark] if judged.mark else "",
        " ".join(judged.best) if better else "",
    )


def _counted(number: int, mark: str) -> str:
    plural = {"inaccuracy": "inaccuracies"}.get(mark, f"{mark}s")
    return f"{number} {mark if number == 1 else plural}"
