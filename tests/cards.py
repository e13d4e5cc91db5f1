"""A small game that keeps every promise: hidden cards, chance, teams, options of two kinds."""
# ruff: noqa: ARG002  # the interface hands over more than so small a game needs

from collections.abc import Sequence
from random import Random
from typing import Annotated, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.game import CHANCE, Effect, Game, IllegalAction, Outcome, Table, TableError
from engine.picture import cell, picture, text
from engine.randomness import below

CARDS = (1, 2, 3)


class CardsOptions(Struct, frozen=True, forbid_unknown_fields=True):
    bonus: Annotated[int, Meta(ge=0, le=2)] = 1
    teams: bool = False


class CardsState(Struct, frozen=True):
    players: int
    bonus: int
    teams: bool
    cards: tuple[int, ...] = ()
    """What each seat drew, in the order of the seats."""
    plays: tuple[str, ...] = ()
    """`show@A1` or `hide@A1` of each seat so far."""


class CardsView(Struct, frozen=True):
    players: int
    bonus: int
    teams: bool
    drawn: int
    card: int | None
    """The seat's own card."""
    plays: tuple[str, ...]
    shown: tuple[int | None, ...]
    """The card of each seat that has played, None where it is hidden."""


class Drawn(Struct, frozen=True):
    seat: int
    draw: int | None


class Played(Struct, frozen=True):
    seat: int
    action: str


class Cards(Game[CardsOptions, CardsState, CardsView]):
    """Each seat draws a card, then shows it for its points or hides it for the bonus."""

    name: ClassVar[str] = "cards"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Cards"
    credit: ClassVar[str] = "nobody, 2026"
    players: ClassVar[range] = range(2, 5)

    options_type = CardsOptions
    state_type = CardsState
    view_type = CardsView
    event_types = (Drawn, Played)

    def check(self, table: Table[CardsOptions]) -> None:
        if table.options.teams and table.players != 4:
            raise TableError("teams are for 4 players")

    def sides(self, table: Table[CardsOptions]) -> tuple[int, ...]:
        return tuple(seat % 2 if table.options.teams else seat for seat in range(table.players))

    def initial(self, table: Table[CardsOptions]) -> CardsState:
        return CardsState(table.players, table.options.bonus, table.options.teams)

    def to_act(self, state: CardsState) -> int | None:
        if len(state.cards) < state.players:
            return CHANCE
        return len(state.plays) if len(state.plays) < state.players else None

    def turn(self, state: CardsState) -> int:
        return min(len(state.plays) + 1, state.players)

    def legal(self, state: CardsState) -> Sequence[str]:
        seat = self.to_act(state)
        return () if seat is None or seat == CHANCE else ("show@A1", "hide@A1")

    def apply(self, state: CardsState, action: str) -> CardsState:
        if self.to_act(state) == CHANCE and action in dict(self.chances(state)):
            return replace(state, cards=(*state.cards, int(action[-1])))
        if action in self.legal(state):
            return replace(state, plays=(*state.plays, action))
        raise IllegalAction("malformed", "write show@A1 or hide@A1")

    def outcome(self, state: CardsState) -> Outcome | None:
        if self.to_act(state) is not None:
            return None
        scores = self.scores(state)
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        sides = [seat % len(scores) for seat in range(state.players)]
        return Outcome(tuple(ranks[side] for side in sides), scores, "finished")

    def scores(self, state: CardsState) -> tuple[int, ...]:
        scores = [0] * (2 if state.teams else state.players)
        for seat, (card, play) in enumerate(zip(state.cards, state.plays, strict=False)):
            scores[seat % len(scores)] += card if play == "show@A1" else state.bonus
        return tuple(scores)

    def chance(self, state: CardsState, deal: str) -> str:
        seat = len(state.cards)
        return f"draw@{seat}:{CARDS[below(3, deal, seat)]}"

    def chances(self, state: CardsState) -> Sequence[tuple[str, float]]:
        return [(f"draw@{len(state.cards)}:{card}", 1 / 3) for card in CARDS]

    def view(self, state: CardsState, seat: int | None) -> CardsView:
        own = None if seat is None or seat >= len(state.cards) else state.cards[seat]
        shown = tuple(
            card if play == "show@A1" else None
            for card, play in zip(state.cards, state.plays, strict=False)
        )
        return CardsView(
            state.players, state.bonus, state.teams, len(state.cards), own, state.plays, shown
        )

    def redact(
        self, before: CardsState, action: str, after: CardsState, seat: int | None
    ) -> Struct | None:
        if self.to_act(before) != CHANCE:
            return Played(len(before.plays), action)
        drawer = len(before.cards)
        return Drawn(drawer, after.cards[drawer] if drawer == seat else None)

    def sample(
        self, table: Table[CardsOptions], view: CardsView, seat: int, rng: Random
    ) -> CardsState:
        cards = [rng.choice(CARDS) for _ in range(view.drawn)]
        for other, card in enumerate(view.shown):
            cards[other] = cards[other] if card is None else card
        cards[seat] = cards[seat] if view.card is None else view.card
        return CardsState(view.players, view.bonus, view.teams, tuple(cards), view.plays)

    def actions(self, table: Table[CardsOptions]) -> Sequence[str]:
        return ["show@A1", "hide@A1"]

    def features(self, table: Table[CardsOptions], view: CardsView, seat: int) -> Sequence[float]:
        return [(view.card or 0) / 3, view.drawn / 4]

    def effects(self, before: CardsState, action: str, after: CardsState) -> Sequence[Effect]:
        return (Effect("shown", ("A1",), {0: 0}),) if action == "show@A1" else ()

    def text(self, table: Table[CardsOptions], view: CardsView) -> str:
        return f"card {view.card}\nplays {' '.join(view.plays)}"

    def svg(
        self, table: Table[CardsOptions], view: CardsView, effects: Sequence[Effect] = ()
    ) -> str:
        plays = text(" ".join(view.plays), 0, 5, 12)
        lit = text("shown", 0, 20, 12) if effects else ""
        says = f"card {view.card}"
        return picture(100, 50, says, [cell("A1", says, 50, 20, plays, lit)])
