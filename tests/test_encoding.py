"""Actions and views as numbers: the same for equal views, and never another action than meant."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from engine import encoding
from engine.encoding import Encoding, EncodingError
from engine.game import CHANCE, AnyGame, AnyTable
from engine.options import make_table
from engine.registry import game
from engine.testing.knowledge import sample_twin
from engine.testing.walks import Position, Walk
from tests.cards import Cards
from tests.toy_game import ToyGame

TABLES: list[tuple[AnyGame, int, dict[str, Any]]] = [
    (game("savanna-ten"), 2, {}),
    (game("savanna-ten"), 3, {"mouse": "add"}),
    (game("savanna-ten"), 4, {"teams": True}),
    (game("herd"), 2, {"size": 3}),
    (ToyGame(), 3, {"dice": True}),
    (Cards(), 4, {}),
]
NAMES = [f"{game.name}-{players}" for game, players, _ in TABLES]


def positions(game: AnyGame, table: AnyTable) -> list[Position]:
    """Where a seat is to act, in one random match."""
    walk = Walk(Position(game, table, game.initial(table)), "deal")
    return [p for p in walk if game.to_act(p.state) not in (CHANCE, None)]


@pytest.mark.parametrize(("game", "players", "options"), TABLES, ids=NAMES)
def test_the_mask_stands_for_the_legal_actions(
    game: AnyGame, players: int, options: dict[str, Any]
) -> None:
    table = make_table(game, players, options)
    numbers = Encoding(game, table)
    for position in positions(game, table):
        legal = game.legal(position.state)
        mask = numbers.mask(legal)
        assert mask.shape == (numbers.size,)
        assert mask.dtype == np.int8
        assert [numbers.action(int(n), legal) for n in np.flatnonzero(mask)] == list(legal)


@pytest.mark.parametrize(("game", "players", "options"), TABLES, ids=NAMES)
def test_a_view_is_as_many_numbers_everywhere_and_holds_no_secret(
    game: AnyGame, players: int, options: dict[str, Any]
) -> None:
    table = make_table(game, players, options)
    numbers, rng = Encoding(game, table), Random(1)
    for position in positions(game, table)[:8]:
        for seat in range(players):
            twin = sample_twin(position, seat, rng)
            here, there = (
                numbers.view(game.view(state, seat), seat) for state in (position.state, twin.state)
            )
            assert (here.shape, here.dtype) == ((numbers.length,), numbers.dtype)
            assert here.tobytes() == there.tobytes()


def test_numbers_of_actions_stay_the_same_through_a_match() -> None:
    herd = game("herd")
    numbers = Encoding(herd, make_table(herd, 2, {"size": 2}))
    assert numbers.actions is not None
    assert numbers.actions[:2] == ("remove@A2", "remove@A3")
    assert numbers.size == 14
    assert numbers.action(7, ["place@A2", "place@C1"]) == "place@A2"


def test_without_a_list_a_number_is_a_place_among_the_legal_actions() -> None:
    toy = ToyGame()
    numbers = Encoding(toy, make_table(toy, 2, {}))
    assert numbers.actions is None
    assert numbers.action(1, ["one", "two"]) == "two"
    assert list(numbers.mask(["one", "two"])[:3]) == [1, 1, 0]


def test_without_features_a_view_is_its_seat_and_its_json() -> None:
    toy = ToyGame()
    table = make_table(toy, 2, {})
    seen = Encoding(toy, table).view(toy.view(toy.initial(table), 1), 1)
    assert seen.dtype == np.uint8
    assert bytes(seen).rstrip(b"\0") == b'\x01{"turn":1,"step":0,"scores":[0,0]}'


class Unlisted(Cards):
    """Its list lacks what it lets play."""

    def actions(self, *_: Any) -> list[str]:
        return ["show@A1"]


def long_view(numbers: Encoding) -> Any:
    toy = ToyGame()
    return numbers.view(toy.view(toy.initial(make_table(toy, 2, {})), 0), 0)


REFUSED: list[tuple[AnyGame, Callable[[Encoding], Any], str]] = [
    (Cards(), lambda n: n.action(2, ["show@A1"]), "2 is the number of no action; there are 2"),
    (Cards(), lambda n: n.action(-1, ["show@A1"]), "-1 is the number of no action; there are 2"),
    (
        Cards(),
        lambda n: n.action(1, ["show@A1"]),
        "1 is hide@A1, which is not legal; see the action mask",
    ),
    (
        Unlisted(),
        lambda n: n.mask(["show@A1", "hide@A1"]),
        "cards lets play 'hide@A1', but does not list it in `actions`",
    ),
    (
        ToyGame(),
        lambda n: n.mask(["one"] * 3),
        "toy has 3 legal actions, more than the 2 numbers there are; let the game give `actions`",
    ),
    (
        ToyGame(),
        long_view,
        "a view of toy is 34 bytes of JSON, more than the 9 that fit; let the game give `features`",
    ),
]


@pytest.mark.parametrize(
    ("game", "ask", "sentence"), REFUSED, ids=[" ".join(row[2].split()[:5]) for row in REFUSED]
)
def test_what_has_no_number_is_told(
    game: AnyGame,
    ask: Callable[[Encoding], Any],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(encoding, "MOST_LEGAL", 2)
    numbers = Encoding(game, make_table(game, 2, {}))
    monkeypatch.setattr(encoding, "MOST_BYTES", 10)
    with pytest.raises(EncodingError) as found:
        ask(numbers)
    assert str(found.value) == sentence


def test_features_put_the_seat_first() -> None:
    savanna = game("savanna-ten")
    table = make_table(savanna, 2, {})
    state = savanna.initial(table)
    while savanna.to_act(state) == CHANCE:
        state = savanna.apply(state, savanna.chance(state, "deal"))
    state = savanna.apply(state, savanna.legal(state)[0])  # on A1, the first cell
    own, other = (savanna.features(table, savanna.view(state, seat), seat) for seat in (0, 1))
    assert own is not None
    assert other is not None
    assert (list(own[:2]), list(other[:2])) == ([1, 0], [0, 1])
