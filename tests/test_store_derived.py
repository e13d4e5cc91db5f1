"""What is computed from records is kept with them, and goes with them."""

from collections.abc import Iterator
from math import isnan
from pathlib import Path

import pytest

from arena.store.db import Store
from arena.store.errors import NotFound
from arena.store.model import Pool, Slot
from tests.stored import finished, run

AB = ("ann", "bob")
MATCHES = [finished(run(), Slot(deal, AB, rotation)) for deal in range(2) for rotation in range(2)]
IDS = [match.record.match for match in MATCHES]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as store:
        store.add_run(run())
        store.add("run1", MATCHES)
        yield store


def pool(store: Store) -> Pool:
    (only,) = store.pools()
    return only


def luck(store: Store, evaluator: str = "e1") -> list[list[float]] | None:
    found = store.results(pool(store), evaluator).luck
    return None if found is None else found.tolist()


def test_luck_stands_beside_the_results_of_its_match(store: Store) -> None:
    assert store.unpriced(pool(store), "e1") == IDS
    store.keep_luck("e1", {IDS[2]: (0.25, -0.25), IDS[0]: (-0.125, 0.125)})
    assert store.unpriced(pool(store), "e1") == [IDS[1], IDS[3]]
    found = luck(store)
    assert found is not None
    assert [found[0], found[2]] == [[-0.125, 0.125], [0.25, -0.25]]
    assert all(map(isnan, found[1] + found[3]))


def test_nothing_is_known_where_nothing_is_priced(store: Store) -> None:
    assert luck(store) is None
    assert store.results(pool(store)).luck is None


def test_the_word_of_another_evaluator_does_not_count(store: Store) -> None:
    store.keep_luck("e1", dict.fromkeys(IDS, (0.25, -0.25)))
    assert luck(store, "e2") is None
    assert store.unpriced(pool(store), "e2") == IDS
    store.keep_luck("e2", dict.fromkeys(IDS, (0.5, -0.5)))
    assert luck(store, "e2") == [[0.5, -0.5]] * 4
    assert luck(store) is None


def test_a_match_that_does_not_replay_is_not_asked_for_again(store: Store) -> None:
    store.keep_luck("e1", {IDS[0]: (float("nan"),) * 2})
    assert IDS[0] not in store.unpriced(pool(store), "e1")


def test_the_luck_of_a_match_that_is_not_there_is_passed_over(store: Store) -> None:
    store.keep_luck("e1", {"gone": (0.25, -0.25)})
    assert luck(store) is None


def test_an_analysis_takes_the_place_of_an_older_one(store: Store) -> None:
    assert store.analysis(IDS[0]) is None
    for text in ('{"turns":[]}', '{"turns":[1]}'):
        store.keep_analysis(IDS[0], text)
        assert store.analysis(IDS[0]) == text
    assert store.analysis(IDS[1]) is None
    with pytest.raises(NotFound):
        store.keep_analysis("gone", "{}")


def test_all_of_it_goes_with_its_run(store: Store) -> None:
    store.keep_luck("e1", dict.fromkeys(IDS, (0.25, -0.25)))
    store.keep_analysis(IDS[0], "{}")
    store.delete_run("run1")
    store.add_run(run())
    store.add("run1", MATCHES)
    assert luck(store) is None
    assert store.analysis(IDS[0]) is None
