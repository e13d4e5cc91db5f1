"""What chance gave each side: right by hand, and 0 in the mean whatever the evaluator holds."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from arena.ratings.luck import Chanced, evaluator_of, luck_of, luck_of_match, priced
from arena.replay import Mismatch, Replay
from engine.evaluation import Evaluator
from engine.game import CHANCE, Table
from tests.records import played
from tests.toy_game import ToyGame, ToyOptions, ToyState

DICE: Sequence[tuple[str, float]] = (("roll@0", 0.75), ("roll@2", 0.25))


class Dicey(ToyGame):
    """Each turn opens with a roll: one in four gives two points."""

    def chances(self, _state: ToyState) -> Sequence[tuple[str, float]]:
        return DICE

    def apply(self, state: ToyState, action: str) -> ToyState:
        rolls = self.to_act(state) == CHANCE
        after = super().apply(state, action)
        if not rolls:
            return after
        seat = (state.turn - 1) % state.table.players
        scores = [points + 2 * (s == seat) for s, points in enumerate(state.scores)]
        return replace(after, scores=tuple(scores)) if action == "roll@2" else after


class Lead(Evaluator):
    """A side expects 0.1 more for each point that it leads the mean by."""

    def results(self, state: Any) -> Sequence[float]:
        mean = sum(state.scores) / len(state.scores)
        return [0.5 + 0.1 * (points - mean) for points in state.scores]


class Whim(Evaluator):
    """An evaluator that knows nothing."""

    def results(self, state: Any) -> Sequence[float]:
        whim = (7 * state.scores[0] + 5 * state.scores[1] + 3 * state.turn) % 11 / 11
        return [whim, 1 - whim]


GAME = Dicey()


def table(**options: Any) -> ToyState:
    return GAME.initial(Table(ToyOptions(dice=True, **options), 2))


@pytest.mark.parametrize(
    ("outcome", "luck"), [("roll@2", (0.075, -0.075)), ("roll@0", (-0.025, 0.025))]
)
def test_luck_is_what_an_outcome_is_worth_beyond_the_mean_of_all(
    outcome: str, luck: tuple[float, float]
) -> None:
    assert luck_of(GAME, Lead(), table(), outcome) == pytest.approx(luck)


def test_a_match_sums_its_events() -> None:
    events = [Chanced(0, (0.075, -0.075)), Chanced(2, (0.025, -0.025))]
    assert luck_of_match(events, 2) == pytest.approx([0.1, -0.1])
    assert luck_of_match([], 3) == [0, 0, 0]


def lines(state: ToyState, chance: float = 1, luck: float = 0) -> Iterator[tuple[float, float]]:
    """Every way the game can go: its probability, and the luck of side 0 in it.

    The seats play by what luck they had, as bots may.
    """
    actor = GAME.to_act(state)
    if actor is None:
        yield chance, luck
    elif actor == CHANCE:
        for outcome, likely in DICE:
            own, _ = luck_of(GAME, Whim(), state, outcome)
            yield from lines(GAME.apply(state, outcome), chance * likely, luck + own)
    else:
        yield from lines(GAME.apply(state, "two" if state.scores[actor] else "none"), chance, luck)


def test_the_mean_over_all_ways_a_game_can_go_is_0_whatever_the_evaluator() -> None:
    ways = list(lines(table(turns=4)))
    assert len(ways) == 16
    assert sum(chance for chance, _ in ways) == pytest.approx(1, abs=1e-12)
    assert max(abs(luck) for _, luck in ways) > 0.1
    assert sum(chance * luck for chance, luck in ways) == pytest.approx(0, abs=1e-12)


class Stones(Evaluator):
    """A side expects more the more stones it has."""

    def results(self, state: Any) -> Sequence[float]:
        lead = state.stones[0].bit_count() - state.stones[1].bit_count()
        lead += (3 - 2 * (state.turn % 2)) * sum(state.dice)
        return [0.5 + lead / 100, 0.5 - lead / 100]


def test_every_chance_event_of_a_record_is_priced() -> None:
    record = played("herd", options={"size": 2})
    events = list(priced(Replay(record), Stones()))
    rolls = {n: entry.do for n, entry in enumerate(record.log) if entry.by == CHANCE}
    assert [event.place for event in events] == list(rolls)
    for event in events:
        first, second = map(int, rolls[event.place].removeprefix("roll@").split(","))
        turn = list(rolls).index(event.place) + 1
        own = (3 - 2 * (turn % 2)) * (first + second - 7) / 100
        assert event.luck == pytest.approx((own, -own))


def test_a_record_that_does_not_replay_has_no_luck() -> None:
    record = played("herd", options={"size": 2})
    with pytest.raises(Mismatch, match="entry 1: "):
        list(priced(Replay(replace(record, log=record.log[1:])), Stones()))


def test_a_game_without_an_evaluator_has_no_luck() -> None:
    assert evaluator_of(GAME, Table(ToyOptions(), 2)) is None
