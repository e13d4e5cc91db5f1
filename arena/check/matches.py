"""Whole matches as rules: every number of seats, and options that change what is played."""

from typing import Any, Final

from msgspec import Struct

from arena.check.rules import Rule
from arena.check.sitting import Sitting
from arena.check.talk import Lab
from engine.game import AnyGame
from engine.options import make_table


class Setting(Struct, frozen=True):
    """A table, and the seat that the bot has at it."""

    players: int
    seat: int
    options: dict[str, Any] = {}


SETTINGS: Final = {
    "savanna-ten": (
        Setting(2, 0),
        Setting(3, 2, {"mouse": "replace"}),
        Setting(4, 1, {"mouse": "add"}),
        Setting(4, 3, {"mouse": "add", "teams": True}),
    ),
    "herd": (
        Setting(2, 1),
        Setting(2, 0, {"size": 3}),
        Setting(2, 1, {"size": 10, "turn_limit": 6}),
    ),
}
"""What a game of ours is played with; another's is played at every number of seats."""


def match_rules(games: tuple[AnyGame, ...]) -> list[Rule]:
    """A rule for each setting of the games."""
    return [
        _rule(game, setting)
        for game in games
        for setting in SETTINGS.get(game.name) or [Setting(count, 0) for count in game.players]
    ]


def _rule(game: AnyGame, setting: Setting) -> Rule:
    async def check(lab: Lab) -> str:
        table = make_table(game, setting.players, setting.options)
        async with lab.bot() as talk:
            sitting = Sitting(game, table, setting.seat, legal=talk.bot.ready.legal)
            await talk.play(sitting)
        return f"{len(sitting.actions)} actions"

    words = [f"{name} {str(value).lower()}" for name, value in setting.options.items()]
    about = ", ".join([f"{setting.players} seats", *words])
    return Rule(
        name="-".join(["match", game.name, str(setting.players), *setting.options]),
        title=f"It plays a whole match of {game.title}: {about}",
        mend="",
        check=check,
    )
