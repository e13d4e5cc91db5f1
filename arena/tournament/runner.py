"""A tournament being played: slots become jobs, results become stored matches."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import trio

from arena.log import logger
from arena.store.db import Store
from arena.store.model import Finished, Run, Slot
from arena.tournament import seeds
from arena.tournament.agenda import Agenda
from arena.tournament.farm import Farm
from arena.tournament.formats import Format
from arena.tournament.job import Assignment, Done, Job, Void
from arena.tournament.schedule import seating
from protocol.record import Record, decode_record

START_FAULTS: Final = 3
"""How many matches in a row a bot may fail to start before it is withdrawn."""


class Runner:
    """The docket of a run. Played slots are passed over, so the same call continues a run."""

    def __init__(
        self,
        store: Store,
        run: Run,
        plan: Format,
        *,
        digests: Mapping[str, str],
        report: Callable[[int], None],
    ) -> None:
        """Take up a run where it stands.

        Args:
            store: keeps what is played.
            run: is in the store, with its entrants.
            plan: says what is to be played.
            digests: of each entrant.
            report: is told how many matches were stored, each time.
        """
        self._store = store
        self._run = run
        self._digests = digests
        self._report = report
        self._sides = run.seat_sides()
        self.agenda = Agenda(plan, store.played(run.id))
        self._failures: Counter[str] = Counter()
        self._warned: set[tuple[str, str]] = set()

    def take(self) -> Job | None:
        """The next match, None when there is none now."""
        slot = self.agenda.take()
        return None if slot is None else self._job(slot)

    def settle(self, results: Sequence[Done | Void]) -> None:
        """Store what was played, in one transaction; void slots are opened again."""
        finished = [_finished(result) for result in results if isinstance(result, Done)]
        if finished:
            self._store.add(self._run.id, finished)
        for match in finished:
            self.agenda.settle(match.slot, ranks_in_group(match.slot, match.record))
            self._note_failures(match.record)
            self._log_faults(match.record)
        for result in results:
            if isinstance(result, Void):
                self.agenda.reopen(result.slot, result.reason)
        self._report(len(finished))

    def _job(self, slot: Slot) -> Job:
        run = self._run
        return Job(
            slot=slot,
            match=seeds.match_id(run.id, slot, [self._digests[name] for name in slot.group]),
            deal=seeds.deal(run.seed, slot.group, slot.deal),
            seed=seeds.match_seed(run.seed, slot),
            seeds=seeds.bot_seeds(run.seed, slot, len(self._sides)),
            seating=seating(run.seed, slot, self._sides),
        )

    def _note_failures(self, record: Record) -> None:
        """Withdraw a bot that failed to start again and again."""
        failed = {record.bots[fault.seat].name for fault in record.faults if fault.code == "start"}
        for name in {bot.name for bot in record.bots}:
            self._failures[name] = self._failures[name] + 1 if name in failed else 0
            if self._failures[name] >= START_FAULTS:
                self.agenda.withdraw(name)

    def _log_faults(self, record: Record) -> None:
        """Warn of the first fault of a kind that a bot commits; the others are for `-v`."""
        for fault in record.faults:
            name = record.bots[fault.seat].name
            first = (name, fault.code) not in self._warned
            self._warned.add((name, fault.code))
            tell = logger().warning if first else logger().info
            tell("fault", bot=name, code=fault.code, match=record.match, message=fault.message)


def _finished(result: Done) -> Finished:
    line = bytes(result.record)
    return Finished(result.slot, decode_record(line), result.logs, line)


def ranks_in_group(slot: Slot, record: Record) -> tuple[int, ...]:
    """The rank of each bot of the group, from the first seat that it holds."""
    seats = [bot.name for bot in record.bots]
    return tuple(record.result.ranks[seats.index(name)] for name in slot.group)


async def play_for(
    seconds: float | None, farm: Farm, assignment: Assignment, runner: Runner
) -> None:
    """Play a run to its end, or until no match is begun any more."""

    async def close_in_time(after: float) -> None:
        await trio.sleep(after)
        runner.agenda.close()

    async with trio.open_nursery() as nursery:
        if seconds is not None:
            nursery.start_soon(close_in_time, seconds)
        await farm.play(assignment, runner)
        nursery.cancel_scope.cancel()
