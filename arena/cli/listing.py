"""`arena games`, `arena bots` and `arena schema`: what there is."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import options as o
from arena.cli.output import print_json, print_table

if TYPE_CHECKING:
    from arena.tournament.entry import Entry


def games(json: o.AsJson = False) -> None:
    """List the games, their players and options."""
    from engine import registry
    from engine.options import list_options

    found = list(registry.games().values())
    if json:
        print_json(
            [
                {
                    "name": game.name,
                    "version": game.version,
                    "title": game.title,
                    "credit": game.credit,
                    "players": list(game.players),
                    "options": list_options(game),
                }
                for game in found
            ]
        )
        return
    for game in found:
        players = f"{game.players[0]} to {game.players[-1]}"
        if len(game.players) == 1:
            players = str(game.players[0])
        typer.echo(f"{game.name}: {game.title}, {players} players; designed by {game.credit}")
        for option in list_options(game):
            default = str(option.default).lower()
            typer.echo(f"    --option {option.name}={default:<6} {option.allowed}")
            typer.echo(f"        {option.description}")
    for broken in registry.broken():
        typer.echo(broken.reason, err=True)


def bots(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[BOT…]", help="Bots to look up; without: all registered."),
    ] = None,
    json: o.AsJson = False,
) -> None:
    """List the bots that names resolve to, with digest and program."""
    from arena.tournament.entry import resolve

    entries = [resolve(bot) for bot in words] if words else list(_registered())
    if json:
        print_json(
            [
                {
                    "name": entry.name,
                    "digest": entry.entrant.digest,
                    "command": entry.program.command,
                    "folder": entry.program.folder,
                    "games": entry.games,
                    "network": entry.entrant.network,
                }
                for entry in entries
            ]
        )
        return
    print_table(
        ["name", "digest", "program"],
        [(e.name, e.entrant.digest, " ".join(e.program.command)) for e in entries],
    )


def _registered() -> "Iterator[Entry]":
    """All registered bots; one that cannot be used does not hide the others."""
    from arena.referee.faults import CannotStart
    from arena.tournament.entry import registered, resolve

    for name in registered():
        try:
            yield resolve(name)
        except CannotStart as error:
            typer.echo(error, err=True)


def schema(
    game: Annotated[
        str | None, typer.Option("--game", help="Add the state and events of a game.")
    ] = None,
) -> None:
    """Print the JSON Schema of the protocol and the record."""
    from protocol import schema as protocol_schema

    extra: dict[str, Any] = {}
    if game is not None:
        from engine import registry

        chosen = registry.game(game)
        extra = {"options": chosen.options_type, "state": chosen.view_type}
        extra |= {f"event_{kind.__name__}": kind for kind in chosen.event_types}
    typer.echo(protocol_schema.text(protocol_schema.build(extra)), nl=False)
