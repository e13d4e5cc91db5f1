"""A game of an installed package that does what no game may: one sentence, and one match ends."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from arena.referee.faults import HostFault
from arena.referee.match import play
from engine.game import AnyGame, Game, IllegalAction, TableError
from engine.guarded import GameFault, Guarded
from engine.herd import Herd
from engine.options import make_table
from engine.testing import check_game
from tests.cards import Cards
from tests.scripted import always, hide_scheduler, scripted
from tests.test_match import setup
from tests.toy_game import ToyGame

TABLE = make_table(ToyGame(), 2, {"dice": True})


def guarded(**wrong: Any) -> AnyGame:
    """The toy game with methods replaced."""
    return Guarded(type("Wrong", (ToyGame,), wrong)(), "toys")


def raises(*_: Any) -> Any:
    raise KeyError("lost")


def test_a_good_game_is_as_it_was() -> None:
    check_game(Guarded(Cards(), "cards-game"))
    game = Guarded(ToyGame(), "toys")
    assert (game.name, game.version, game.players) == ("toy", 1, range(2, 5))
    herd = Guarded(Herd(), "herds")
    assert herd.about == Herd.about != Game.about
    assert pickle.loads(pickle.dumps(game)).name == "toy"


def test_what_a_game_may_raise_passes() -> None:
    with pytest.raises(IllegalAction):
        guarded().apply(ToyGame().initial(make_table(ToyGame(), 2, {})), "x")
    with pytest.raises(TableError):
        Guarded(Cards(), "cards-game").check(make_table(Cards(), 2, {"teams": True}))


CALLS: dict[str, tuple[Any, ...]] = {
    "sides": (TABLE,),
    "initial": (TABLE,),
    "to_act": (None,),
    "turn": (None,),
    "legal": (None,),
    "apply": (None, "one"),
    "outcome": (None,),
    "scores": (None,),
    "chance": (None, "deal"),
    "chances": (None,),
    "view": (None, 0),
    "open_view": (None,),
    "redact": (None, "one", None, 0),
    "sample": (TABLE, None, 0, None),
    "actions": (TABLE,),
    "features": (TABLE, None, 0),
    "effects": (None, "one", None),
    "text": (TABLE, None),
    "svg": (TABLE, None, ()),
    "check": (TABLE,),
}


def test_every_method_of_the_interface_is_guarded() -> None:
    public = {name for name, value in vars(Guarded.__mro__[1]).items() if callable(value)}
    assert {name for name in public if not name.startswith("_")} == set(CALLS)


@pytest.mark.parametrize("method", CALLS)
def test_an_error_in_a_method_is_told(method: str) -> None:
    with pytest.raises(GameFault) as found:
        getattr(guarded(**{method: raises}), method)(*CALLS[method])
    assert str(found.value) == (
        f"the game 'toy' of the package toys broke in {method}: KeyError: 'lost'"
    )


@pytest.mark.parametrize(
    ("wrong", "ask", "sentence"),
    [
        ({"to_act": lambda *_: 7}, lambda g: g.to_act(None), "asks seat 7, which is not at its"),
        ({"to_act": lambda *_: "a"}, lambda g: g.to_act(None), "asks seat 'a', which is not at"),
        (
            {"to_act": lambda *_: 1, "legal": lambda *_: []},
            lambda g: g.legal(None),
            "gives seat 1 no legal action",
        ),
        (
            {"view": lambda *_: {}},
            lambda g: g.view(None, None),
            "gives a dict as the view of seat None",
        ),
    ],
)
def test_an_answer_that_no_game_gives_is_told(
    wrong: dict[str, Any], ask: Callable[[AnyGame], Any], sentence: str
) -> None:
    with pytest.raises(GameFault, match=f"^the game 'toy' of the package toys {sentence}"):
        ask(guarded(**wrong))


def refuse(_: Any, state: Any, action: str) -> Any:
    if action.startswith("roll"):
        raise IllegalAction("never", "no dice")
    return ToyGame().apply(state, action)


VOID: dict[str, tuple[dict[str, Any], str]] = {
    "a method raises": ({"redact": raises}, "the game 'toy' of the package toys broke in redact"),
    "it refuses its own chance": ({"apply": refuse}, "the game toy refuses its own chance: no"),
    "it has no result": ({"outcome": raises}, "the game 'toy' of the package toys broke in out"),
}


@pytest.mark.parametrize(("wrong", "sentence"), VOID.values(), ids=VOID)
async def test_the_match_is_void_and_the_bots_are_told(
    wrong: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_scheduler(monkeypatch)
    wanted = replace(setup(dice=True, turns=1), game=guarded(**wrong))
    async with scripted(always("one"), always("one")) as bots:
        with pytest.raises(HostFault, match=f"^{sentence}"):
            await play(wanted, bots)
        assert not any(bot.usable for bot in bots)
