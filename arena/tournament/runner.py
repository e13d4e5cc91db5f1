"""A tournament being played: slots become jobs, results become stored matches."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from arena.log import logger
from arena.store.db import Store
from arena.store.model import Finished, Run, Slot
from arena.tournament import seeds
from arena.tournament.job import Done, Job, Void
from arena.tournament.schedule import seating
from protocol.record import Record, decode_record

TRIES: Final = 3
"""How often a slot is played when the host fails; then it stays open."""
START_FAULTS: Final = 3
"""How many matches in a row a bot may fail to start before it is withdrawn."""


class Unplayed(Struct, frozen=True):
    """Slots that stay open at the end, and why."""

    void: Mapping[Slot, str]
    """The reason of the last void match of each slot that was tried often enough."""
    withdrawn: Mapping[str, int]
    """The open slots of each bot that was withdrawn."""

    def __bool__(self) -> bool:
        """Whether any slot stays open."""
        return bool(self.void or self.withdrawn)


class Runner:
    """The docket of a run. Played slots are passed over, so the same call continues a run."""

    def __init__(
        self,
        store: Store,
        run: Run,
        slots: Iterable[Slot],
        *,
        sides: Sequence[int],
        digests: Mapping[str, str],
        report: Callable[[int], None],
    ) -> None:
        """Plan what is open.

        Args:
            store: keeps what is played.
            run: is in the store, with its entrants.
            slots: all that is to be played, in order.
            sides: the side of each seat.
            digests: of each entrant.
            report: is told how many matches were stored, each time.
        """
        self._store = store
        self._run = run
        self._sides = sides
        self._digests = digests
        self._report = report
        self._warned: set[tuple[str, str]] = set()
        played = store.done(run.id)
        self._open = deque(slot for slot in slots if slot not in played)
        self._tries: Counter[Slot] = Counter()
        self._void: dict[Slot, str] = {}
        self._failures: Counter[str] = Counter()
        self._withdrawn: Counter[str] = Counter()

    @property
    def left(self) -> int:
        """How many matches are neither played nor out."""
        return len(self._open)

    def take(self) -> Job | None:
        """The next match that no withdrawn bot takes part in."""
        while self._open:
            slot = self._open.popleft()
            gone = [name for name in slot.group if name in self._withdrawn]
            if not gone:
                return self._job(slot)
            self._withdrawn.update(gone)
        return None

    def settle(self, results: Sequence[Done | Void]) -> None:
        """Store what was played, in one transaction; void slots are opened again."""
        finished = [
            Finished(result.slot, decode_record(result.record), result.logs)
            for result in results
            if isinstance(result, Done)
        ]
        if finished:
            self._store.add(self._run.id, finished)
            for match in finished:
                self._note_failures(match.record)
                self._log_faults(match.record)
            self._report(len(finished))
        for result in results:
            if isinstance(result, Void):
                self._reopen(result)

    def unplayed(self) -> Unplayed:
        """What stays open."""
        return Unplayed(self._void, {k: v for k, v in self._withdrawn.items() if v})

    def _job(self, slot: Slot) -> Job:
        run = self._run
        seated = seating(run.seed, slot, self._sides)
        return Job(
            slot=slot,
            match=seeds.match_id(run.id, slot, [self._digests[name] for name in slot.group]),
            deal=seeds.deal(run.seed, slot.group, slot.deal),
            seed=seeds.match_seed(run.seed, slot),
            seeds=tuple(seeds.bot_seeds(run.seed, slot, len(self._sides))),
            seating=tuple(seated),
        )

    def _reopen(self, result: Void) -> None:
        self._tries[result.slot] += 1
        if self._tries[result.slot] < TRIES:
            self._open.append(result.slot)
        else:
            self._void[result.slot] = result.reason

    def _note_failures(self, record: Record) -> None:
        """Withdraw a bot that failed to start again and again."""
        failed = {record.bots[fault.seat].name for fault in record.faults if fault.code == "start"}
        for name in {bot.name for bot in record.bots}:
            self._failures[name] = self._failures[name] + 1 if name in failed else 0
            if self._failures[name] >= START_FAULTS and name not in self._withdrawn:
                self._withdrawn[name] = 0

    def _log_faults(self, record: Record) -> None:
        """Warn of the first fault of a kind that a bot commits; the others are for `-v`."""
        for fault in record.faults:
            name = record.bots[fault.seat].name
            first = (name, fault.code) not in self._warned
            self._warned.add((name, fault.code))
            tell = logger().warning if first else logger().info
            tell("fault", bot=name, code=fault.code, match=record.match, message=fault.message)
