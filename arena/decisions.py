"""The decisions of a recorded match: what each seat was asked, and what it answered."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.referee.clock import Clocks, SeatClock
from arena.referee.faults import Code
from arena.replay import Replay, Step
from engine.game import CHANCE
from protocol.messages import Act, Start
from protocol.record import Fault, LogEntry, Record


class Decision(Struct, frozen=True):
    """A question of the match, as it was put, and the answer."""

    turn: int
    """The game's turn; a turn may take several decisions."""
    act: Act
    """All that the seat was told, its clock and `legal` included."""
    before: Any
    """The whole state that it was decided in, secrets included."""
    entries: tuple[LogEntry, ...] = ()
    """What the answer did; empty where it was a fault at once."""
    fault: Fault | None = None
    """Why there was no answer, or none that was legal."""

    @property
    def seat(self) -> int:
        """Whose decision it was."""
        return self.act.seat

    @property
    def actions(self) -> tuple[str, ...]:
        """What was played."""
        return tuple(entry.do for entry in self.entries)


def start_of(replay: Replay, seat: int) -> Start:
    """The `start` that a seat was sent, as that of its process's first match."""
    record = replay.record
    return Start(
        match="m1",
        game=record.game,
        version=record.version,
        options=msgspec.to_builtins(replay.table.options),
        players=record.players,
        seat=seat,
        seed=record.seeds[seat],
        time=_clocks(record, seat).told(),
    )


def decisions(replay: Replay) -> Iterator[Decision]:
    """All decisions in the order of the match. Chance and stand-ins decide nothing.

    The time on the first action of an answer tells it from the one before. The record does not
    tell where in an answer an illegal action stood: the fault counts as a decision of its own.

    Raises:
        Mismatch: the record does not replay.
    """
    seats = [_Seat(replay, seat) for seat in range(replay.record.players)]
    faults = deque(f for f in replay.record.faults if f.code != Code.START)
    answer: Decision | None = None
    state = replay.game.initial(replay.table)
    for step in replay.steps():
        if step.entry.by != CHANCE:
            if answer is not None and not _goes_on(replay, answer, step):
                yield _closed(replay, answer, state, faults)
                answer = None
            if step.entry.stand_in:
                yield from _faulted(replay, seats, state, faults)
            elif answer is None:
                answer = seats[step.entry.by].asked(state, step.entry)
            else:
                answer = replace(answer, entries=(*answer.entries, step.entry))
        for seat in seats:
            seat.hear(step)
        state = step.after
    if answer is not None:
        yield _closed(replay, answer, state, faults)
    yield from _faulted(replay, seats, state, faults)


def as_first(decision: Decision, earlier: Iterable[Decision]) -> Decision:
    """A decision as the first that its seat is asked: it hears all that happened since the deal.

    Args:
        decision: which one.
        earlier: those of the same seat before it.
    """
    events = [event for other in earlier for event in other.act.events] + [*decision.act.events]
    return replace(decision, act=replace(decision.act, events=events))


def _goes_on(replay: Replay, answer: Decision, step: Step) -> bool:
    """Whether an action belongs to the answer before it."""
    entry = step.entry
    return (
        entry.by == answer.seat
        and entry.ms is None
        and not entry.stand_in
        and replay.game.turn(step.before) == answer.turn
    )


def _closed(replay: Replay, answer: Decision, state: Any, faults: deque[Fault]) -> Decision:
    """An answer at its end; what it held beyond the end of its turn was a fault."""
    beyond = (
        faults
        and faults[0].seat == answer.seat != replay.game.to_act(state)
        and faults[0].turn == replay.game.turn(state)
    )
    return replace(answer, fault=faults.popleft()) if beyond else answer


def _faulted(
    replay: Replay, seats: "list[_Seat]", state: Any, faults: deque[Fault]
) -> Iterator[Decision]:
    """The question that the seat to act was put out over, if it was put out here."""
    if faults and faults[0].seat == replay.game.to_act(state):
        fault = faults.popleft()
        yield replace(seats[fault.seat].asked(state), fault=fault)


class _Seat:
    """What a seat has heard and used, as the referee counts it."""

    def __init__(self, replay: Replay, number: int) -> None:
        self._replay = replay
        self._number = number
        self._clock = SeatClock(_clocks(replay.record, number))
        self._turn: int | None = None
        self._questions = 0
        self._events: list[Struct] = []

    def hear(self, step: Step) -> None:
        """See what happened."""
        game = self._replay.game
        event = game.redact(step.before, step.entry.do, step.after, self._number)
        if event is not None:
            self._events.append(event)

    def asked(self, state: Any, entry: LogEntry | None = None) -> Decision:
        """The question in this state, and the first action of the answer."""
        game, turn = self._replay.game, self._replay.game.turn(state)
        if self._turn not in (None, turn):
            self._clock.end_turn()
        self._turn = turn
        self._questions += 1
        act = Act(
            match="m1",
            id=self._questions,
            seat=self._number,
            state=game.view(state, self._number),
            events=self._events,
            legal=game.legal(state),
            time=self._clock.told(),
        )
        self._events = []
        if entry is None:
            return Decision(turn, act, state)
        self._clock.charge((entry.ms or 0) / 1000)
        return Decision(turn, act, state, (entry,))


def _clocks(record: Record, seat: int) -> Clocks:
    time = record.time
    clocks = Clocks(time.turn_ms, time.first_ms, time.bank_ms, time.increment_ms)
    return clocks.scaled(record.handicaps[seat]) if record.handicaps else clocks
