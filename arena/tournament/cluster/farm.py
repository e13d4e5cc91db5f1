"""The machines of a Dask cluster as a farm."""

from collections.abc import Sequence

import trio
from msgspec.structs import replace

from arena.tournament.cluster.bundle import Bundle, bundled
from arena.tournament.cluster.link import PARTING_S, connected
from arena.tournament.cluster.order import Order
from arena.tournament.cluster.roll import Roll
from arena.tournament.entry import Entry
from arena.tournament.farm import Crew, Docket, WorkerReport
from arena.tournament.job import Assignment
from engine.registry import game


class ClusterFarm:
    """All Dask workers of a cluster that can play: those that are there, and those that come."""

    def __init__(
        self,
        place: str,
        entries: Sequence[Entry],
        *,
        isolation: str = "auto",
        trust: bool = False,
        lanes: int = 1,
    ) -> None:
        """Plan to play on a cluster.

        Args:
            place: the address of its scheduler, or the file that the scheduler wrote.
            entries: the bots; they are brought to the machines.
            isolation: the level that a machine must reach; `auto`: its own best.
            trust: build bots also where nothing isolates the build.
            lanes: how many matches each thread plays at a time.
        """
        self._place = place
        self._entries = entries
        self._isolation = isolation
        self._trust = trust
        self._lanes = lanes
        self._reports: tuple[WorkerReport, ...] = ()

    @property
    def size(self) -> str:
        """`cluster tcp://host:8786`."""
        return f"cluster {self._place}"

    @property
    def reports(self) -> tuple[WorkerReport, ...]:
        """What each Dask worker did, once the farm has played."""
        return self._reports

    async def play(self, assignment: Assignment, docket: Docket) -> None:
        """Play until the docket has nothing more.

        Raises:
            CannotStart: a bot cannot be sent.
            ClusterError: the scheduler cannot be reached, or no machine can play.
        """
        crew = Crew(docket)
        if crew.exhausted():
            return
        order, bundles = self._order(replace(assignment, lanes=self._lanes))
        async with connected(self._place) as link:
            roll = Roll(link, order, bundles, crew)
            try:
                await roll.play()
            finally:
                self._reports = roll.reports()
                with trio.move_on_after(PARTING_S, shield=True):
                    await roll.dismiss()

    def _order(self, assignment: Assignment) -> tuple[Order, list[Bundle]]:
        """What a machine is told, and the bots that it may lack."""
        sent = {entry.name: bundled(entry) for entry in self._entries}
        order = Order(
            assignment=assignment,
            game_version=game(assignment.game).version,
            isolation=self._isolation,
            trust=self._trust,
            sources={name: source for name, (source, _) in sent.items()},
        )
        bundles = {bundle.name: bundle for _, bundle in sent.values() if bundle is not None}
        return order, list(bundles.values())
