"""Games and positions of Savanna Ten that its tests share."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from engine.game import CHANCE, Table
from engine.options import make_table
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_wire import SavannaOptions

GAME = SavannaTen()
FOLDER = Path(__file__).parent / "golden"
GOLDEN: dict[str, Any] = json.loads((FOLDER / "savanna-ten-golden.json").read_bytes())
"""The game of the rulebook."""
RECORDS: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "games-savanna-ten.jsonl").read_bytes().splitlines()
]
"""Whole games of another engine, with the scores and the lines judged after each action."""


def table(players: int = 2, mouse: str = "off", teams: bool = False) -> Table[SavannaOptions]:
    return make_table(GAME, players, {"mouse": mouse, "teams": teams})


TABLES = [
    table(players, mouse, teams)
    for players, teams in ((2, False), (3, False), (4, False), (4, True))
    for mouse in ("off", "replace", "add")
]
"""Every table that the game allows."""


def name_of(of: Table[SavannaOptions]) -> str:
    return f"{of.players}-{of.options.mouse}{'-teams' if of.options.teams else ''}"


def played(state: SavannaState, *actions: str) -> SavannaState:
    for action in actions:
        state = GAME.apply(state, action)
    return state


def replayed(record: dict[str, Any], steps: int | None = None) -> SavannaState:
    """The state after the first steps of a record, all of them by default."""
    start = GAME.initial(table(record["players"], **record["options"]))
    return played(start, *(entry["do"] for entry in record["log"][:steps]))


def random_game(of: Table[SavannaOptions], seed: int) -> Iterator[tuple[SavannaState, str]]:
    """A random game: each state and the action that was taken in it."""
    rng, deal = Random(seed), f"deal {seed}"
    state = GAME.initial(of)
    while (seat := GAME.to_act(state)) is not None:
        action = GAME.chance(state, deal) if seat == CHANCE else rng.choice(GAME.legal(state))
        yield state, action
        state = GAME.apply(state, action)


EXAMPLE = replayed(RECORDS[0], 20)
"""The position of the protocol's page: seat 0 of 2 is to place the ninth tile."""
