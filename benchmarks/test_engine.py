"""The rules, one call at a time, halfway through a game; and a whole game by random play."""

from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from arena.bench.rules import play_randomly
from benchmarks.positions import DEAL, GAMES, Course


@pytest.fixture(scope="module", params=GAMES)
def course(request: pytest.FixtureRequest) -> Course:
    return Course(request.param)


def test_legal(benchmark: BenchmarkFixture, course: Course) -> None:
    assert benchmark(course.game.legal, course.halfway().before)


def test_apply(benchmark: BenchmarkFixture, course: Course) -> None:
    before, action, after = course.halfway()
    assert benchmark(course.game.apply, before, action) == after


def test_chance(benchmark: BenchmarkFixture, course: Course) -> None:
    before, action, _ = course.halfway(chance=True)
    assert benchmark(course.game.chance, before, DEAL) == action


def test_chance_of_a_new_deal(benchmark: BenchmarkFixture, course: Course) -> None:
    before = course.halfway(chance=True).before
    numbers = iter(range(10**9))
    assert benchmark(lambda: course.game.chance(before, f"{next(numbers):032x}"))


def test_apply_chance(benchmark: BenchmarkFixture, course: Course) -> None:
    before, action, after = course.halfway(chance=True)
    assert benchmark(course.game.apply, before, action) == after


def test_view(benchmark: BenchmarkFixture, course: Course) -> None:
    step = course.halfway()
    assert benchmark(course.game.view, step.before, course.seat(step))


def test_redact(benchmark: BenchmarkFixture, course: Course) -> None:
    assert benchmark(course.game.redact, *course.halfway(), 0)


def test_sample(benchmark: BenchmarkFixture, course: Course) -> None:
    step, game = course.halfway(), course.game
    seat = course.seat(step)
    view = game.view(step.before, seat)
    assert benchmark(game.sample, course.table, view, seat, Random(0))


def test_random_play(benchmark: BenchmarkFixture, course: Course) -> None:
    actions = benchmark(lambda: play_randomly(course.game, course.table, DEAL, Random(0)))
    benchmark.extra_info["actions"] = actions
