"""A turn that is being put together, so that it can be taken back until it is complete.

Nothing of it has happened yet: it is tried on states that fit what the seat knows. Where these
would come to differ in what the seat sees, the action would reveal something; then, as where dice
or draws follow, the turn has to be played before it goes on.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.game import AnyGame, AnyTable, Effect, IllegalAction

SAMPLES: Final = 3
"""States that are tried."""


class _Step(Struct, frozen=True):
    """Where an action led."""

    states: tuple[Any, ...]
    action: str = ""
    effects: tuple[Effect, ...] = ()
    revealing: bool = False


class Draft:
    """What a seat has put together of the turn that it was asked for."""

    def __init__(
        self, game: AnyGame, table: AnyTable, seat: int, view: Any, legal: Sequence[str]
    ) -> None:
        """Begin a turn.

        Args:
            game: whose rules hold.
            table: what is fixed.
            seat: whose turn it is.
            view: what it knows.
            legal: what it may do first.
        """
        self._game = game
        self._seat = seat
        self._legal = legal
        states = tuple(game.sample(table, view, seat, Random(n)) for n in range(SAMPLES))
        self._turn = game.turn(states[0])
        self._steps = [_Step(states)]

    @property
    def actions(self) -> tuple[str, ...]:
        """What it consists of so far."""
        return tuple(step.action for step in self._steps[1:])

    @property
    def effects(self) -> list[Effect]:
        """What came of it."""
        return [effect for step in self._steps for effect in step.effects]

    @property
    def legal(self) -> Sequence[str]:
        """What may come next."""
        return self._game.legal(self._state) if self.actions else self._legal

    @property
    def view(self) -> Any:
        """What the seat would know."""
        return self._game.view(self._state, self._seat)

    @property
    def settled(self) -> bool:
        """It has to be played now: the turn is over, or would reveal something."""
        game, state = self._game, self._state
        goes_on = game.to_act(state) == self._seat and game.turn(state) == self._turn
        return bool(self.actions) and (not goes_on or self._steps[-1].revealing)

    def add(self, action: str) -> bool:
        """Add an action; False where it is not legal."""
        if action not in self.legal:
            return False
        before = self._steps[-1].states
        after = tuple(
            tried for state in before if (tried := self._tried(state, action)) is not None
        )
        if after:
            effects = tuple(self._game.effects(before[0], action, after[0]))
            revealing = len(after) < len(before) or self._differ(after)
            self._steps.append(_Step(after, action, effects, revealing))
        else:
            self._steps.append(_Step(before, action, revealing=True))
        return True

    def undo(self) -> bool:
        """Take back the last action; False where there is none."""
        if not self.actions:
            return False
        self._steps.pop()
        return True

    @property
    def _state(self) -> Any:
        return self._steps[-1].states[0]

    def _tried(self, state: Any, action: str) -> Any:
        try:
            return self._game.apply(state, action)
        except IllegalAction:  # by what the seat does not know
            return None

    def _differ(self, states: Sequence[Any]) -> bool:
        """Whether the seat would see different things."""
        views = {msgspec.json.encode(self._game.view(state, self._seat)) for state in states}
        return len(views) > 1
