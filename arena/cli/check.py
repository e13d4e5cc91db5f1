"""`arena check`: whether a bot speaks the protocol, and what to mend."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli import NO
from arena.cli import options as o

if TYPE_CHECKING:
    from arena.check.report import Report, Result

_MARKS: Final = {"ok": "✓", "failed": "✗", "skipped": "–"}


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot: see `arena bots`.")],
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="RULE", help="Try only this rule; can be repeated."),
    ] = None,
    turn_time: Annotated[
        str, typer.Option("--turn-time", metavar="TIME", help="Limit of an answer.")
    ] = "5s",
    start_time: o.StartTime = None,
    memory: o.Memory = None,
    isolation: o.Isolation = None,
    trust: o.Trust = False,
    json: o.AsJson = False,
) -> None:
    """Try a bot by every rule of the protocol; status 1 where it breaks one."""
    from arena.check.checker import check as check_bot
    from arena.cli.building import build_all
    from arena.cli.output import print_json
    from arena.cli.trio_runner import run_async
    from arena.tournament import config

    wanted = config.Settings(
        game="",
        bot=(config.BotSettings(bot),),
        turn_time=turn_time,
        start_time=start_time,
        memory=memory,
    )
    clocks = config.clocks_of(wanted)
    level = o.level_from(isolation)
    [entry] = build_all(config.entries_of(wanted), level, trust)
    watch = _ignore if json else _print_result
    report = run_async(check_bot, entry, level, clocks, watch, rule or ())
    if json:
        print_json(report)
    else:
        _print_end(report)
    if not report.passed:
        sys.exit(NO)


def _ignore(_: "Result") -> None:
    """It is printed with the others."""


def _print_result(result: "Result") -> None:
    from arena.cli.output import shown

    for line in _lines(result):
        typer.echo(shown(line))


def _lines(result: "Result") -> Iterator[str]:
    head = f"{_MARKS[result.outcome]} {result.rule}: {result.title}"
    if result.outcome != "failed":
        yield f"{head} ({result.detail})"
        return
    yield head
    parts = [("seen", result.detail), ("sent", result.sent), ("received", result.received)]
    for name, text in (*parts, ("mend", result.mend)):
        if text:
            yield f"    {name:<8}  {text}"


def _print_end(report: "Report") -> None:
    from arena.cli.output import shown

    for advice in report.advice:
        typer.echo(shown(f"  {advice.name}: {advice.text}"))
    failed = sum(result.outcome == "failed" for result in report.rules)
    kept = sum(result.outcome == "ok" for result in report.rules)
    verdict = (
        f"follows all {kept} rules"
        if report.passed
        else f"breaks {failed} of {kept + failed} rules"
    )
    if report.untried:
        typer.echo(f"– {len(report.untried)} more rules are tried when these are kept")
    typer.echo(f"\n{report.bot} {verdict}")
