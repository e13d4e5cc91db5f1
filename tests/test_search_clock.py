"""How long the search bot thinks: all its time, and never longer."""

from collections.abc import Callable

import pytest

from bots.search_clock import UNLIMITED, Clock, Count, time_for
from protocol.messages import Act, ActTime, Start, StartTime


def question(turn: int | None, bank: int | None, increment: int | None = None) -> tuple[Act, Start]:
    """An act with so many milliseconds left, and the start of its match."""
    start = Start("m1", "herd", 1, {}, 2, 0, 7, StartTime(turn and 100, turn, bank, increment))
    return Act("m1", 1, 0, {}, [], time=ActTime(turn, bank)), start


@pytest.mark.parametrize(
    ("turn", "bank", "increment", "turns", "seconds"),
    [
        (None, None, None, 10, None),
        (100, None, None, 10, 0.1),
        (5000, None, None, 10, 0.1),
        (None, 1000, None, 10, 0.1),
        (None, 1000, 50, 10, 0.15),
        (None, 40, 100, 10, 0.04),
        (100, 500, None, 10, 0.05),
        (100, 5000, None, 10, 0.1),
    ],
)
def test_the_time_of_a_turn_is_its_limit_or_its_part_of_the_bank(
    turn: int | None, bank: int | None, increment: int | None, turns: int, seconds: float | None
) -> None:
    act, start = question(turn, bank, increment)
    assert time_for(act, start, turns) == pytest.approx(seconds)


class FakeTime:
    """Time that goes on only by work."""

    def __init__(self) -> None:
        self.now = 0.0
        self.done = 0

    def __call__(self) -> float:
        return self.now

    def work(self, *seconds: float) -> Callable[[], None]:
        """Pieces of work that take so long, the last one again and again."""

        def piece() -> None:
            self.now += seconds[min(self.done, len(seconds) - 1)]
            self.done += 1

        return piece


def spent(limit: float | None, *pieces: float, fraction: float = 1.0) -> float:
    """Seconds of a turn that were used."""
    time = FakeTime()
    clock = Clock(fraction, time)
    clock.start()
    clock.limit(limit)
    clock.spend(time.work(*pieces))
    return time.now


@pytest.mark.parametrize(
    ("limit", "fraction", "used"),
    [
        (10.0, 0.9, 9.0),
        (1.0, 1.0, 0.99),
        (0.1, 0.92, 0.09),
        (0.05, 1.0, 0.04),
        (0.01, 1.0, 0.005),
        (None, 0.9, UNLIMITED),
    ],
)
def test_a_turn_is_used_up_to_its_reserve(
    limit: float | None, fraction: float, used: float
) -> None:
    assert spent(limit, 0.0001, fraction=fraction) == pytest.approx(used, abs=0.00021)


def test_no_work_begins_that_could_end_too_late() -> None:
    assert spent(0.1, 0.02) == pytest.approx(0.08)


def test_what_took_long_once_may_take_so_long_again() -> None:
    assert spent(0.1, 0.001, 0.030, 0.001) <= 0.06 + 0.001


def test_the_memory_of_a_long_wait_fades() -> None:
    time = FakeTime()
    clock = Clock(1.0, time)
    clock.limit(1)
    clock.spend(time.work(0.5))
    used = []
    for _ in range(30):
        clock.start()
        clock.limit(1)
        began = time.now
        clock.spend(time.work(0.001))
        used.append(time.now - began)
    assert used[:4] == pytest.approx([0.74, 0.865, 0.927, 0.958], abs=0.002)
    assert used[-1] == pytest.approx(0.99, abs=0.002)


def test_time_counts_from_the_question() -> None:
    time = FakeTime()
    clock = Clock(1.0, time)
    clock.start()
    time.now = 0.03
    clock.limit(0.1)
    clock.spend(time.work(0.001))
    assert time.now == pytest.approx(0.09, abs=0.0021)


def test_a_count_is_spent_whatever_the_time() -> None:
    time = FakeTime()
    assert Count(9).spend(time.work(1)) == 9
    assert time.done == 9
