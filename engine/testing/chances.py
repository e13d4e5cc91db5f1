"""Chance: outcomes and probabilities, and that a deal decides them the same way everywhere."""

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import accumulate
from math import isclose
from typing import Any, Final, TypeAlias

from engine.game import CHANCE, AnyGame, AnyTable
from engine.testing.walks import Position, Walk, decode, encode, on_walks, walks

OUTCOME: Final = re.compile(r"[!-~]+")
"""Printable ASCII without spaces."""

Logs: TypeAlias = Sequence[tuple[AnyTable, Sequence[str]]]
"""Whole matches: their tables and all actions."""


@on_walks
def check_chances(walk: Walk) -> None:
    """`chances` gives each outcome once with its probability, and `chance` is one of them."""
    for position in walk:
        game, state = position.game, position.state
        if game.to_act(state) != CHANCE:
            continue
        chances = game.chances(state)
        outcomes = [outcome for outcome, _ in chances]
        if len(set(outcomes)) < len(outcomes):
            position.fail(f"chances gives each outcome once, but {outcomes}")
        for outcome in outcomes:
            if not OUTCOME.fullmatch(outcome):
                position.fail(
                    f"an outcome is of the form {OUTCOME.pattern}, but {outcome!r} is not"
                )
        if any(share <= 0 for _, share in chances):
            position.fail(f"a probability is above 0, but {chances}")
        if not isclose(sum(share for _, share in chances), 1, abs_tol=1e-9):
            position.fail(f"the probabilities sum to 1, but {chances}")
        if game.chance(state, walk.deal) not in outcomes:
            position.fail(f"chance is among chances, but {game.chance(state, walk.deal)} is not")


@on_walks
def check_deals(walk: Walk) -> None:
    """`chance` gives the same for the same deal, and something else for some other deal."""
    open_choice, varied = False, False
    for position in walk:
        game, state = position.game, position.state
        if game.to_act(state) != CHANCE:
            continue
        outcome = game.chance(state, walk.deal)
        others = {game.chance(state, f"other-{number}") for number in range(20)}
        if {game.chance(state, walk.deal), game.chance(position.copy(), walk.deal)} != {outcome}:
            position.fail("chance gives the same outcome for the same deal and state")
        open_choice |= len(game.chances(state)) > 1
        varied |= others != {outcome}
    if open_choice and not varied:
        walk.start.fail("chance follows from the deal, but gives the same for every deal")


def check_another_process(game: AnyGame, seed: int = 0, matches: int = 1) -> None:
    """A match goes the same way in another process, where strings hash otherwise."""
    played = [list(walk) for walk in walks(game, seed, matches)]
    logs = [(match[-1].table, match[-1].log) for match in played]
    elsewhere = _trace_elsewhere(game, logs, played[0][0])
    for match, (table, log), trace in zip(played, logs, elsewhere, strict=True):
        here = trace_match(game, table, log)
        for position, one, other in zip(match, here, trace, strict=True):
            if one != other:
                position.fail(f"another process gives the same, not {other} for {one}")


def trace_match(game: AnyGame, table: AnyTable, log: Sequence[str]) -> Sequence[str]:
    """What a game says at each position of a match, as JSON."""
    states = accumulate(log, game.apply, initial=game.initial(table))
    return [encode(_said(game, state)).decode() for state in states]


def _said(game: AnyGame, state: Any) -> Sequence[Any]:
    seat = game.to_act(state)
    chance = game.chance(state, "deal") if seat == CHANCE else None
    return (seat, chance, game.legal(state), game.view(state, None), state)


def _trace_elsewhere(game: AnyGame, logs: Logs, start: Position) -> Sequence[Sequence[str]]:
    """`trace_match` of each log by another process with another hash seed."""
    try:
        task = pickle.dumps((game, logs))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        start.fail(f"a game stands in a module, so that other processes find it, but {error}")
    other_seed = "1" if os.environ.get("PYTHONHASHSEED") == "2" else "2"
    path = os.pathsep.join(filter(None, sys.path))
    run = subprocess.run(
        [sys.executable, "-c", "from engine.testing.chances import answer; answer()"],
        env={**os.environ, "PYTHONHASHSEED": other_seed, "PYTHONPATH": path},
        input=task,
        capture_output=True,
        check=False,
    )
    if run.returncode:
        start.fail(f"another process can play the same match, but {run.stderr.decode()}")
    elsewhere: Sequence[Sequence[str]] = decode(run.stdout, list[list[str]])
    return elsewhere


def answer() -> None:
    """The other process: a pickled game and logs on stdin, their traces as JSON on stdout."""
    game, logs = pickle.load(sys.stdin.buffer)
    traces = [trace_match(game, table, log) for table, log in logs]
    sys.stdout.buffer.write(encode(traces))
