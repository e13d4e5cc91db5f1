"""Who acts when, and with which tiles."""

from collections import Counter

import pytest

from engine.game import CHANCE, Table
from engine.savanna_ten_course import order_of_play, tile_set, variant_of
from engine.savanna_ten_wire import MouseOption, SavannaOptions
from tests.savanna_ten_games import GAME, TABLES, name_of, table

SETS: list[tuple[int, MouseOption, tuple[int, int, int, int, int]]] = [
    (2, "off", (4, 3, 2, 1, 0)),
    (2, "replace", (3, 3, 2, 1, 1)),
    (2, "add", (4, 3, 2, 1, 1)),
    (3, "off", (3, 2, 1, 1, 0)),
    (3, "replace", (2, 2, 1, 1, 1)),
    (3, "add", (3, 2, 1, 1, 1)),
    (4, "off", (2, 2, 1, 1, 0)),
    (4, "replace", (1, 2, 1, 1, 1)),
    (4, "add", (2, 2, 1, 1, 1)),
]


@pytest.mark.parametrize(("players", "mouse", "counts"), SETS)
def test_each_seats_set(players: int, mouse: MouseOption, counts: tuple[int, ...]) -> None:
    tiles = tile_set(players, mouse)
    kinds = ("monkey", "zebra", "giraffe", "elephant", "mouse")
    assert tiles == tuple(
        kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count)
    )


@pytest.mark.parametrize(("players", "placed"), [(2, [10, 10]), (3, [7, 7, 6]), (4, [5, 5, 5, 5])])
def test_placements_per_seat(players: int, placed: list[int]) -> None:
    seats = Counter(to_act for to_act, _ in order_of_play(players, 7) if to_act != CHANCE)
    assert [seats[seat] for seat in range(players)] == placed


@pytest.mark.parametrize(("players", "mouse", "counts"), SETS)
def test_a_seat_draws_while_its_pile_lasts(
    players: int, mouse: MouseOption, counts: tuple[int, ...]
) -> None:
    course = variant_of(table(players, mouse)).course
    for seat in range(players):
        placed = sum(step.to_act == seat for step in course)
        drawn = sum(step.to_act == CHANCE and step.seat == seat for step in course)
        assert drawn == min(sum(counts), 2 + placed)


def test_the_last_placement_is_followed_by_a_draw_while_the_pile_lasts() -> None:
    *_, placement, draw, end = variant_of(table(4, "add")).course
    assert (placement.to_act, draw.to_act, draw.seat, end.to_act) == (3, CHANCE, 3, None)
    assert (placement.turn, draw.turn, end.turn) == (20, 21, 21)


@pytest.mark.parametrize("of", TABLES, ids=name_of)
def test_the_counts_of_hands_and_piles(of: Table[SavannaOptions]) -> None:
    """They follow from what was drawn and placed before."""
    variant = variant_of(of)
    seats = range(of.players)
    hands, piles = [0] * of.players, [len(variant.tiles)] * of.players
    for step in variant.course:
        assert (step.hands, step.piles) == (tuple(hands), tuple(piles))
        assert step.drawn == len(variant.tiles) - piles[step.seat]
        if step.to_act is None:
            break
        drawn = step.to_act == CHANCE
        hands[step.seat] += 1 if drawn else -1
        piles[step.seat] -= drawn
    assert step is variant.course[-1]
    assert all(0 <= hands[seat] <= 2 and piles[seat] >= 0 for seat in seats)


@pytest.mark.parametrize(
    ("players", "teams", "scores"),
    [(2, False, (0, 0)), (3, False, (0, 0, 2)), (4, False, (0, 0, 0, 0)), (4, True, (0, 0))],
)
def test_the_scores_at_the_start(players: int, teams: bool, scores: tuple[int, ...]) -> None:
    assert GAME.scores(GAME.initial(table(players, teams=teams))) == scores


@pytest.mark.parametrize(
    ("players", "teams", "sides"),
    [(2, False, (0, 1)), (3, False, (0, 1, 2)), (4, False, (0, 1, 2, 3)), (4, True, (0, 1, 0, 1))],
)
def test_sides(players: int, teams: bool, sides: tuple[int, ...]) -> None:
    assert GAME.sides(table(players, teams=teams)) == sides
