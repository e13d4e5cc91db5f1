"""How a greedy player likes placements: as the bot `greedy` does, but all of them at once."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from bots import judge_savanna_ten
from bots.greedy import best
from bots.search_savanna_ten import SavannaDomain
from bots.search_savanna_ten_greedy import COSTS, TIE, GreedyPlayer
from bots.search_tree import NEVER
from engine.evaluation.savanna_ten_patterns import FACES
from engine.game import CHANCE
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_course import VARIANTS
from engine.savanna_ten_lines import CELLS
from engine.savanna_ten_state import SavannaState
from tests.test_evaluation_savanna_ten import every_variant
from tests.test_search_savanna_ten import decisions

GAME = SavannaTen()
ALIKE = 0.02
"""Points: what the costs of faces come to at most."""


def greedy_decisions(variant: str, games: int) -> Iterator[tuple[SavannaState, SavannaState]]:
    """The states in which greedy players decide, each with what they make of it."""
    rng = Random(1)
    for game in range(games):
        state = GAME.initial(VARIANTS[variant].table)
        while (seat := GAME.to_act(state)) is not None:
            if seat == CHANCE:
                state = GAME.apply(state, GAME.chance(state, f"{game:02x}"))
                continue
            _, after = best(GAME, judge_savanna_ten, state, rng)
            yield state, after
            state = after


@pytest.mark.parametrize(("variant", "agreed"), [("4-off", 0.8), ("3-off", 0.8), ("4-add", 0.8)])
def test_what_is_liked_best_is_mostly_best_to_the_bot_greedy(variant: str, agreed: float) -> None:
    table = VARIANTS[variant].table
    domain, player = SavannaDomain(table), GreedyPlayer(table.players, seed=1)
    as_good = []
    for state, choice in greedy_decisions(variant, games=10):
        seat = state.step.seat
        values = domain.look(state).values + domain.mask(state)
        likes = np.where(values > NEVER / 2, player.likes(state, seat), NEVER)
        [name] = domain.names(state, int(likes.argmax()))
        lost = judge_savanna_ten.worth(choice, seat) - judge_savanna_ten.worth(
            GAME.apply(state, name), seat
        )
        as_good.append(lost < ALIKE)
    assert len(as_good) == 10 * len(CELLS)
    assert np.mean(as_good) > agreed


def test_on_the_empty_board_the_lowest_tile_is_as_good_anywhere() -> None:
    state = decisions("4-off")[0]
    likes = GreedyPlayer(4, seed=1).likes(state, 0).reshape(FACES, len(CELLS))
    assert (np.abs(likes + COSTS) <= TIE).all()
    others = {
        int(GreedyPlayer(4, seed).likes(state, 0)[: len(CELLS)].argmax()) for seed in range(9)
    }
    assert len(others) > 1, "another player takes another of equals"


@every_variant
def test_the_others_may_be_greedy_where_there_are_more_than_two_sides(variant: str) -> None:
    table = VARIANTS[variant].table
    domain, sides = SavannaDomain(table), GAME.sides(table)
    domain.sampler(GAME.view(decisions(variant)[0], 0), 0, Random(1))
    for state in decisions(variant):
        sight = domain.look(state)
        may_be = len(set(sides)) > 2 and state.step.seat != 0
        assert (sight.likes is not None) == may_be
        if sight.likes is not None:
            assert ((sight.likes < NEVER / 2) == (sight.values < NEVER / 2)).all()
