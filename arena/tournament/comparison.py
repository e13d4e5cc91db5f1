"""The comparison of two versions: deals of one group, judged one by one until it is clear."""

from collections.abc import Iterable
from typing import ClassVar, Final

from msgspec import Struct

from arena.ratings.sprt import Hypotheses, Verdict, deal_outcome, judge
from arena.store.model import Slot
from arena.tournament import schedule
from arena.tournament.formats import Played
from arena.tournament.schedule import Group


class Duel(Struct, frozen=True):
    """One group plays so many deals; whoever compares looks at the results."""

    follows_results: ClassVar[bool] = True

    group: Group
    deals: int

    def slots(self, played: Played) -> Iterable[Slot]:  # noqa: ARG002  # results change nothing
        """Deal by deal, all rotations of each."""
        for deal in range(self.deals):
            yield from schedule.rotations(self.group, deal)

    def matches(self) -> int:
        """Every deal, every rotation."""
        return self.deals * len(self.group)


class Comparison:
    """What the deals say so far of NEW against BASE.

    Deals are counted in their order and only as far as all before them are whole, so the verdict
    does not depend on which match ended first. After the decision nothing is counted.
    """

    def __init__(self, group: Group, new: str, hypotheses: Hypotheses) -> None:
        """Begin with no deal.

        Args:
            group: who plays, sorted; all but NEW are BASE under several names.
            new: the name of NEW.
            hypotheses: what is asked.
        """
        self.hypotheses: Final = hypotheses
        self.counts = [0] * hypotheses.outcomes
        """How many deals had each outcome: NEW's half points over all rotations."""
        self.deals = 0
        self.verdict: Verdict = judge(self.counts, hypotheses)
        self._group = group
        self._place = group.index(new)

    @property
    def decided(self) -> bool:
        """Whether a hypothesis is accepted."""
        return self.verdict.accepted is not None

    def advance(self, played: Played) -> None:
        """Count the deals that are whole by now, until one decides."""
        while not self.decided:
            slots = list(schedule.rotations(self._group, self.deals))
            if not all(slot in played for slot in slots):
                return
            self.counts[deal_outcome(self._ranks(played[slot]) for slot in slots)] += 1
            self.deals += 1
            self.verdict = judge(self.counts, self.hypotheses)

    def _ranks(self, ranks: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """NEW's rank, and the others'."""
        others = ranks[: self._place] + ranks[self._place + 1 :]
        return ranks[self._place], others
