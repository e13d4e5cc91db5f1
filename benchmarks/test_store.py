"""The store: matches of Savanna Ten in, results and records out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytest_benchmark.fixture import BenchmarkFixture

from arena.referee.clock import Clocks
from arena.store.db import Store
from arena.store.model import Entrant, Finished, Run, Slot
from benchmarks.positions import Course
from benchmarks.test_protocol import record

BATCH = 100
MATCHES = 10_000
RUN = Run(
    id="0123456789ab",
    game="savanna-ten",
    version=1,
    options={"mouse": "off", "teams": False},
    seats=2,
    format="round-robin",
    clocks=Clocks(),
    seed="seed",
    words="words",
    created="2026-11-29T19:00:00Z",
)


def batch(number: int) -> list[Finished]:
    """Matches of as many deals, in the order of play."""
    match = replace(record(Course("savanna-ten")), options=RUN.options)
    return [
        Finished(
            Slot(deal, ("greedy", "random"), 0),
            replace(match, match=f"{RUN.id}-{deal:06}-0-{deal:016x}", deal=f"{deal:032x}"),
        )
        for deal in range(number * BATCH, (number + 1) * BATCH)
    ]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as opened:
        opened.add_run(RUN)
        digests = {bot.name: bot.digest for bot in record(Course("savanna-ten")).bots}
        opened.add_entrants(RUN.id, [Entrant(*bot, "words") for bot in digests.items()])
        yield opened


def test_add_a_batch_of_100(benchmark: BenchmarkFixture, store: Store, tmp_path: Path) -> None:
    batches = map(batch, range(10**9))
    added = benchmark.pedantic(  # type: ignore[no-untyped-call]  # pytest-benchmark's
        store.add, setup=lambda: ((RUN.id, next(batches)), {}), rounds=MATCHES // BATCH
    )
    assert added == BATCH
    store.close()
    size = sum(file.stat().st_size for file in tmp_path.iterdir())
    benchmark.extra_info["bytes per match"] = size / MATCHES


def test_results_of_10_000_matches(benchmark: BenchmarkFixture, store: Store) -> None:
    for number in range(MATCHES // BATCH):
        store.add(RUN.id, batch(number))
    (pool,) = store.pools()
    assert len(benchmark(store.results, pool).ranks) == MATCHES


def test_a_record(benchmark: BenchmarkFixture, store: Store) -> None:
    matches = batch(0)
    store.add(RUN.id, matches)
    wanted = matches[-1].record
    assert benchmark(store.record, wanted.match) == wanted
