"""Answers from a store that changes: who waits, who gets the old one, what is forgotten."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

from arena.store.db import Store
from arena.store.errors import NotFound
from arena.web import shelf as shelves
from arena.web.shelf import Shelf
from tests.web_server import PLAYED, fill


@pytest.fixture
async def shelf(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Shelf]:
    monkeypatch.setattr(shelves, "PATIENCE", 0)
    monkeypatch.setattr(shelves, "LAG", 60)
    fill(tmp_path / "arena.db")
    shelf = Shelf(tmp_path / "arena.db", nursery)
    yield shelf
    shelf.close()


class Counter:
    """A function of a store that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, store: Store) -> int:
        self.calls += 1
        return store.runs()[0].matches


async def until(shelf: Shelf, counter: Counter, value: int) -> None:
    with trio.fail_after(180):
        while await shelf.remembered("key", counter) != value:
            await trio.sleep(0.01)


async def ask_on(shelf: Shelf) -> None:
    with trio.fail_after(180):
        while True:
            await shelf.remembered("run", lambda store: store.run(PLAYED.id))
            await trio.sleep(0.01)


async def test_an_answer_is_computed_once_for_all_who_ask(shelf: Shelf) -> None:
    counter = Counter()
    async with trio.open_nursery() as nursery:
        for _ in range(5):
            nursery.start_soon(shelf.remembered, "key", counter)
    assert counter.calls == 1


async def test_the_old_answer_serves_while_a_new_one_is_made(shelf: Shelf) -> None:
    counter = Counter()
    await shelf.remembered("key", counter)
    fill(shelf.path, deals=6)
    assert await shelf.remembered("key", counter) == 24
    await until(shelf, counter, 36)
    assert counter.calls == 2


async def test_an_answer_that_lags_too_far_is_not_given(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelves, "LAG", 0)
    counter = Counter()
    await shelf.remembered("key", counter)
    fill(shelf.path, deals=6)
    assert await shelf.remembered("key", counter) == 36


async def test_what_fails_is_told_each_time_and_kept_nowhere(shelf: Shelf) -> None:
    for _ in range(2):
        with pytest.raises(NotFound):
            await shelf.remembered("zz", lambda store: store.run("zz"))
    assert shelf._asked == {}


async def test_a_renewal_that_fails_is_told_to_the_next_who_asks(shelf: Shelf) -> None:
    assert (await shelf.remembered("run", lambda store: store.run(PLAYED.id))).id == PLAYED.id
    with Store.open(shelf.path) as store:
        store.delete_run(PLAYED.id)
    with pytest.raises(NotFound):
        await ask_on(shelf)


async def test_only_so_many_are_kept(shelf: Shelf) -> None:
    for number in range(shelves.KEPT + 5):
        await shelf.remembered(number, lambda _: 0)
    assert list(shelf._answers) == list(range(5, shelves.KEPT + 5))
