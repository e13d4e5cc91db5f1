"""States that fit what a seat knows."""

from collections import Counter
from math import sqrt
from random import Random

import msgspec
import pytest

from engine.game import Table
from engine.savanna_ten_course import variant_of
from engine.savanna_ten_sampling import sample_state
from engine.savanna_ten_wire import SavannaOptions, SavannaView
from tests.savanna_ten_games import EXAMPLE, GAME, TABLES, name_of, random_game, table


def tiles_of(view: SavannaView, seat: int) -> Counter[str]:
    """A seat's tiles on the board and in its hand and pile, from its own view."""
    seen = msgspec.to_builtins(view)
    tiles = Counter(seen["hand"]) + Counter(seen["pile"])
    for cell, placed in seen["board"].items():
        if placed["seat"] == seat:
            tiles[seen["hidden"].get(cell, placed["side"])] += 1
    return tiles


@pytest.mark.parametrize("of", TABLES, ids=name_of)
def test_a_sample_fits_the_view_and_every_seat_has_its_set(of: Table[SavannaOptions]) -> None:
    rng = Random(7)
    full_set = Counter(variant_of(of).tiles)
    for state, _ in random_game(of, seed=7):
        for seat in range(of.players):
            sample = sample_state(of, GAME.view(state, seat), seat, rng)
            assert GAME.view(sample, seat) == GAME.view(state, seat)
            assert GAME.to_act(sample) == GAME.to_act(state)
            assert sample.lines == state.lines
            for other in range(of.players):
                assert tiles_of(GAME.view(sample, other), other) == full_set


def test_a_sample_can_be_played_to_the_end() -> None:
    rng = Random(3)
    state = sample_state(table(), GAME.view(EXAMPLE, 0), 0, rng)
    while GAME.to_act(state) is not None:
        draws = [action for action, _ in GAME.chances(state)]
        state = GAME.apply(state, rng.choice(draws or list(GAME.legal(state))))
    assert GAME.outcome(state) is not None


def test_hidden_tiles_are_uniform() -> None:
    """Seat 1 of the example showed a zebra and a monkey: 8 tiles fill 2 Lions, hand and pile."""
    rng, samples = Random(11), 8_000
    unseen = {"monkey": 3, "zebra": 2, "giraffe": 2, "elephant": 1}
    places: dict[str, Counter[str]] = {"E3": Counter(), "E4": Counter(), "hand": Counter()}
    for _ in range(samples):
        view = GAME.view(sample_state(table(), GAME.view(EXAMPLE, 0), 0, rng), 1)
        known = msgspec.to_builtins(view)
        places["E3"][known["hidden"]["E3"]] += 1
        places["E4"][known["hidden"]["E4"]] += 1
        places["hand"].update(known["hand"])
    for place, tiles in (("E3", 1), ("E4", 1), ("hand", 2)):
        for tile, count in unseen.items():
            share = count / 8
            four_sigma = 4 * sqrt(samples * tiles * share * (1 - share))
            assert abs(places[place][tile] - samples * tiles * share) < four_sigma


def test_the_tiles_under_two_lions_are_not_drawn_twice() -> None:
    """An elephant under one of seat 1's Lions is nowhere else."""
    rng = Random(5)
    for _ in range(500):
        view = GAME.view(sample_state(table(), GAME.view(EXAMPLE, 0), 0, rng), 1)
        assert tiles_of(view, 1)["elephant"] == 1


def test_a_spectators_view_does_not_do() -> None:
    with pytest.raises(ValueError, match="the view of a spectator knows no seat's tiles"):
        sample_state(table(), GAME.view(EXAMPLE, None), 0, Random(1))
