"""Who of a cluster plays: workers come, are mustered, play, and may be lost."""

import uuid
from collections.abc import Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import msgspec
import trio

from arena import VERSION
from arena.log import logger
from arena.tournament.cluster import hands
from arena.tournament.cluster.bundle import Bundle
from arena.tournament.cluster.link import ClusterError, Link, Seen
from arena.tournament.cluster.member import Member
from arena.tournament.cluster.order import Answer, Enlisted, Order, Refused
from arena.tournament.farm import Crew, WorkerReport

LOOK_S: Final = 1.0
"""Seconds between two looks at who is there."""
BATCH_S: Final = 1.0
"""Seconds that a batch of several matches is to take at least."""
PER_THREAD_S: Final = 0.01
"""What it is to take for every thread of the cluster: a scheduler carries 250 batches a second."""
GRACE_S: Final = 30.0
"""How long workers may take to come back when nobody who is there can play."""


class _Known:
    """A Dask worker of the cluster, and what became of it."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.enlisted: Enlisted | None = None
        self.member: Member | None = None
        self.refused: str | None = None
        self.lost = False

    @property
    def usable(self) -> bool:
        """It plays, or may yet."""
        return not self.lost and self.refused is None

    def report(self) -> WorkerReport:
        """What it did."""
        enlisted, member = self.enlisted, self.member
        matches, busy_s = (member.matches, member.busy_s) if member is not None else (0, 0.0)
        return WorkerReport(
            name=self.seen.name,
            address=self.seen.address,
            threads=self.seen.threads,
            isolation=None if enlisted is None else enlisted.assignment.isolation,
            clock_scale=1.0 if enlisted is None else enlisted.clock_scale,
            matches=matches,
            busy_s=busy_s,
            per_core_second=matches / busy_s if busy_s else None,
            lost=self.lost,
            refused=self.refused,
        )


class Roll:
    """The Dask workers of one run."""

    def __init__(self, link: Link, order: Order, bundles: Sequence[Bundle], crew: Crew) -> None:
        """Call the roll for an order; the bundles are what a machine may lack for it."""
        self._link = link
        self._terms = msgspec.json.encode(order)
        self._order = uuid.uuid4().hex
        self._bundles = {bundle.name: bundle for bundle in bundles}
        self._crew = crew
        self._known: dict[str, _Known] = {}
        self._over = trio.Event()
        self._idle_since = trio.current_time()
        self._waiting = False
        """It was said that it waits."""

    async def play(self) -> None:
        """Have everybody play who can, until all is played.

        Raises:
            ClusterError: the scheduler is gone, or nobody can play.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, nursery)
            await self._over.wait()
            nursery.cancel_scope.cancel()

    async def dismiss(self) -> None:
        """Tell all that it is over."""
        async with trio.open_nursery() as nursery:
            for known in self._known.values():
                if known.enlisted is not None and not known.lost:
                    nursery.start_soon(self._release, known.seen)

    def reports(self) -> tuple[WorkerReport, ...]:
        """What everybody did."""
        known = sorted(self._known.values(), key=lambda known: known.seen.name)
        return tuple(it.report() for it in known)

    # Who is there

    async def _watch(self, nursery: trio.Nursery) -> None:
        while True:
            seen = {worker.id: worker for worker in await self._link.workers()}
            for name, known in self._known.items():
                if name not in seen and not known.lost:
                    self._lose(known)
            for name, worker in seen.items():
                if name not in self._known:
                    known = self._known[name] = _Known(worker)
                    nursery.start_soon(self._take_in, known)
            self._see_that_it_goes_on()
            await trio.sleep(LOOK_S)

    def _see_that_it_goes_on(self) -> None:
        """Without anybody who plays: it is over, there is hope, or there is none.

        Raises:
            ClusterError: there is none.
        """
        if any(known.usable for known in self._known.values()):
            self._idle_since = trio.current_time()
            self._waiting = False
        elif self._crew.exhausted():
            self._over.set()
        else:
            present = [known for known in self._known.values() if not known.lost]
            used = any(known.member is not None for known in self._known.values())
            waited = trio.current_time() - self._idle_since
            if present and (waited > GRACE_S or not used):
                raise ClusterError(f"no worker of the cluster can play: {_why(present)}")
            if waited > LOOK_S and not self._waiting:
                self._waiting = True
                logger().warning("the cluster has no worker that can play; waiting for one")

    def _lose(self, known: _Known) -> None:
        known.lost = True
        if known.member is not None:
            known.member.give_up()
        if known.refused is None:
            logger().warning(f"worker {known.seen.name} is lost; others play its matches")

    # One of them

    async def _take_in(self, known: _Known) -> None:
        try:
            answer = await self._muster(known.seen)
        except Exception as error:  # whatever that machine has: it is not used, the others are
            answer = Refused(_sentence(error))
        if known.lost:
            return
        if isinstance(answer, Refused):
            self._refuse(known, answer.reason)
            return
        known.enlisted = answer
        known.member = member = Member(
            known.seen.threads,
            partial(self._link.play, known.seen, self._order),
            self._crew,
            self._batch_s,
        )
        self._greet(known, answer)
        if await member.work():
            self._over.set()
        elif member.trouble is not None:
            self._refuse(known, member.trouble)

    async def _muster(self, seen: Seen) -> Answer:
        """Bring what it lacks to a machine, and have it say whether it can play.

        Raises:
            Exception: whatever keeps it from answering.
        """
        there = await self._link.run(seen, version, "savanna-arena")
        if there != VERSION:
            return Refused(f"it has savanna-arena {there}, not {VERSION}")
        for name in await self._link.run(seen, hands.lacking, list(self._bundles)):
            await self._link.run(seen, hands.receive, self._bundles[name].content, name)
        answer = await self._link.run(seen, hands.enlist, self._order, self._terms)
        return msgspec.json.decode(answer, type=Answer)

    async def _release(self, seen: Seen) -> None:
        try:
            await self._link.run(seen, hands.release, self._order)
        except Exception:  # it is gone, and so is what was to be released
            logger().info(f"worker {seen.name} did not hear that it is over")

    def _greet(self, known: _Known, enlisted: Enlisted) -> None:
        logger().info(
            f"worker {known.seen.name} plays",
            threads=known.seen.threads,
            isolation=str(enlisted.assignment.isolation),
            clock_scale=enlisted.clock_scale,
        )

    def _refuse(self, known: _Known, reason: str) -> None:
        known.refused = reason
        logger().warning(f"worker {known.seen.name} is not used: {reason}")

    def _batch_s(self) -> float:
        """How many seconds a batch is to take."""
        threads = sum(known.seen.threads for known in self._known.values() if known.usable)
        return max(BATCH_S, PER_THREAD_S * threads)


def _why(refused: Sequence[_Known]) -> str:
    """What keeps the first of them from playing, and how many more there are."""
    more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
    return f"{refused[0].seen.name}{more}: {refused[0].refused}"


def _sentence(error: Exception) -> str:
    """What keeps a machine from answering."""
    if isinstance(error, PackageNotFoundError):
        return f"it has no savanna-arena; pip install 'savanna-arena[cluster]=={VERSION}' brings it"
    return f"{type(error).__name__}: {error}"
