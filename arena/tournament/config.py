"""A tournament in a TOML file; every setting of the command line has its key here.

```toml
game = "savanna-ten"
format = "gauntlet"
deals = 100
turn-time = "200ms"

[option]
mouse = "replace"

[[bot]]
bot = "./mybot"
challenger = true

[[bot]]
bot = "search --nodes 500"
name = "search-500"
memory = "1GB"
time-handicap = 2.0
```
"""

from pathlib import Path
from typing import Any

from msgspec import Struct

from arena.toml import load


class BotSettings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """An entrant."""

    bot: str
    """BOT, as on the command line."""
    name: str | None = None
    arguments: tuple[str, ...] = ()
    """Added to the words of `bot`."""
    env: dict[str, str] = {}
    """Added to the bot's environment."""
    memory: str | None = None
    """In place of the tournament's limit."""
    time_handicap: float = 1.0
    """What its clocks are multiplied by."""
    challenger: bool = False
    """In a gauntlet: meets the field."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A tournament; what is None or empty takes the default."""

    game: str
    bot: tuple[BotSettings, ...] = ()
    option: dict[str, Any] = {}
    """Of the game."""
    seats: int | None = None
    format: str = "round-robin"
    deals: int | None = None
    matches: int | None = None
    """A balanced sample of a round robin; the budget of a ladder."""
    rounds: int | None = None
    """Of a Swiss tournament."""
    time_limit: str | None = None
    """Nothing is begun after so long."""
    seed: str | None = None
    store: str | None = None
    turn_time: str | None = None
    first_time: str | None = None
    bank: str | None = None
    increment: str | None = None
    start_time: str | None = None
    margin: str | None = None
    memory: str | None = None
    workers: int | None = None
    per_worker: int | None = None
    fresh: bool = False
    isolation: str | None = None
    trust: bool = False


def read(path: Path) -> Settings:
    """The tournament in a file.

    Raises:
        TomlError: with the line and what is expected.
    """
    return load(path, Settings)
