"""The result of a match: the game's where nobody was faulted, the faults' where they decide."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.referee.faults import Code
from engine.game import AnyGame
from protocol.messages import Result
from protocol.record import Fault


def sides_out(faults: Sequence[Fault], sides: Sequence[int]) -> dict[int, int]:
    """The sides with a faulted seat, and when each was faulted; those that never started tie."""
    out: dict[int, int] = {}
    for number, fault in enumerate(faults, 1):
        out.setdefault(sides[fault.seat], 0 if fault.code == Code.START else number)
    return out


def is_decided(out: Mapping[int, int], sides: Sequence[int]) -> bool:
    """Faults have left one side, or none."""
    return bool(out) and len(set(sides)) - len(out) <= 1


def result_of(game: AnyGame, state: Any, sides: Sequence[int], faults: Sequence[Fault]) -> Result:
    """The result in a state in which the game is over or faults have decided the match.

    Sides without fault rank by the game; faulted ones behind them, the later fault better.
    """
    outcome = game.outcome(state)
    out = sides_out(faults, sides)
    if not out:
        assert outcome is not None
        return Result(outcome.ranks, outcome.scores, outcome.reason)
    places = {side: (1, -moment) for side, moment in out.items()}
    for seat, side in enumerate(sides):
        places.setdefault(side, (0, outcome.ranks[seat] if outcome is not None else 1))
    ranks = (1 + sum(places[other] < places[side] for other in places) for side in sides)
    reason = "fault" if outcome is None or is_decided(out, sides) else outcome.reason
    return Result(tuple(ranks), game.scores(state), reason)
