from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import RatingError
from arena.ratings.leaderboard import Meeting, Standing, leaderboard
from arena.ratings.results import Result, Results
from tests.rated import duels
from tests.test_elo import match_lists

INF = float("inf")
TWO_DEALS = [
    Result(0, "deal-0", ("bee", "ant"), (1, 2), (0, 1)),
    Result(1, "deal-0", ("ant", "bee"), (2, 1)),
    Result(2, "deal-1", ("ant", "bee"), (1, 1)),
    Result(3, "deal-1", ("bee", "ant"), (2, 1), (2, 0)),
]
TWO_POOLS = duels(("x", "y", [1, 0, 1]), ("a", "b", [0, 1, 0]), ("b", "c", [0.5]))


def test_a_table_of_two_bots() -> None:
    (table,) = leaderboard(Results.collect(TWO_DEALS))
    bee = Standing(
        rank=1,
        bot="bee",
        elo=39.20205197,
        error=237.89753395,
        floored=True,
        elo_seq=1509.21304169,
        matches=4,
        points=0.625,
        faults=2,
    )
    ant = Standing(
        rank=2,
        bot="ant",
        elo=-bee.elo,
        error=bee.error,
        floored=True,
        elo_seq=1490.78695831,
        matches=4,
        points=0.375,
        faults=1,
    )
    assert table.bots == (bee, ant)
    assert table.pairs == (Meeting(a="bee", b="ant", matches=4, a_points=0.625, los=0.62664461),)


def test_bots_that_never_met_stand_in_tables_of_their_own() -> None:
    tables = leaderboard(TWO_POOLS)
    assert [[row.bot for row in table.bots] for table in tables] == [["b", "c", "a"], ["x", "y"]]
    assert [sum(row.elo for row in table.bots) for table in tables] == pytest.approx([0, 0])


def test_only_bots_that_met_are_pairs() -> None:
    table, _ = leaderboard(TWO_POOLS)
    assert [(pair.a, pair.b, pair.matches) for pair in table.pairs] == [
        ("b", "c", 1),
        ("b", "a", 3),
    ]


def test_equal_ratings_share_the_rank_and_stand_by_name() -> None:
    (table,) = leaderboard(
        duels(
            ("d", "b", [0.5]),
            ("b", "c", [0.5]),
            ("a", "b", [1]),
            ("a", "c", [1]),
            ("a", "d", [1]),
            ("c", "d", [0.5]),
        )
    )
    assert [(row.rank, row.bot) for row in table.bots] == [(1, "a"), (2, "b"), (2, "c"), (2, "d")]


def test_too_few_deals_give_no_error_and_no_likelihood() -> None:
    (table,) = leaderboard(Results.collect(TWO_DEALS[:2]))
    assert [row.error for row in table.bots] == [None, None]
    assert table.pairs[0].los is None


def test_the_undefeated_lead_without_a_prior() -> None:
    (table,) = leaderboard(duels(("a", "b", [1, 0]), ("b", "c", [0, 0])), prior=0)
    assert [(row.bot, row.elo) for row in table.bots] == [("c", INF), ("a", 0), ("b", 0)]
    assert next((pair.a, pair.b, pair.los) for pair in table.pairs) == ("c", "b", None)


def test_each_pool_can_have_its_anchor() -> None:
    tables = leaderboard(TWO_POOLS, anchors={"a": 1000, "y": 2000})
    ratings = {row.bot: row.elo for table in tables for row in table.bots}
    assert (ratings["a"], ratings["y"]) == (1000, 2000)


@pytest.mark.parametrize(
    ("anchors", "message"),
    [
        ({"zebra": 0}, "zebra cannot be the anchor: it has played no match here"),
        ({"a": 0, "c": 9}, "a and c cannot both be anchors: they are in one pool"),
    ],
)
def test_anchors_that_hold_nothing_are_refused(anchors: dict[str, float], message: str) -> None:
    with pytest.raises(RatingError, match=message):
        leaderboard(TWO_POOLS, anchors=anchors)


def test_without_results_there_is_no_table() -> None:
    assert leaderboard(Results.collect([])) == ()


@given(match_lists(), st.randoms(use_true_random=False), st.sampled_from([0.0, 1.0]))
def test_the_same_matches_in_any_order_give_the_same_bytes(
    matches: list[Result], random: Random, prior: float
) -> None:
    shuffled = list(matches)
    random.shuffle(shuffled)
    first, second = (
        msgspec.json.encode(leaderboard(Results.collect(rows), prior))
        for rows in (matches, shuffled)
    )
    assert first == second
