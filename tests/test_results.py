import numpy as np
import pytest

from arena.ratings import RatingError
from arena.ratings.results import Result, Results, crosstable

THREE = [
    Result(7, "deal-b", ("cat", "ant", "bee"), (1, 1, 3), (0, 0, 1)),
    Result(3, "deal-a", ("bee", "cat", "ant"), (2, 3, 1)),
    Result(9, "deal-a", ("ant", "bee", "cat"), (1, 2, 3)),
]


def test_columns_stand_in_slot_order_with_names_sorted() -> None:
    results = Results.collect(THREE)
    assert results.names == ("ant", "bee", "cat")
    assert results.bots.tolist() == [[1, 2, 0], [2, 0, 1], [0, 1, 2]]
    assert results.ranks.tolist() == [[2, 3, 1], [1, 1, 3], [1, 2, 3]]
    assert results.faults.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert results.clusters.tolist() == [0, 1, 0]


def test_arrays_give_the_same_results_as_structs() -> None:
    by_column = Results.from_columns(
        ["cat", "absent", "bee", "ant"],
        slots=[7, 3, 9],
        clusters=[-5, 40, 40],
        bots=[[0, 3, 2], [2, 0, 3], [3, 2, 0]],
        ranks=[[1, 1, 3], [2, 3, 1], [1, 2, 3]],
        faults=[[0, 0, 1], [0, 0, 0], [0, 0, 0]],
    )
    by_row = Results.collect(THREE)
    assert by_column.names == by_row.names
    for column in ("clusters", "bots", "ranks", "faults"):
        assert getattr(by_column, column).tolist() == getattr(by_row, column).tolist()


def test_a_match_of_three_is_three_pairs_of_half_a_game() -> None:
    table = crosstable(Results.collect(THREE[:1]))
    assert table.half_points.tolist() == [[0, 2, 1], [0, 0, 0], [1, 2, 0]]
    assert table.points.tolist() == [[0, 0.5, 0.25], [0, 0, 0], [0.25, 0.5, 0]]
    assert table.games.sum(axis=1).tolist() == [1, 1, 1]


def test_of_keeps_the_matches_among_the_bots() -> None:
    results = Results.collect(
        [
            Result(0, "a", ("ant", "bee"), (1, 2)),
            Result(1, "b", ("cat", "dog"), (2, 1)),
            Result(2, "c", ("dog", "cat"), (1, 1)),
        ]
    )
    kept = results.of([2, 3])
    assert kept.names == ("cat", "dog")
    assert kept.bots.tolist() == [[0, 1], [1, 0]]
    assert kept.clusters.tolist() == [0, 1]


def test_no_results_are_results() -> None:
    assert Results.collect([]).names == ()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [THREE[0], Result(8, "c", ("ant", "bee"), (1, 2))],
            "matches of 2 and 3 sides cannot stand in one table",
        ),
        ([THREE[0], THREE[0]], "two matches stand in slot 7"),
        ([Result(0, "a", ("ant",), (1,))], "a match needs at least two sides to be rated"),
    ],
)
def test_what_cannot_be_rated_is_refused(rows: list[Result], message: str) -> None:
    with pytest.raises(RatingError, match=message):
        Results.collect(rows)


def test_a_million_matches_are_counted_exactly() -> None:
    table = crosstable(
        Results.from_columns(
            ["ant", "bee"],
            slots=np.arange(1_000_000),
            clusters=np.arange(1_000_000) // 2,
            bots=np.tile([0, 1], (1_000_000, 1)),
            ranks=np.tile([1, 2], (1_000_000, 1)),
        )
    )
    assert table.half_points.tolist() == [[0, 2_000_000], [0, 0]]


def test_luck_goes_with_its_match() -> None:
    results = Results.from_columns(
        ["a", "b", "c"],
        slots=[2, 1, 0],
        clusters=[0, 1, 2],
        bots=[(0, 1), (1, 2), (0, 1)],
        ranks=[(1, 2)] * 3,
        luck=[(0.3, -0.3), (0.2, -0.2), (0.1, -0.1)],
    )
    assert results.luck is not None
    assert results.luck[:, 0].tolist() == [0.1, 0.2, 0.3]
    some = results.of([0, 1])
    assert some.luck is not None
    assert some.luck[:, 0].tolist() == [0.1, 0.3]
