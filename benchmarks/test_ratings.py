"""Ratings of 10,000 matches of two sides between 100 bots."""

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from arena.ratings.elo import rate
from arena.ratings.leaderboard import leaderboard
from arena.ratings.results import Results
from benchmarks.leaderboard_speed import BOTS, columns


@pytest.fixture(scope="module")
def results() -> Results:
    return Results.from_columns([f"bot-{n}" for n in range(BOTS)], **columns(10_000, 2))


def test_elo(benchmark: BenchmarkFixture, results: Results) -> None:
    assert np.isfinite(benchmark(rate, results).elo).all()


def test_leaderboard(benchmark: BenchmarkFixture, results: Results) -> None:
    assert benchmark(leaderboard, results)
