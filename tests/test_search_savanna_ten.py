"""Savanna Ten as the tree search sees it."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from bots.search_savanna_ten import Deals, SavannaDomain
from bots.search_tree import NEVER
from engine.game import CHANCE
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_course import VARIANTS
from engine.savanna_ten_lines import CELLS
from engine.savanna_ten_state import SavannaState
from tests.test_evaluation_savanna_ten import every_variant, states

GAME = SavannaTen()


def decisions(variant: str) -> list[SavannaState]:
    """The states of a random game in which a tile is to be placed."""
    return [state for state in states(variant) if GAME.to_act(state) not in {None, CHANCE}]


@every_variant
def test_the_numbered_actions_are_the_legal_ones_less_wasteful_lions(variant: str) -> None:
    domain = SavannaDomain(VARIANTS[variant].table)
    for state in decisions(variant):
        values = domain.look(state).values + domain.mask(state)
        names = {
            name
            for action in np.flatnonzero(values > NEVER / 2)
            for name in domain.names(state, int(action))
        }
        legal = set(GAME.legal(state))
        assert names <= legal
        lost = legal - names
        assert all("/lion@" in name for name in lost)
        assert len(lost) in {0, state.board.count(0)}


@every_variant
def test_a_look_tells_what_the_best_placement_in_hand_is_worth(variant: str) -> None:
    domain = SavannaDomain(VARIANTS[variant].table)
    for state in decisions(variant):
        sight = domain.look(state)
        best = float((sight.values + domain.mask(state)).max())
        assert sight.results[sight.side] == pytest.approx(best, abs=1e-5)
        assert sum(sight.results) == pytest.approx(len(sight.results) / 2)
        assert float(sight.priors.max()) == 1


@every_variant
def test_playing_goes_to_the_next_seat_or_the_end(variant: str) -> None:
    domain, rng = SavannaDomain(VARIANTS[variant].table), Random(1)
    [*_, before, last] = decisions(variant)
    for state, over in ((before, False), (last, True)):
        action = int((domain.look(state).values + domain.mask(state)).argmax())
        after, seen = domain.play(state, action, rng)
        assert seen == action
        assert GAME.to_act(after) != CHANCE
        assert (domain.final(after) is not None) == over


def test_others_see_a_lion_and_not_the_tile() -> None:
    domain = SavannaDomain(VARIANTS["2-off"].table)
    state = decisions("2-off")[0]
    action = 5 * len(CELLS)
    assert domain.names(state, action)[0].endswith("/lion@A1")
    assert domain.seen(action) == "lion@A1"


@every_variant
def test_the_root_can_be_limited_to_any_placement(variant: str) -> None:
    domain = SavannaDomain(VARIANTS[variant].table)
    for state in decisions(variant)[::4]:
        domain.sampler(GAME.view(state, state.step.seat), state.step.seat, Random(1))
        for name in GAME.legal(state):
            domain.limit(state, [name])
            action = int((domain.look(state).values + domain.mask(state)).argmax())
            assert domain.names(state, action) == (name,)


def test_a_limit_is_for_one_search() -> None:
    domain = SavannaDomain(VARIANTS["2-off"].table)
    state = decisions("2-off")[0]
    domain.limit(state, GAME.legal(state)[:1])
    assert (domain.mask(state) == 0).sum() == 1
    domain.sampler(GAME.view(state, state.step.seat), state.step.seat, Random(1))
    assert (domain.mask(state) == 0).sum() > 1


def test_turns_are_counted_down() -> None:
    for variant, first in (("2-off", 10), ("3-off", 7), ("4-off", 5)):
        domain = SavannaDomain(VARIANTS[variant].table)
        turns = [domain.turns(state) for state in decisions(variant) if state.step.seat == 0]
        assert turns == list(range(first, 0, -1))


@every_variant
def test_deals_fit_what_the_seat_knows(variant: str) -> None:
    table = VARIANTS[variant].table
    for state in decisions(variant)[::3]:
        seat = state.step.seat
        view = GAME.view(state, seat)
        deals = Deals(table, view, seat, Random(1))
        assert {GAME.view(deals.deal(), seat) for _ in range(20)} == {view}


def test_deals_are_as_likely_as_those_of_the_rules() -> None:
    table, rng = VARIANTS["2-add"].table, Random(1)
    state = decisions("2-add")[8]
    view = GAME.view(state, 0)
    deals, many = Deals(table, view, 0, rng), 4000
    dealt = Counter(deals.deal().hand(1) for _ in range(many))
    drawn = Counter(GAME.sample(table, view, 0, rng).hand(1) for _ in range(many))
    assert dealt.keys() == drawn.keys()
    for hand, count in drawn.items():
        assert abs(dealt[hand] - count) < 5 * (2 * count) ** 0.5
