"""Herd as the tree search sees it: whole turns, and the dice that follow."""

from random import Random

import pytest

from bots.search_herd import HerdDomain
from bots.search_herd_turns import good_turns
from bots.search_tree import Tree
from engine.evaluation.herd import HerdEvaluator, log_odds
from engine.herd import Herd, HerdState
from engine.options import make_table
from tests.test_evaluation_herd import decisions
from tests.test_herd import position

HERD = Herd()
every_size = pytest.mark.parametrize("size", range(2, 11))


def domain_at(state: HerdState) -> HerdDomain:
    """The domain, about to search from a state."""
    domain = HerdDomain(make_table(HERD, 2, {"size": state.size}))
    domain.sampler(HERD.view(state, None), 0, Random(1))
    return domain


def some(size: int) -> list[HerdState]:
    """States in which a seat is to act."""
    return decisions(size, turns=12)[:: size * 2]


def played(state: HerdState, actions: tuple[str, ...]) -> HerdState:
    for action in actions:
        state = HERD.apply(state, action)
    return state


# Turns


@every_size
def test_good_turns_are_legal_and_whole(size: int) -> None:
    judge = HerdEvaluator(size)
    for state in some(size):
        for turn in good_turns(judge, state, 4):
            after = played(state, turn.actions)
            assert after == turn.state
            assert after.turn > state.turn or HERD.to_act(after) is None


@every_size
def test_good_turns_come_best_first_and_once(size: int) -> None:
    judge = HerdEvaluator(size)
    for state in some(size):
        turns = good_turns(judge, state, 4)
        assert [turn.odds for turn in turns] == sorted((turn.odds for turn in turns), reverse=True)
        assert len({turn.state.stones for turn in turns}) == len(turns)
        seat = (state.turn - 1) % 2
        for turn in turns:
            expected = log_odds(judge.results(turn.state)[seat])
            assert turn.odds == pytest.approx(expected, abs=0.01)


def test_a_beam_that_holds_everything_finds_the_best_turn() -> None:
    judge = HerdEvaluator(2)
    for state in decisions(2)[:12]:
        seat, best = (state.turn - 1) % 2, -1.0
        open_states = [state]
        while open_states:
            now = open_states.pop()
            for action in HERD.legal(now):
                after = HERD.apply(now, action)
                if after.turn == state.turn and HERD.to_act(after) == seat:
                    open_states.append(after)
                else:
                    best = max(best, judge.results(after)[seat])
        found = good_turns(judge, state, 1000)[0]
        assert judge.results(found.state)[seat] == pytest.approx(best, abs=1e-4)


def test_a_capture_that_wins_is_found() -> None:
    state = position("A2 A3 B1 B3 C1", "B2", dice=(1, 1), place=1, size=2)
    [turn] = good_turns(HerdEvaluator(2), state, 1)
    assert turn.actions == ("place@C2", "place@B2")
    assert HERD.outcome(turn.state) is not None


# The tree's view


@every_size
def test_a_look_tells_what_the_best_turn_is_worth(size: int) -> None:
    for state in some(size):
        domain = domain_at(state)
        sight = domain.look(state)
        assert sight.side == HERD.to_act(state)
        assert sight.results[sight.side] == pytest.approx(float(sight.values[0]), abs=1e-6)
        assert sum(sight.results) == pytest.approx(1)
        assert float(sight.priors.max()) == 1
        assert len(sight.values) <= domain.width


@every_size
def test_playing_a_turn_leads_to_the_other_seats_dice_or_the_end(size: int) -> None:
    for state in some(size):
        domain = domain_at(state)
        domain.look(state)
        names = domain.names(state, 0)
        after, seen = domain.play(state, 0, Random(1))
        if domain.final(after) is None:
            assert (after.turn, bool(after.dice)) == (state.turn + 1, True)
            assert seen == (0, after.dice)
        assert after.stones == played(state, tuple(names)).stones


def test_every_turn_is_tried_on_the_same_dice_each_as_often_as_it_comes() -> None:
    state = decisions(5)[20]
    domain = domain_at(state)
    domain.look(state)
    dice = [[domain.play(state, turn, Random(1))[0].dice for _ in range(36)] for turn in (0, 1)]
    assert dice[0] == dice[1]
    pips = range(1, 7)
    assert sorted(dice[0]) == sorted((min(a, b), max(a, b)) for a in pips for b in pips)


def test_a_limit_leaves_turns_that_begin_so() -> None:
    for state in decisions(4)[5:25:5]:
        domain = domain_at(state)
        for name in HERD.legal(state)[:3]:
            domain.limit(state, [name])
            for turn in range(len(domain.look(state).values)):
                assert domain.names(state, turn)[0] == name


@every_size
def test_the_same_seed_and_number_of_playouts_choose_the_same_turn(size: int) -> None:
    state = some(size)[-1]

    def choice(seed: int) -> tuple[str, ...]:
        domain, rng = HerdDomain(make_table(HERD, 2, {"size": size})), Random(seed)
        tree = Tree(domain, domain.sampler(HERD.view(state, None), 0, rng), rng)
        for _ in range(12):
            tree.playout()
        return tuple(domain.names(state, tree.best()))

    assert choice(1) == choice(1)


@every_size
def test_the_line_is_one_turn_which_all_see(size: int) -> None:
    for state in some(size):
        domain, rng = HerdDomain(make_table(HERD, 2, {"size": size})), Random(1)
        tree = Tree(domain, domain.sampler(HERD.view(state, None), 0, rng), rng)
        for _ in range(12):
            tree.playout()
        [action] = tree.line()
        assert tuple(domain.seen(action).split()) == domain.names(state, action)


def test_turns_left_shrink_as_the_board_fills() -> None:
    domain = HerdDomain(make_table(HERD, 2, {}))
    begin, end = decisions(5)[0], decisions(5, turns=1000)[-1]
    assert domain.turns(begin) > 3 * domain.turns(end) >= 3
