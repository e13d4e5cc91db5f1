"""Whole games by random play, and the places in them that benchmarks look at."""

from random import Random
from typing import Any, NamedTuple

from engine.game import CHANCE, AnyGame, AnyTable
from engine.options import make_table
from engine.registry import game

DEAL = "0123456789abcdef0123456789abcdef"
GAMES = ("savanna-ten", "herd")


class Step(NamedTuple):
    """An action, between two states."""

    before: Any
    action: str
    after: Any


class Course:
    """A game as it was played, at its smallest table and with default options."""

    def __init__(self, name: str) -> None:
        self.game: AnyGame = game(name)
        self.table: AnyTable = make_table(self.game, self.game.players[0], {})
        self.steps: list[Step] = []
        rng = Random(0)
        state = self.game.initial(self.table)
        while (seat := self.game.to_act(state)) is not None:
            if seat == CHANCE:
                action = self.game.chance(state, DEAL)
            else:
                action = rng.choice(self.game.legal(state))
            after = self.game.apply(state, action)
            self.steps.append(Step(state, action, after))
            state = after

    def halfway(self, *, chance: bool = False) -> Step:
        """The first action of a seat, or of chance, in the second half of the game."""
        later = self.steps[len(self.steps) // 2 :]
        return next(step for step in later if (self.seat(step) == CHANCE) == chance)

    def seat(self, step: Step) -> int:
        """Who acted."""
        seat = self.game.to_act(step.before)
        assert seat is not None
        return seat

    def events(self, seat: int, last: int) -> list[Any]:
        """What a seat saw of the last actions before the middle of the game."""
        end = self.steps.index(self.halfway())
        seen = (self.game.redact(*step, seat) for step in self.steps[end - last : end])
        return [event for event in seen if event is not None]
