"""`arena bench`: what this machine does, from a bare pipe to a farm of workers."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options as o

if TYPE_CHECKING:
    from arena.bench.figures import Figure, Probe

Seconds = Annotated[
    float, typer.Option("--seconds", min=0.1, help="How long to measure each figure.")
]
Rounds = Annotated[int, typer.Option("--rounds", min=1, help="How often everything is measured.")]
Groups = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="GROUP", help="Measure only this group; can be repeated."),
]


def bench(
    seconds: Seconds = 0.9, rounds: Rounds = 3, only: Groups = None, json: o.AsJson = False
) -> None:
    """Measure the referee beside this machine's pipes, its cores, languages and isolation."""
    from arena.bench.figures import measure
    from arena.bench.machine import this_machine
    from arena.bench.suite import probes
    from arena.bench.workshop import open_workshop
    from arena.cli.output import print_json, print_table
    from arena.cli.trio_runner import run_async
    from arena.referee import tree

    _check_groups(only or ())
    tree.adopt_orphans()
    machine = this_machine()
    broken: set[str] = set()
    with open_workshop() as workshop:
        wanted = probes(workshop, only or (), broken.add)
        figures = run_async(measure, wanted, seconds, rounds, _report, broken.add)
    for sentence in sorted(broken):
        typer.echo(sentence, err=True)
    if json:
        print_json(
            {
                "machine": machine,
                "bots": workshop.language,
                "seconds": seconds,
                "rounds": rounds,
                "figures": figures,
            }
        )
        return
    typer.echo(f"{machine.cpu}, {machine.cores} cores, {machine.python}, {machine.kernel}")
    typer.echo(f"bench bots in {workshop.language}; the median of {rounds} rounds, and their range")
    print_table(["", "", ">median", "", ">µs", ">lowest", ">highest", "beside"], _rows(figures))


def _check_groups(names: Sequence[str]) -> None:
    from arena.bench.suite import GROUPS

    for name in names:
        if name not in GROUPS:
            raise typer.BadParameter(
                f"there is no group '{name}'; it is one of {', '.join(GROUPS)}",
                param_hint="--only",
            )


def _report(probe: "Probe") -> None:
    if sys.stderr.isatty():
        typer.echo(f"{probe.group}: {probe.name}", err=True)


def _rows(figures: "Sequence[Figure]") -> Iterator[Sequence[str]]:
    group = ""
    for figure in figures:
        heading = "" if figure.group == group else figure.group
        group = figure.group
        yield (
            heading,
            figure.name,
            _number(figure.median),
            figure.unit,
            f"{1e6 / figure.median:.1f}" if figure.unit.endswith("/s") else "",
            _number(figure.low),
            _number(figure.high),
            _comparison(figure, figures),
        )


def _comparison(figure: "Figure", figures: "Sequence[Figure]") -> str:
    """`0.21 × bare exchange`; empty where there is nothing to compare with."""
    from arena.bench.suite import beside

    other = beside(figure, figures)
    return f"{figure.median / other.median:.2f} × {other.name}" if other else ""


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"
