"""All commands under one name. Commands import what they need when they run."""

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from arena import VERSION
from arena.cli.analyse import analyse
from arena.cli.ask import ask
from arena.cli.bench import bench
from arena.cli.check import check
from arena.cli.compare import compare
from arena.cli.doctor import doctor
from arena.cli.leaderboard import leaderboard
from arena.cli.listing import bots, games, schema
from arena.cli.match import match
from arena.cli.new import new
from arena.cli.run import run
from arena.cli.serve import serve
from arena.cli.show import show
from arena.cli.site import site
from arena.cli.stored import delete, export, import_, matches, runs, verify


class Commands(TyperGroup):
    """The commands; who reads the output of one may leave when they have seen enough."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the context names, and see its output out."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            from arena.cli.streams import give_up_stdout

            give_up_stdout()
            return None
        return result


app = typer.Typer(
    name="arena",
    cls=Commands,
    help="Bots in any language play each other: matches, tournaments, leaderboards.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"savanna-arena {VERSION}")
        raise typer.Exit


@app.callback()
def common(
    log_json: Annotated[
        bool, typer.Option("--log-json", help="Logs on stderr as JSON lines.")
    ] = False,
    verbose: Annotated[
        int, typer.Option("--verbose", "-v", count=True, help="More in the log; twice: still more.")
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only errors in the log.")] = False,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Say which arena."),
    ] = False,
) -> None:
    """Take the options that hold for every command."""
    from arena.log import configure

    configure(as_json=log_json, verbosity=-1 if quiet else verbose)


for command in (
    games,
    bots,
    match,
    run,
    compare,
    leaderboard,
    runs,
    matches,
    show,
    serve,
    site,
    delete,
    export,
    verify,
    check,
    ask,
    analyse,
    new,
    bench,
    doctor,
    schema,
):
    app.command()(command)
app.command("import")(import_)
