"""Stores are merged with their slots, so that their runs can be continued."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.db import Store
from arena.store.errors import StoreError
from arena.store.model import Entrant, Finished, Imported, Run, Slot
from tests.stored import entrants, finished, record, run

AB = ("ann", "bob")
FIRST, SECOND, THIRD = (Slot(number, AB, 0) for number in range(3))


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "here.db") as store:
        yield store


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "there.db") as store:
        yield store


def played(store: Store, of: Run, *slots: Slot) -> list[Finished]:
    matches = [finished(of, slot) for slot in slots]
    store.add_run(of)
    store.add_entrants(of.id, entrants(*AB))
    store.add(of.id, matches)
    return matches


def test_a_run_comes_with_entrants_slots_records_and_logs(here: Store, there: Store) -> None:
    of = run()
    (match,) = played(there, of, FIRST)
    loud = finished(of, SECOND)
    there.add(of.id, [Finished(loud.slot, loud.record, {1: "it broke"})])
    assert here.merge(there) == Imported(new=2, known=0)
    assert here.run(of.id) == of
    assert here.entrants(of.id) == entrants(*AB)
    assert set(here.played(of.id)) == {FIRST, SECOND}
    assert list(here.records()) == [match.record, loud.record]
    assert here.log(loud.record.match, 1) == "it broke"


def test_parts_of_a_run_make_the_whole_without_duplicates(here: Store, there: Store) -> None:
    of = run()
    played(here, of, FIRST, SECOND)
    played(there, of, SECOND, THIRD)
    there.plan(of.id, 3)
    assert here.merge(there) == Imported(new=1, known=1)
    assert here.runs()[0].planned == 3
    assert set(here.played(of.id)) == {FIRST, SECOND, THIRD}
    assert here.merge(there) == Imported(new=0, known=2)


def test_a_bot_that_differs_is_an_error_and_nothing_is_merged(here: Store, there: Store) -> None:
    of = run()
    here.add_run(of)
    here.add_entrants(of.id, [Entrant("ann", "other", "./ann")])
    played(there, run("another"), FIRST)
    played(there, of, FIRST)
    with pytest.raises(StoreError, match="bot ann is in run run1 with the digest other, not ANN"):
        here.merge(there)
    assert [summary.run.id for summary in here.runs()] == [of.id]


def test_imported_matches_are_imported_again(here: Store, there: Store) -> None:
    there.import_records([record(run("foreign"), "m1", AB)])
    assert here.merge(there) == Imported(new=1, known=0)
    assert here.merge(there) == Imported(new=0, known=1)
