"""Clocks: limits, banks, increments and what is told of them."""

from math import inf

import pytest

from arena.referee.clock import Clocks, SeatClock
from protocol.messages import ActTime, StartTime


def left_ms(clock: SeatClock) -> int:
    return round(clock.left() * 1000)


def test_the_defaults_are_a_second_a_turn_and_five_for_the_first() -> None:
    assert Clocks().told() == StartTime(1000, 5000, None, None)


def test_the_first_turn_has_its_own_limit() -> None:
    clock = SeatClock(Clocks(turn_ms=1000, first_ms=5000))
    assert left_ms(clock) == 5000
    clock.end_turn()
    assert left_ms(clock) == 1000


def test_a_turn_of_many_questions_has_one_limit() -> None:
    clock = SeatClock(Clocks(turn_ms=1000, first_ms=1000))
    clock.charge(0.3)
    clock.charge(0.3)
    assert left_ms(clock) == 400
    assert clock.told() == ActTime(400, None)
    clock.end_turn()
    assert left_ms(clock) == 1000


def test_without_limits_there_is_none() -> None:
    clock = SeatClock(Clocks(turn_ms=None, first_ms=None))
    clock.charge(1e6)
    assert clock.left() == inf
    assert clock.told() == ActTime(None, None)


def test_a_bank_is_used_up_over_turns_and_gains_the_increment_after_each() -> None:
    clock = SeatClock(Clocks(turn_ms=None, first_ms=None, bank_ms=1000, increment_ms=100))
    for expected in (1000, 700, 400, 100):
        assert left_ms(clock) == expected
        clock.charge(0.4)
        clock.end_turn()
    assert left_ms(clock) == 100  # spent, and one increment


def test_the_smaller_of_bank_and_turn_rules() -> None:
    clock = SeatClock(Clocks(turn_ms=1000, first_ms=1000, bank_ms=1500))
    assert left_ms(clock) == 1000
    clock.charge(0.8)
    assert clock.told() == ActTime(200, 700)
    clock.end_turn()
    assert left_ms(clock) == 700


@pytest.mark.parametrize("used", [0.0, 0.5, 1.0])
def test_the_margin_is_granted_and_not_told(used: float) -> None:
    clock = SeatClock(Clocks(turn_ms=1000, first_ms=1000, margin_ms=50))
    clock.charge(used)
    assert left_ms(clock) == round(1050 - used * 1000)
    assert clock.told() == ActTime(round(1000 - used * 1000), None)


def test_nothing_below_zero_is_told() -> None:
    clock = SeatClock(Clocks(turn_ms=1000, first_ms=1000, bank_ms=1000, margin_ms=50))
    clock.charge(1.02)
    assert clock.told() == ActTime(0, 0)
