"""The luck of a pool, priced on all cores or on one, with the same numbers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.ratings.luck import evaluator_of, luck_of_match, priced
from arena.replay import Replay
from arena.store.db import Store
from arena.store.model import Pool
from arena.tournament import pricing
from arena.tournament.pricing import evaluator_digest, price
from engine.guarded import Guarded
from tests.records import played
from tests.toy_game import ToyGame

MATCHES = [played("savanna-ten", deal=f"{n:02}", match=f"m{n}") for n in range(3)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as store:
        store.import_records(MATCHES)
        yield store


def test_an_evaluator_is_named_by_what_it_consists_of(store: Store) -> None:
    (pool,) = store.pools()
    name = evaluator_digest(pool)
    assert name is not None
    assert len(name) == 16
    assert evaluator_digest(pool) == name


@pytest.mark.parametrize(
    "pool",
    [
        Pool("chess", 1, {}, 2, ()),
        Pool("savanna-ten", 1, {"mouse": "everywhere"}, 2, ()),
        Pool("savanna-ten", 99, {"mouse": "off", "teams": False}, 2, ()),
    ],
    ids=["game", "options", "version"],
)
def test_matches_that_cannot_be_replayed_here_have_no_evaluator(pool: Pool) -> None:
    assert evaluator_digest(pool) is None


def test_a_broken_game_has_no_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(*_: Any) -> None:
        raise KeyError("lost")

    broken = Guarded(type("Broken", (ToyGame,), {"check": check})(), "toys")
    monkeypatch.setattr(pricing, "game", lambda _name: broken)
    assert evaluator_digest(Pool("toy", 1, {}, 2, ())) is None


@pytest.mark.parametrize("few", [200, 0], ids=["alone", "on all cores"])
def test_prices(store: Store, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(pricing, "FEW", few)
    monkeypatch.setattr(pricing, "AT_ONCE", 2)
    (pool,) = store.pools()
    done: list[int] = []
    price(store, pool, "e1", done.append)
    assert done == [2, 1]
    assert store.unpriced(pool, "e1") == []
    found = store.results(pool, "e1").luck
    assert found is not None
    for luck, record in zip(found, MATCHES, strict=True):
        replay = Replay(record)
        evaluator = evaluator_of(replay.game, replay.table)
        assert evaluator is not None
        assert luck == pytest.approx(luck_of_match(priced(replay, evaluator), 2), abs=1e-6)
