"""Pig: roll as often as you dare; a 1 takes what the turn has brought. Make it your game."""

from collections.abc import Sequence
from random import Random
from typing import Annotated, ClassVar

from engine.game import CHANCE, Effect, Game, IllegalAction, Outcome, Table
from engine.picture import CELL, INK, ON_SEATS, SEATS, element, moved, picture, text
from engine.randomness import below
from engine.words import quoted
from msgspec import Meta, Struct
from msgspec.structs import replace


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What is chosen before a game: `--option goal=50`."""

    goal: Annotated[int, Meta(ge=10, le=200, description="points that win")] = 50


class State(Struct, frozen=True):
    """Everything about a game. Here the seats may see it all, so that it is the view too."""

    goal: int
    scores: tuple[int, ...]
    turn: int = 1
    gathered: int = 0
    """What this turn has brought so far."""
    rolls: int = 0
    """In this turn."""
    rolling: bool = False
    """The die is to be rolled."""
    die: int | None = None
    """What was rolled last, also in the turn before."""


class ActionEvent(Struct, frozen=True):
    """A seat rolled or held."""

    seat: int
    action: str


class RollEvent(Struct, frozen=True):
    """What the die shows."""

    seat: int
    roll: int


class GameStarter(Game[Options, State, State]):
    """The rules."""

    name: ClassVar[str] = "game-starter"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Game Starter"
    credit: ClassVar[str] = "you"
    about: ClassVar[str] = (
        "In your turn roll a die as often as you like: what you rolled is yours when you hold, but"
        " a 1 takes it away and ends the turn. The first to reach the goal wins."
    )
    players: ClassVar[range] = range(2, 5)

    options_type = Options
    state_type = State
    view_type = State
    event_types = (ActionEvent, RollEvent)

    # What is played

    def sides(self, table: Table[Options]) -> tuple[int, ...]:
        """Everybody plays alone."""
        return tuple(range(table.players))

    def initial(self, table: Table[Options]) -> State:
        """Nobody has points."""
        return State(table.options.goal, (0,) * table.players)

    # How it goes on

    def to_act(self, state: State) -> int | None:
        """CHANCE where the die is to be rolled; None when somebody reached the goal."""
        if max(state.scores) >= state.goal:
            return None
        return CHANCE if state.rolling else self._mover(state)

    def turn(self, state: State) -> int:
        """A turn lasts until its seat holds or rolls a 1."""
        return state.turn

    def legal(self, state: State) -> Sequence[str]:
        """The first roll is a must."""
        if self.to_act(state) in (CHANCE, None):
            return ()
        return ("roll", "hold") if state.rolls else ("roll",)

    def apply(self, state: State, action: str) -> State:
        """The state after an action or a roll.

        Raises:
            IllegalAction: with a code of `not-due`, `over`, `malformed`.
        """
        if self.to_act(state) == CHANCE:
            return self._rolled(state, action)
        legal = self.legal(state)
        if action not in legal:
            code = "malformed" if legal else "over"
            raise IllegalAction(
                code, f"{quoted(action)}: legal is {' or '.join(legal) or 'nothing'}"
            )
        if action == "roll":
            return replace(state, rolling=True, rolls=state.rolls + 1)
        return self._next_turn(state, state.gathered)

    def outcome(self, state: State) -> Outcome | None:
        """More points rank better."""
        if self.to_act(state) is not None:
            return None
        ranks = tuple(1 + sum(other > own for other in state.scores) for own in state.scores)
        return Outcome(ranks, state.scores, "finished")

    def scores(self, state: State) -> tuple[int, ...]:
        """What is safe."""
        return state.scores

    # Chance: written `roll@4`, and the same for the same deal, turn and roll

    def chance(self, state: State, deal: str) -> str:
        """The roll of this place in the game."""
        return f"roll@{below(6, deal, 'roll', state.turn, state.rolls) + 1}"

    def chances(self, state: State) -> Sequence[tuple[str, float]]:
        """Six faces, each as likely."""
        return [(f"roll@{face}", 1 / 6) for face in range(1, 7)]

    # Who may know what: here everybody everything

    def view(self, state: State, seat: int | None) -> State:
        """No secrets."""
        return state

    def redact(
        self, before: State, action: str, after: State, seat: int | None
    ) -> ActionEvent | RollEvent:
        """What everybody sees of an action."""
        mover = self._mover(before)
        return RollEvent(mover, int(action[-1])) if before.rolling else ActionEvent(mover, action)

    def sample(self, table: Table[Options], view: State, seat: int, rng: Random) -> State:
        """The view is the state."""
        return view

    # For programs that learn: may be left out

    def actions(self, table: Table[Options]) -> Sequence[str]:
        """All there are."""
        return ("roll", "hold")

    def features(self, table: Table[Options], view: State, seat: int) -> Sequence[float]:
        """The scores from the own one on, and what the turn has brought."""
        seats = [(seat + step) % table.players for step in range(table.players)]
        return [*(view.scores[other] / view.goal for other in seats), view.gathered / view.goal]

    # For people

    def effects(self, before: State, action: str, after: State) -> Sequence[Effect]:
        """A roll, or points that are safe now."""
        mover = self._mover(before)
        if before.rolling:
            return (Effect("rolled a 1" if action == "roll@1" else f"rolled {action[-1]}"),)
        return (Effect("held", points={mover: before.gathered}),) if action == "hold" else ()

    def text(self, table: Table[Options], view: State) -> str:
        """The scores, and what is at stake."""
        mover = None if self.to_act(view) is None else self._mover(view)
        lines = [f"Turn {view.turn}, to {view.goal} points", ""]
        for seat, score in enumerate(view.scores):
            stake = f" + {view.gathered}" if seat == mover and view.gathered else ""
            lines.append(f"{'>' if seat == mover else ' '} seat {seat}: {score}{stake}")
        return "\n".join([*lines, "", f"die: {view.die or '-'}"])

    def svg(self, table: Table[Options], view: State, effects: Sequence[Effect] = ()) -> str:
        """A bar per seat, what is at stake on top of it, and the die."""
        mover = None if self.to_act(view) is None else self._mover(view)
        rows = [
            moved(0, 60 * seat, _bar(view, seat, acts=seat == mover))
            for seat in range(table.players)
        ]
        frame = element("rect", x=-26, y=-26, width=52, height=52, rx=10, fill=CELL, stroke=INK)
        die = moved(250, 60 * table.players + 44, frame, text(view.die or "", 0, 10, 30))
        says = f"Turn {view.turn}. Points: {', '.join(map(str, view.scores))}, goal {view.goal}."
        return picture(500, 60 * table.players + 90, says, [*rows, die])

    # Turns

    def _mover(self, state: State) -> int:
        return (state.turn - 1) % len(state.scores)

    def _rolled(self, state: State, outcome: str) -> State:
        if outcome not in dict(self.chances(state)):
            raise IllegalAction("not-due", f"{quoted(outcome)}: the die is to be rolled")
        die = int(outcome[-1])
        if die == 1:
            return replace(self._next_turn(state, 0), die=die)
        return replace(state, rolling=False, die=die, gathered=state.gathered + die)

    def _next_turn(self, state: State, won: int) -> State:
        mover = self._mover(state)
        scores = tuple(score + won * (seat == mover) for seat, score in enumerate(state.scores))
        return State(state.goal, scores, state.turn + 1, die=state.die)


def _bar(view: State, seat: int, *, acts: bool) -> str:
    """A seat's points as a bar up to the goal, with what is at stake."""
    safe = 400 * min(view.scores[seat] / view.goal, 1)
    stake = 400 * min(view.gathered / view.goal, 1) if acts else 0
    number = f"{view.scores[seat]} + {view.gathered}" if stake else f"{view.scores[seat]}"
    return "".join(
        (
            moved(32, 34, element("circle", r=18, fill=SEATS[seat], stroke=INK)),
            text(seat, 32, 41, 20, fill=ON_SEATS[seat]),
            element("rect", x=70, y=14, width=400, height=40, rx=6, fill=CELL, stroke=INK),
            element("rect", x=70, y=14, width=safe, height=40, rx=6, fill=SEATS[seat]),
            element("rect", x=70 + safe, y=24, width=stake, height=20, fill=SEATS[seat]),
            text(number, 460, 41, 20, text_anchor="end"),
        )
    )
