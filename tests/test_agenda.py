"""What of a tournament is still to be played."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from arena.store.model import Slot
from arena.tournament.agenda import TRIES, Agenda
from arena.tournament.formats import Played, RoundRobin

AB, AC, BC = ("a", "b"), ("a", "c"), ("b", "c")
PLAN = RoundRobin(("a", "b", "c"), 2, 1)


class Rounds(Struct, frozen=True):
    """One slot a round, the next when the one before is played."""

    follows_results: ClassVar[bool] = True

    rounds: int

    def slots(self, played: Played) -> Iterable[Slot]:
        return [Slot(number, AB, 0) for number in range(min(self.rounds, len(played) + 1))]

    def matches(self) -> int:
        return self.rounds


def take_all(agenda: Agenda) -> list[Slot]:
    return list(iter(agenda.take, None))


def test_open_slots_come_in_order_and_played_ones_are_passed_over() -> None:
    agenda = Agenda(PLAN, {Slot(0, AB, 0): (1, 2), Slot(0, AC, 1): (1, 2)})
    assert take_all(agenda) == [Slot(0, AB, 1), Slot(0, AC, 0), Slot(0, BC, 0), Slot(0, BC, 1)]
    assert not agenda.unplayed()


def test_the_format_is_asked_again_when_all_that_is_out_is_settled() -> None:
    agenda = Agenda(Rounds(3), {})
    for number in range(3):
        slot = agenda.take()
        assert slot == Slot(number, AB, 0)
        assert agenda.take() is None, "a match is out"
        agenda.settle(slot, (1, 2))
    assert agenda.take() is None
    assert len(agenda.played) == 3


def test_a_format_that_follows_no_results_is_asked_once_and_nothing_is_remembered() -> None:
    agenda = Agenda(PLAN, {})
    slots = take_all(agenda)
    for slot in slots:
        agenda.settle(slot, (1, 2))
    assert agenda.take() is None
    assert not agenda.played


def test_a_void_match_is_played_again_but_not_for_ever() -> None:
    agenda = Agenda(Rounds(1), {})
    for _ in range(TRIES):
        slot = agenda.take()
        assert slot is not None
        agenda.reopen(slot, "the host failed")
    assert agenda.take() is None
    assert agenda.unplayed().void == {Slot(0, AB, 0): "the host failed"}


def test_matches_of_a_bot_that_is_withdrawn_stay_open_and_are_counted() -> None:
    agenda = Agenda(PLAN, {})
    first = agenda.take()
    agenda.withdraw("a")
    assert first == Slot(0, AB, 0)
    assert take_all(agenda) == [Slot(0, BC, 0), Slot(0, BC, 1)]
    assert agenda.unplayed().withdrawn == {"a": 3}


def test_a_void_match_of_a_withdrawn_bot_is_not_played_again() -> None:
    agenda = Agenda(Rounds(1), {})
    slot = agenda.take()
    assert slot is not None
    agenda.withdraw("b")
    agenda.reopen(slot, "the host failed")
    assert agenda.take() is None
    assert agenda.unplayed().withdrawn == {"b": 1}


def test_nothing_is_begun_after_the_end_was_called() -> None:
    agenda = Agenda(PLAN, {})
    agenda.take()
    agenda.close()
    assert agenda.take() is None
