"""The battery passes a right game, and each of its checks catches games that are wrong its way."""

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec import Struct, defstruct, field
from msgspec.structs import asdict, force_setattr, replace

from engine.game import AnyGame, Effect, IllegalAction, Outcome, TableError
from engine.testing import CHECKS, Check, check_game
from engine.testing.walks import spread_tables
from tests.cards import Cards, CardsState, Drawn

RIGHT = Cards()
NAMED = {check.__name__: check for check in CHECKS}


def wrong(**changes: Any) -> AnyGame:
    """The right game with other attributes or methods."""
    return type("Wrong", (Cards,), changes)()  # type: ignore[no-any-return]  # made by name


def options(**config: Any) -> Any:
    fields: list[Any] = [("bonus", int, 1), ("teams", bool, False)]
    return defstruct("Options", fields, **config)


def outcome(**changes: Any) -> Any:
    """The right outcome with changes, each a function of it."""

    def changed(_: Cards, state: CardsState) -> Outcome | None:
        right = RIGHT.outcome(state)
        made = {name: change(right) for name, change in changes.items()} if right else {}
        return right and replace(right, **made)

    return changed


def refusal(code: str, detail: str = "write show@A1 or hide@A1") -> Any:
    """An `apply` that refuses with these words; `{action}` and `{cards}` are filled in."""

    def apply(_: Cards, state: CardsState, action: str) -> CardsState:
        try:
            return RIGHT.apply(state, action)
        except IllegalAction:
            raise IllegalAction(
                code, detail.format(action=action, cards=state.cards[-1:])
            ) from None

    return apply


def unset(_: Cards) -> Any:
    raise AttributeError


UNSET = property(unset)
CALLS = count()


def no_table(*_: object) -> Any:
    raise TableError("never")


def raises(*_: object) -> Any:
    raise KeyError("A1")


def endless(_: Cards, state: CardsState, action: str) -> CardsState:
    after = RIGHT.apply(state, action)
    return replace(after, plays=()) if len(after.plays) == state.players else after


class Growing(CardsState, frozen=True):
    """A state that another bonus comes back from JSON."""

    def __post_init__(self) -> None:
        force_setattr(self, "bonus", self.bonus + 1)


class Noting(CardsState, frozen=True):
    """A state that notes who looked at it."""

    looks: list[int] = field(default_factory=list)


def start_as(kind: type[CardsState]) -> Any:
    return lambda _, table: kind(table.players, table.options.bonus, table.options.teams)


def noting_view(_: Cards, state: Noting, seat: int | None) -> Any:
    state.looks.append(0)
    return RIGHT.view(state, seat)


class ArrayEvent(Struct, frozen=True, array_like=True):
    seat: int


class Told(Struct, frozen=True):
    card: int


def tells_draws(_: Cards, before: CardsState, action: str, after: CardsState, seat: Any) -> Any:
    return RIGHT.redact(before, action, after, len(before.cards))


def tells_hidden(_: Cards, before: CardsState, action: str, after: CardsState, seat: Any) -> Struct:
    return Told(before.cards[len(before.plays)]) if action == "hide@A1" else Drawn(0, None)


def sample_from_sum(_: Cards, table: Any, view: Any, seat: int, rng: Random) -> CardsState:
    return RIGHT.sample(table, replace(view, drawn=table.players), seat, rng)


class Marked(CardsState, frozen=True):
    """A state that knows whether it was sampled."""

    sampled: bool = False


def sample_marked(_: Cards, *given: Any) -> Marked:
    return Marked(**asdict(RIGHT.sample(*given)) | {"sampled": True})


def legal_unless_marked(_: Cards, state: Marked) -> Sequence[str]:
    return () if state.sampled else RIGHT.legal(state)


class HashChance(Cards):
    """The hash of a string differs from process to process."""

    def chance(self, state: CardsState, deal: str) -> str:
        seat = len(state.cards)
        return f"draw@{seat}:{1 + hash((deal, f'{seat}')) % 3}"


class HashOrder(Cards):
    """So does an order that follows from hashes, as that of a set."""

    def legal(self, state: CardsState) -> Sequence[str]:
        place = (state.cards, state.plays)
        return sorted(super().legal(state), key=lambda action: hash((action, place)))


class Teller(Cards):
    """What is legal depends on a card that the seat has not seen."""

    def legal(self, state: CardsState) -> Sequence[str]:
        return super().legal(state)[: 1 if state.cards[-1:] == (1,) and not state.plays else 2]


def chances(change: Any) -> AnyGame:
    return wrong(chances=lambda _, state: change(RIGHT.chances(state)))


def sampled(change: Any) -> AnyGame:
    return wrong(sample=lambda _, *given: change(RIGHT.sample(*given)))


def effect(shown: Any) -> AnyGame:
    return wrong(effects=lambda *_: [shown])


def svg(change: Any) -> AnyGame:
    """The right picture with a change."""
    return wrong(svg=lambda _, *given: change(RIGHT.svg(*given)))


def with_shape(shape: str) -> AnyGame:
    """A picture with one more element."""
    return svg(lambda right: right.replace("</svg>", f"{shape}</svg>"))


def text(shown: str) -> AnyGame:
    return wrong(text=lambda *_: shown)


class Newline(Cards):
    """The text ends with a newline."""

    def text(self, table: Any, view: Any) -> str:
        return super().text(table, view) + "\n"


WRONG: list[tuple[str, str, AnyGame]] = [
    ("declaration", "name is lower-case words", wrong(name="Cards!")),
    ("declaration", "Wrong sets title and credit", wrong(title=UNSET, credit=UNSET)),
    ("declaration", "version counts from 1", wrong(version=0)),
    ("declaration", "credit is a line of text", wrong(credit="")),
    ("declaration", "options_type is a frozen", wrong(options_type=options(frozen=False))),
    ("declaration", "forbids unknown fields", wrong(options_type=options(frozen=True))),
    ("declaration", r"event_types\[0\] is a frozen", wrong(event_types=(int,))),
    ("declaration", "players are counted from 1", wrong(players=range(3))),
    ("declaration", "each number of players has a table", wrong(check=no_table)),
    ("sides", "sides has an entry per seat", wrong(sides=lambda *_: (0,))),
    (
        "sides",
        "sides are counted from 0",
        wrong(sides=lambda _, table: range(1, table.players + 1)),
    ),
    ("legal", "exactly where a seat is to act", wrong(legal=lambda *_: ())),
    ("legal", "exactly where a seat is to act", wrong(legal=lambda *_: ("show@A1",))),
    ("legal", "no duplicates", wrong(legal=lambda _, state: [*RIGHT.legal(state)] * 2)),
    ("legal", "of the form", wrong(legal=lambda _, s: [a.upper() for a in RIGHT.legal(s)])),
    (
        "order",
        "the same list for the same state",
        wrong(legal=lambda _, state: RIGHT.legal(state)[:: -1 if next(CALLS) % 2 else 1]),
    ),
    (
        "order",
        "always stand in the same order",
        wrong(legal=lambda _, state: RIGHT.legal(state)[:: -1 if len(state.plays) == 1 else 1]),
    ),
    (
        "playable",
        "can be applied, but fold is refused",
        wrong(
            legal=lambda _, state: [*RIGHT.legal(state), "fold"] if RIGHT.legal(state) else (),
            apply=lambda _, state, action: RIGHT.apply(state, action),
        ),
    ),
    ("turns", "the first turn is turn 1", wrong(turn=lambda *_: 0)),
    (
        "turns",
        "turn never falls",
        wrong(turn=lambda _, state: 3 - len(state.plays) if state.plays else 1),
    ),
    ("turns", "a turn is of one seat", wrong(turn=lambda *_: 1)),
    ("turns", "to_act is a seat of the table", wrong(to_act=lambda *_: 7, apply=endless)),
    ("ending", "random play ends within", wrong(apply=endless)),
    ("ending", "exactly when nobody is to act", wrong(outcome=lambda *_: None)),
    ("ending", "exactly when nobody is to act", wrong(outcome=lambda *_: 1)),
    ("ending", "an entry per side", wrong(scores=lambda *_: ())),
    ("ending", "a rank per seat", wrong(outcome=outcome(ranks=lambda right: right.ranks[1:]))),
    (
        "ending",
        "a rank is 1",
        wrong(outcome=outcome(ranks=lambda right: tuple(rank + 1 for rank in right.ranks))),
    ),
    (
        "ending",
        "team mates share",
        wrong(outcome=outcome(ranks=lambda right: tuple(range(1, 1 + len(right.ranks))))),
    ),
    (
        "ending",
        "the outcome's scores are those",
        wrong(outcome=outcome(scores=lambda right: (*right.scores, 0))),
    ),
    ("ending", "reason is finished or limit", wrong(outcome=outcome(reason=lambda _: "bored"))),
    (
        "refusals",
        "is refused, because it is not legal",
        wrong(apply=lambda _, state, action: RIGHT.apply(state, action.lower())),
    ),
    (
        "refusals",
        "'draw@0:1' is refused",
        wrong(
            apply=lambda _, state, action: (
                state if state.plays and action == "draw@0:1" else RIGHT.apply(state, action)
            )
        ),
    ),
    (
        "refusals",
        "only raises IllegalAction, but raised KeyError",
        wrong(apply=lambda _, s, a: RIGHT.apply(s, a) if "@" in a else raises()),
    ),
    ("refusals", "printable ASCII", wrong(apply=refusal("malformed", "not {action}"))),
    ("refusals", "printable ASCII", wrong(apply=refusal("malformed", ""))),
    ("refusals", "printable ASCII", wrong(apply=refusal("malformed", "no " * 200))),
    ("refusals", "the code for '' is lower-case words", wrong(apply=refusal("E 17"))),
    ("json", "a state is of state_type", wrong(initial=start_as(Noting))),
    (
        "json",
        "comes back from JSON as it was",
        wrong(state_type=Growing, initial=start_as(Growing)),
    ),
    (
        "replay",
        "the same log gives the same state",
        wrong(initial=lambda _, table: CardsState(table.players, next(CALLS), False)),
    ),
    (
        "purity",
        "view does not change the state",
        wrong(state_type=Noting, initial=start_as(Noting), view=noting_view),
    ),
    ("chances", "gives each outcome once", chances(lambda right: right * 2)),
    ("chances", "sum to 1", chances(lambda right: [(outcome, 0.5) for outcome, _ in right])),
    ("chances", "above 0", chances(lambda right: [*right, ("draw@0:9", 0.0)])),
    ("chances", "chance is among chances", chances(lambda right: [(right[0][0], 1.0)])),
    (
        "chances",
        "an outcome is of the form",
        chances(lambda right: [(outcome.replace(":", " "), share) for outcome, share in right]),
    ),
    (
        "deals",
        "the same outcome for the same deal",
        wrong(chance=lambda _, state, __: RIGHT.chance(state, str(next(CALLS)))),
    ),
    (
        "deals",
        "chance follows from the deal",
        wrong(chance=lambda _, state, __: RIGHT.chance(state, "always")),
    ),
    ("another_process", "another process gives the same", HashChance()),
    ("another_process", "another process gives the same", HashOrder()),
    ("another_process", "a game stands in a module", wrong()),
    ("views", "a view is of view_type", wrong(view=lambda _, state, __: state)),
    (
        "views",
        "comes back from JSON as it was",
        wrong(view=lambda _, state, seat: replace(RIGHT.view(state, seat), plays=[])),
    ),
    (
        "views",
        "is the same each time",
        wrong(view=lambda _, s, seat: replace(RIGHT.view(s, seat), drawn=next(CALLS))),
    ),
    ("events", "an event is of event_types", wrong(redact=lambda *given: given[1])),
    (
        "events",
        "an event is an object",
        wrong(event_types=(ArrayEvent,), redact=lambda *_: ArrayEvent(0)),
    ),
    ("samples", "sample gives a state", sampled(lambda _: None)),
    (
        "samples",
        "gives the same view",
        sampled(lambda right: replace(right, cards=tuple(4 - card for card in right.cards))),
    ),
    (
        "samples",
        "same turn",
        wrong(turn=lambda _, s: 1 + len(s.plays) + (s.cards[-1:] == (1,))),
    ),
    (
        "samples",
        "there is a legal action",
        wrong(
            state_type=Marked,
            initial=start_as(Marked),
            sample=sample_marked,
            legal=legal_unless_marked,
        ),
    ),
    (
        "secrets",
        "gives the same view",
        wrong(
            view=lambda _, s, seat: replace(RIGHT.view(s, seat), drawn=sum(s.cards)),
            sample=sample_from_sum,
        ),
    ),
    ("secrets", "legal is the same", Teller()),
    (
        "secrets",
        "the refusal of '' is the same",
        wrong(apply=refusal("malformed", "the last seat holds {cards}")),
    ),
    (
        "secrets",
        "an event tells seat",
        wrong(redact=tells_draws),
    ),
    (
        "secrets",
        "an event tells seat",
        wrong(event_types=(Drawn, Told), redact=tells_hidden),
    ),
    ("text", "at most 80 columns", text("x" * 81)),
    ("text", "no final newline", Newline()),
    ("text", "no final newline", text("")),
    ("text", "no control characters", text("\x1b[31mred")),
    ("text", "the same for a view", wrong(text=lambda *_: str(next(CALLS)))),
    ("effects", "an effect is an Effect", effect("shown")),
    ("effects", "an effect has a label", effect(Effect(""))),
    ("effects", "an effect's cells", effect(Effect("shown", ("a1",)))),
    ("effects", "gives points to sides", effect(Effect("shown", (), {9: 1}))),
    ("effects", "no method raises KeyError", wrong(effects=raises)),
    ("svg", "the same for equal views", svg(lambda right: f"{right}<!-- {next(CALLS)} -->")),
    ("svg", "at most 65536 bytes", svg(lambda right: right + " " * 65536)),
    ("svg", "well-formed XML", svg(lambda right: right[:-1])),
    ("svg", "with a viewBox", svg(lambda right: right.replace("viewBox", "box"))),
    ("svg", "of the SVG namespace", svg(lambda right: right.replace("2000/svg", "2001/svg"))),
    ("svg", "aria-label", svg(lambda right: right.replace("aria-label", "label"))),
    ("svg", "without 'script'", with_shape("<script/>")),
    ("svg", "without 'foreignObject'", with_shape("<foreignObject/>")),
    ("svg", "without 'style'", with_shape("<style/>")),
    ("svg", "without 'animate'", with_shape("<animate/>")),
    ("svg", "without onclick=", with_shape('<path onclick="f()"/>')),
    ("svg", "without style=", with_shape('<path style="fill:red"/>')),
    ("svg", "without href=", with_shape('<use href="https://example.org/#lion"/>')),
    ("svg", "without href=", with_shape('<use href="#cards-lion"/>')),
    ("svg", "without fill=", with_shape('<path fill="url(https://example.org/#red)"/>')),
    ("svg", "begins with cards-", with_shape('<g id="lion"/>')),
    ("svg", "one element with data-at=A1, not 0", svg(lambda right: right.replace("A1", "A2"))),
    (
        "svg",
        "one element with data-at=A1, not 2",
        with_shape('<g data-at="A1"><title>A1</title></g>'),
    ),
    ("svg", "a title", svg(lambda right: right.replace("title>", "desc>"))),
    ("actions", "no duplicates", wrong(actions=lambda *_: ["show@A1", "show@A1", "hide@A1"])),
    ("actions", "is of the form", wrong(actions=lambda *_: ["Show", "show@A1", "hide@A1"])),
    ("actions", "lists every legal action, but not hide@A1", wrong(actions=lambda *_: ["show@A1"])),
    ("features", "are 2 numbers, not 3", wrong(features=lambda _, __, v, ___: [1] * (2 + v.drawn))),
    ("features", "finite", wrong(features=lambda *_: [float("nan")])),
    ("features", "the same for equal views", wrong(features=lambda *_: [next(CALLS)])),
    (
        "features",
        "for every view, or for none",
        wrong(features=lambda _, __, view, ___: [1.0] if view.drawn else None),
    ),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_right_game_passes(check: Check) -> None:
    check(RIGHT, seed=3, matches=2)


@pytest.mark.parametrize(
    ("check", "promise", "game"), WRONG, ids=[f"{row[0]}: {row[1]}" for row in WRONG]
)
def test_a_wrong_game_is_caught(check: str, promise: str, game: AnyGame) -> None:
    with pytest.raises(AssertionError, match=promise):
        NAMED[f"check_{check}"](game)


def test_every_check_catches_something() -> None:
    assert {f"check_{row[0]}" for row in WRONG} == set(NAMED)


def test_check_game_runs_all_checks() -> None:
    check_game(RIGHT)
    with pytest.raises(AssertionError, match="no final newline"):
        check_game(Newline())


def test_a_failure_names_the_table_and_the_log() -> None:
    game = wrong(text=lambda _, __, view: "x" * 81 if view.plays == ("hide@A1",) else "x")
    with pytest.raises(AssertionError) as error:
        NAMED["check_text"](game)
    assert str(error.value) == (
        f"a line of text has at most 80 columns, not 81: {'x' * 81}; cards for 2 players with"
        ' {"bonus":1,"teams":false}, after draw@0:1 draw@1:2 hide@A1'
    )


def test_the_same_seed_finds_the_same_failure() -> None:
    game = wrong(turn=lambda *_: 1)
    messages = set()
    for seed in (1, 1, 2):
        with pytest.raises(AssertionError) as error:
            NAMED["check_turns"](game, seed=seed)
        messages.add(str(error.value))
    assert len(messages) == 2


def test_tables_are_spread_over_players_and_options() -> None:
    tables = spread_tables(RIGHT)
    assert {table.players for table in tables} == {2, 3, 4}
    assert {(table.players, table.options.teams) for table in tables} == {
        (2, False),
        (3, False),
        (4, False),
        (4, True),
    }
    assert {table.options.bonus for table in tables} == {0, 1, 2}
    assert len(tables) == len({(table.players, table.options) for table in tables})
