"""The form that invites to a game: what can be chosen in each, the usual value first."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from arena.web.play import invite
from engine import registry
from engine.guarded import Guarded
from tests.toy_game import ToyGame


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    wild: bool = True
    plain: bool = False
    sort: Literal["a", "b", "c"] = "b"
    count: Literal[1, 2] = 2
    dice: Annotated[int, Meta(ge=1, le=6, description="of each")] = 5


def test_the_usual_value_of_an_option_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Guarded(type("Odd", (ToyGame,), {"options_type": Options})(), "toys")
    monkeypatch.setattr(registry, "games", lambda: {"toy": game})
    (offer,) = invite.offers({})
    assert [(choice.name, list(choice.values)) for choice in offer.choices] == [
        ("wild", ["true", "false"]),
        ("plain", ["false", "true"]),
        ("sort", ["b", "a", "c"]),
        ("count", ["2", "1"]),
        ("dice", []),
    ]
    assert (offer.choices[-1].low, offer.choices[-1].high, offer.choices[-1].about) == (
        1,
        6,
        "of each",
    )
