"""A tiny game for tests of the referee: every way a turn, a round and a game can end.

In a turn the seat plays `steps` actions: `one` and `two` score so much, `none` does not; where
it is allowed, `end` ends the game at once. With `dice` a roll opens every turn. The highest score
wins.
"""
# ruff: noqa: ARG002  # the interface hands over more than so small a game needs

from collections.abc import Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from engine.game import (
    CHANCE,
    Effect,
    Game,
    IllegalAction,
    Outcome,
    Table,
)
from engine.picture import picture, text

POINTS = {"one": 1, "two": 2, "none": 0, "end": 0}
"""What each action scores."""


class ToyOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """How long it lasts."""

    turns: int = 4
    steps: int = 1
    dice: bool = False
    teams: bool = False
    may_end: bool = False


class ToyState(Struct, frozen=True):
    """All there is."""

    table: Table[ToyOptions]
    scores: tuple[int, ...]
    turn: int = 1
    step: int = 0
    rolled: bool = False
    ended: bool = False


class ToyView(Struct, frozen=True):
    """A seat sees everything but the table."""

    turn: int
    step: int
    scores: tuple[int, ...]


class ToyEvent(Struct, frozen=True):
    """What a seat is told."""

    seat: int
    action: str


class ToyGame(Game[ToyOptions, ToyState, ToyView]):
    """The rules."""

    name = "toy"
    version = 1
    title = "Toy"
    credit = "nobody"
    players = range(2, 5)
    options_type = ToyOptions
    state_type = ToyState
    view_type = ToyView
    event_types = (ToyEvent,)

    def sides(self, table: Table[ToyOptions]) -> tuple[int, ...]:
        return tuple(s % 2 if table.options.teams else s for s in range(table.players))

    def initial(self, table: Table[ToyOptions]) -> ToyState:
        return ToyState(table, (0,) * (max(self.sides(table)) + 1))

    def to_act(self, state: ToyState) -> int | None:
        if state.ended or state.turn > state.table.options.turns:
            return None
        if state.table.options.dice and not state.rolled:
            return CHANCE
        return (state.turn - 1) % state.table.players

    def turn(self, state: ToyState) -> int:
        return state.turn

    def legal(self, state: ToyState) -> Sequence[str]:
        if self.to_act(state) in (None, CHANCE):
            return []
        return [word for word in POINTS if word != "end" or state.table.options.may_end]

    def apply(self, state: ToyState, action: str) -> ToyState:
        seat = self.to_act(state)
        assert seat is not None
        if seat == CHANCE:
            return replace(state, rolled=True)
        if action not in self.legal(state):
            raise IllegalAction("unknown", f"there is no {action}")
        side = self.sides(state.table)[seat]
        scores = tuple(
            points + POINTS[action] * (other == side) for other, points in enumerate(state.scores)
        )
        if action == "end":
            return replace(state, ended=True)
        if state.step + 1 < state.table.options.steps:
            return replace(state, scores=scores, step=state.step + 1)
        return replace(state, scores=scores, step=0, turn=state.turn + 1, rolled=False)

    def outcome(self, state: ToyState) -> Outcome | None:
        if self.to_act(state) is not None:
            return None
        own = [state.scores[side] for side in self.sides(state.table)]
        ranks = tuple(1 + sum(points > mine for points in state.scores) for mine in own)
        return Outcome(ranks, state.scores, "finished")

    def scores(self, state: ToyState) -> tuple[int, ...]:
        return state.scores

    def chance(self, state: ToyState, deal: str) -> str:
        return f"roll@{state.turn}"

    def chances(self, state: ToyState) -> Sequence[tuple[str, float]]:
        return [(f"roll@{state.turn}", 1.0)]

    def view(self, state: ToyState, seat: int | None) -> ToyView:
        return ToyView(state.turn, state.step, state.scores)

    def redact(
        self, before: ToyState, action: str, after: ToyState, seat: int | None
    ) -> ToyEvent | None:
        by = self.to_act(before)
        assert by is not None
        return ToyEvent(by, action)

    def sample(self, table: Table[ToyOptions], view: ToyView, seat: int, rng: Random) -> ToyState:
        return ToyState(table, view.scores, view.turn, view.step)

    def effects(self, before: ToyState, action: str, after: ToyState) -> Sequence[Effect]:
        return ()

    def text(self, table: Table[ToyOptions], view: ToyView) -> str:
        return f"{view.scores}"

    def svg(self, table: Table[ToyOptions], view: ToyView, effects: Sequence[Effect] = ()) -> str:
        return picture(100, 20, "toy", [text(view.scores, 50, 15, 12)])
