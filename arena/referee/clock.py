"""Clocks: what a seat may use, what it has used, and when it is out of time."""

from math import inf

from msgspec import Struct

from protocol.messages import ActTime, StartTime


class Clocks(Struct, frozen=True):
    """The time control of a match, in milliseconds; None: no limit."""

    turn_ms: int | None = 1000
    """The limit of one whole turn, whatever the number of its questions."""
    first_ms: int | None = 5000
    """The limit of a seat's first turn, in place of turn_ms."""
    bank_ms: int | None = None
    """The budget of a seat for the whole match."""
    increment_ms: int | None = None
    """What a completed turn adds to the bank."""
    start_ms: int = 10_000
    """The limit from the start of a program to its `ready`."""
    margin_ms: int = 0
    """Granted silently on top of every limit of a turn."""

    def scaled(self, factor: float) -> "Clocks":
        """Every limit of a turn or match multiplied, for a bot with a handicap."""
        if factor == 1:
            return self
        turn, first, bank, increment = (
            None if limit is None else max(1, round(limit * factor))
            for limit in (self.turn_ms, self.first_ms, self.bank_ms, self.increment_ms)
        )
        return Clocks(turn, first, bank, increment, self.start_ms, self.margin_ms)

    def told(self) -> StartTime:
        """What `start` and the record say of it."""
        return StartTime(self.turn_ms, self.first_ms, self.bank_ms, self.increment_ms)


class SeatClock:
    """The clock of one seat in one match. Times are seconds of any monotonic clock."""

    __slots__ = ("_bank", "_increment", "_limit", "_margin", "_turn_limit", "_used")

    def __init__(self, clocks: Clocks) -> None:
        self._turn_limit = _seconds(clocks.turn_ms)
        self._limit = _seconds(clocks.first_ms)
        self._bank = _seconds(clocks.bank_ms)
        self._increment = (clocks.increment_ms or 0) / 1000
        self._margin = clocks.margin_ms / 1000
        self._used = 0.0

    def left(self) -> float:
        """Seconds left for the turn in progress, the margin included; inf: no limit."""
        return min(self._limit, self._bank) - self._used + self._margin

    def told(self) -> ActTime:
        """What `act` says of it: the margin is granted silently."""
        return ActTime(_whole_ms(self._limit - self._used), _whole_ms(self._bank - self._used))

    def charge(self, seconds: float) -> None:
        """Add the time of one answer to the turn in progress."""
        self._used += seconds

    def end_turn(self) -> None:
        """Settle the turn: its time leaves the bank, the increment enters it."""
        if self._bank < inf:
            self._bank = max(0.0, self._bank - self._used) + self._increment
        self._used = 0.0
        self._limit = self._turn_limit


def _seconds(milliseconds: int | None) -> float:
    return inf if milliseconds is None else milliseconds / 1000


def _whole_ms(seconds: float) -> int | None:
    if seconds == inf:
        return None
    return int(seconds * 1000 + 0.5) if seconds > 0 else 0
