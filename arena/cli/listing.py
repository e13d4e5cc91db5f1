"""`arena games`, `arena bots` and `arena schema`: what there is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import options as o
from arena.cli.output import print_json, print_table

if TYPE_CHECKING:
    from arena.tournament.entry import Entry


def games(json: o.AsJson = False) -> None:
    """List the games, their players and options."""
    from arena.tournament import listings
    from engine import registry

    found = listings.games()
    if json:
        print_json(found)
        return
    for game in found:
        players = f"{game.players[0]} to {game.players[-1]}"
        if len(game.players) == 1:
            players = str(game.players[0])
        typer.echo(f"{game.name}: {game.title}, {players} players; designed by {game.credit}")
        for option in game.options:
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
    from msgspec.structs import asdict

    from arena.tournament import listings
    from arena.tournament.entry import resolve

    entries = [resolve(bot) for bot in words] if words else _registered()
    if json:
        print_json(
            [
                {
                    **asdict(listings.bot(entry)),
                    "command": entry.program.command,
                    "folder": entry.program.folder,
                }
                for entry in entries
            ]
        )
        return
    print_table(
        ["name", "digest", "program"],
        [(e.name, e.entrant.digest, " ".join(e.program.command)) for e in entries],
    )


def _registered() -> "Sequence[Entry]":
    """All registered bots; one that cannot be used does not hide the others."""
    from arena.tournament.entry import usable

    entries, flaws = usable()
    for flaw in flaws:
        typer.echo(flaw, err=True)
    return entries


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
