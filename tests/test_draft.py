"""A turn that is put together: what follows from it, when it can be taken back, when it cannot."""

from random import Random
from typing import Any

import pytest

from arena.draft import Draft
from engine.game import CHANCE, AnyGame, AnyTable
from engine.options import make_table
from engine.registry import game

DEAL = "deal"


def dealt(of: AnyGame, table: AnyTable, turns: int) -> Any:
    """The state after so many turns of random play."""
    state, rng = of.initial(table), Random(1)
    while (actor := of.to_act(state)) == CHANCE or of.turn(state) <= turns:
        action = of.chance(state, DEAL) if actor == CHANCE else rng.choice(of.legal(state))
        state = of.apply(state, action)
    return state


def draft_in(name: str, turns: int = 1, **options: Any) -> Draft:
    """A draft of the turn after so many."""
    of = game(name)
    table = make_table(of, 2, options)
    state = dealt(of, table, turns)
    seat = of.to_act(state)
    assert seat is not None
    return Draft(of, table, seat, of.view(state, seat), of.legal(state))


def test_a_turn_of_herd_is_complete_with_its_last_stone() -> None:
    draft = draft_in("herd", size=5)
    view = draft.view
    count = view.remove + view.place
    assert count > 1
    for number in range(1, count + 1):
        assert not draft.settled
        assert draft.add(draft.legal[0])
        assert len(draft.actions) == number
    assert draft.settled


def test_undo_gives_back_what_was_before() -> None:
    draft = draft_in("herd", size=5)
    before = draft.view, draft.legal
    assert not draft.undo()
    draft.add(draft.legal[0])
    assert (draft.view, draft.legal) != before
    assert draft.undo()
    assert (draft.view, draft.legal) == before
    assert draft.actions == ()


def test_a_placement_before_a_draw_has_to_be_played() -> None:
    draft = draft_in("savanna-ten")
    draft.add(draft.legal[0])
    assert draft.settled


@pytest.mark.parametrize("action", ["", "place@Z9", "zebra@A1", "remove"])
def test_what_is_not_legal_is_not_taken(action: str) -> None:
    draft = draft_in("herd", size=5)
    assert not draft.add(action)
    assert draft.actions == ()


def test_what_an_action_brings_about_is_told() -> None:
    draft = draft_in("savanna-ten", turns=19)
    draft.add(draft.legal[0])
    assert draft.effects
    draft.undo()
    assert draft.effects == []
