"""What of a tournament is still to be played: the open slots of its format."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from arena.store.model import Slot
from arena.tournament.formats import Format, Played

TRIES: Final = 3
"""How often a slot is played when the host fails; then it stays open."""


class Unplayed(Struct, frozen=True):
    """Slots that stay open at the end, and why."""

    void: Mapping[Slot, str]
    """The reason of the last void match of each slot that was tried often enough."""
    withdrawn: Mapping[str, int]
    """The open slots of each bot that was withdrawn."""

    def __bool__(self) -> bool:
        """Whether any slot stays open."""
        return bool(self.void or self.withdrawn)


class Agenda:
    """Hands out open slots; asks the format for more when all that it named are settled."""

    def __init__(self, plan: Format, played: Played) -> None:
        """Begin with what is played already."""
        self._plan = plan
        self._played = dict(played)
        self._again: deque[Slot] = deque()
        """Slots of void matches."""
        self._source: Iterator[Slot] = iter(plan.slots(self._played))
        self._out: set[Slot] = set()
        self._tries: Counter[Slot] = Counter()
        self._void: dict[Slot, str] = {}
        self._withdrawn: dict[str, set[Slot]] = {}
        self._closed = False

    @property
    def played(self) -> Played:
        """What is played by now, where the format follows the results; else what was at first."""
        return self._played

    def take(self) -> Slot | None:
        """The next open slot; None where there is none now."""
        if self._closed:
            return None
        slot = self._next()
        if slot is None and not self._out and self._plan.follows_results:
            self._source = iter(self._plan.slots(self._played))
            slot = self._next()
        if slot is not None:
            self._out.add(slot)
        return slot

    def settle(self, slot: Slot, ranks: tuple[int, ...]) -> None:
        """A match was played; ranks in the order of the slot's group."""
        self._out.discard(slot)
        if self._plan.follows_results:
            self._played[slot] = ranks

    def reopen(self, slot: Slot, reason: str) -> None:
        """A match was void: it is played again, but not for ever."""
        self._out.discard(slot)
        self._tries[slot] += 1
        if self._tries[slot] < TRIES:
            self._again.append(slot)
        else:
            self._void[slot] = reason

    def withdraw(self, name: str) -> None:
        """Hand out no more matches of a bot."""
        self._withdrawn.setdefault(name, set())

    def close(self) -> None:
        """Hand out nothing more: what is out is all that will be played."""
        self._closed = True

    def unplayed(self) -> Unplayed:
        """What stays open."""
        withdrawn = {name: len(slots) for name, slots in self._withdrawn.items() if slots}
        return Unplayed(self._void, withdrawn)

    def _next(self) -> Slot | None:
        while self._again:
            slot = self._again.popleft()
            if self._may_play(slot):
                return slot
        for slot in self._source:
            if slot not in self._played and slot not in self._void and self._may_play(slot):
                return slot
        return None

    def _may_play(self, slot: Slot) -> bool:
        gone = [name for name in slot.group if name in self._withdrawn]
        for name in gone:
            self._withdrawn[name].add(slot)
        return not gone
