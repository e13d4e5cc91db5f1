"""A record played again: every state in it, and whether it is true."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from arena.referee.verdict import is_decided, result_of, sides_out
from engine.game import CHANCE, AnyGame, AnyTable, IllegalAction, TableError
from engine.guarded import GameFault
from engine.options import make_table
from engine.randomness import below
from engine.registry import UnknownGame, game
from protocol.record import LogEntry, Record


class Step(Struct, frozen=True):
    """One action of a record, with the states around it."""

    before: Any
    entry: LogEntry
    after: Any


class Mismatch(Exception):  # noqa: N818  # what verification finds
    """A record that does not replay to what it says; one sentence names the first difference."""


class Replay:
    """A record on its table."""

    def __init__(self, record: Record) -> None:
        """Set the table.

        Raises:
            UnknownGame, TableError: the game is not installed, or not with these options.
        """
        self.record = record
        self.game: AnyGame = game(record.game)
        self.table: AnyTable = make_table(self.game, record.players, record.options)
        self.sides = self.game.sides(self.table)

    def steps(self) -> Iterator[Step]:
        """All actions in order.

        Raises:
            Mismatch: at the first that the rules do not allow.
        """
        state = self.game.initial(self.table)
        for number, entry in enumerate(self.record.log, 1):
            actor = self.game.to_act(state)
            if actor != entry.by:
                raise Mismatch(
                    f"entry {number}: {_who(entry.by)} did {entry.do!r}, but {_turn_of(actor)}"
                )
            try:
                after = self.game.apply(state, entry.do)
            except IllegalAction as error:
                raise Mismatch(
                    f"entry {number}: {_who(entry.by)} did {entry.do!r}: {error.detail}"
                ) from None
            yield Step(state, entry, after)
            state = after

    def verify(self) -> None:
        """Simulate the match again: chance from the deal, stand-ins from the seed, the result.

        Raises:
            Mismatch: with the first difference.
        """
        self._check_frame()
        state = self.game.initial(self.table)
        for number, step in enumerate(self.steps(), 1):
            self._check_step(number, step)
            state = step.after
        self._check_result(state)

    def _check_step(self, number: int, step: Step) -> None:
        """See that where no bot chose what happened follows from the deal and the seed."""
        entry = step.entry
        if entry.stand_in and not self._is_faulted(entry.by):
            raise Mismatch(f"entry {number}: a stand-in for {_who(entry.by)}, which has no fault")
        expected = self._expected(number, step)
        if expected != entry.do:
            raise Mismatch(
                f"entry {number}: {_who(entry.by)} did {entry.do!r}, expected {expected!r}"
            )

    def _expected(self, number: int, step: Step) -> str:
        if step.entry.by == CHANCE:
            return self.game.chance(step.before, self.record.deal)
        if step.entry.stand_in:
            legal = self.game.legal(step.before)
            return legal[below(len(legal), self.record.seed, "stand-in", number - 1)]
        return step.entry.do

    def _is_faulted(self, seat: int) -> bool:
        """Whether a seat of the same side was faulted."""
        faulted = {self.sides[fault.seat] for fault in self.record.faults}
        return seat != CHANCE and self.sides[seat] in faulted

    def _check_frame(self) -> None:
        record = self.record
        if record.version != self.game.version:
            raise Mismatch(
                f"played by version {record.version} of {record.game}, installed is "
                f"version {self.game.version}"
            )
        if record.options != msgspec.to_builtins(self.table.options):
            raise Mismatch("its options are not complete")
        for field in ("bots", "seeds"):
            if (count := len(getattr(record, field))) != record.players:
                raise Mismatch(f"it has {count} {field} for {record.players} seats")
        for fault in record.faults:
            if not 0 <= fault.seat < record.players:
                raise Mismatch(f"it has a fault of seat {fault.seat}, which does not exist")

    def _check_result(self, state: Any) -> None:
        decided = is_decided(sides_out(self.record.faults, self.sides), self.sides)
        if not decided and self.game.outcome(state) is None:
            raise Mismatch(f"its log ends after {len(self.record.log)} entries, the game does not")
        expected = result_of(self.game, state, self.sides, self.record.faults)
        for field in ("reason", "scores", "ranks"):
            said, true = getattr(self.record.result, field), getattr(expected, field)
            if said != true:
                raise Mismatch(f"its result has {field} {_plain(said)}, expected {_plain(true)}")


def _who(seat: int) -> str:
    return "chance" if seat == CHANCE else f"seat {seat}"


def _turn_of(actor: int | None) -> str:
    return "the game was over" if actor is None else f"it was the turn of {_who(actor)}"


def _plain(value: Any) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)


class Difference(Struct, frozen=True):
    """A match that does not replay to what its record says."""

    match: str
    what: str
    """The first difference, in one sentence."""


class Verified(Struct, frozen=True):
    """What verification found."""

    matches: int
    differences: tuple[Difference, ...]


def verify_all(records: Iterable[Record]) -> Verified:
    """Simulate many matches again. What cannot be simulated here differs too."""
    count, differences = 0, []
    for record in records:
        count += 1
        try:
            Replay(record).verify()
        except (Mismatch, UnknownGame, TableError, GameFault) as error:
            differences.append(Difference(record.match, str(error)))
    return Verified(count, tuple(differences))
