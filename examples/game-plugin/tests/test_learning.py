"""Programs that learn can play it too: PettingZoo's own tests."""

import warnings

import pytest

pettingzoo = pytest.importorskip("arena.pettingzoo", reason="the extra pettingzoo is not installed")


@pytest.mark.parametrize("players", [2, 4])
def test_pettingzoos_own_tests(players: int) -> None:
    from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]  # no py.typed

    from liars_dice import LiarsDice

    def world() -> object:
        return pettingzoo.env(LiarsDice(), players=players)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it expects a plain array where games have a mask
        api_test(world(), num_cycles=100)
    seed_test(world, num_cycles=100)
