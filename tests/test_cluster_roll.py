"""Who of a cluster plays: every job is settled once, whoever comes, goes, or cannot play.

The cluster is a script; its time is not real.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError
from typing import Any, cast

import msgspec
import pytest
import structlog
import trio

from arena import VERSION
from arena import log as arena_log
from arena.referee.clock import Clocks
from arena.referee.sandbox import Level
from arena.tournament.cluster.bundle import Bundle
from arena.tournament.cluster.link import ClusterError, Link, Seen
from arena.tournament.cluster.member import MOST
from arena.tournament.cluster.order import Answer, Enlisted, Order, Played, Refused
from arena.tournament.cluster.roll import GRACE_S, Roll
from arena.tournament.farm import LIVES, Crew, WorkerReport
from arena.tournament.job import Assignment, Job
from tests.test_farm import Tray

ASSIGNMENT = Assignment("herd", {}, 2, "run", Clocks(), Level.PROCESS, {})
ORDER = Order(ASSIGNMENT, 1, "auto", False, {})
CAN_PLAY = Enlisted(ASSIGNMENT, 1.0)
BUNDLE = Bundle("abc", b"content")


class Machine:
    """A Dask worker: how it answers, and how it plays."""

    def __init__(
        self,
        name: str,
        answer: Answer | Exception = CAN_PLAY,
        *,
        version: str | Exception = VERSION,
        match_s: float = 1.0,
        threads: int = 1,
        come_at: float = 0.0,
        go_at: float = float("inf"),
        breaks: int = 0,
        has: Sequence[str] = (),
    ) -> None:
        self.seen = Seen(f"id-{name}", f"tcp://{name}", name, threads)
        self.answer = answer
        self.version = version
        self.match_s = match_s
        self.breaks = breaks
        self.has = list(has)
        self.there: Callable[[float], bool] = lambda now: come_at <= now < go_at
        self.threads = trio.Semaphore(threads)
        self.batches: list[int] = []
        self.heard: list[str] = []


class Script:
    """A link to machines that do what they were made for."""

    def __init__(self, *machines: Machine) -> None:
        self._machines = {machine.seen.id: machine for machine in machines}
        self._began = trio.current_time()

    async def workers(self) -> list[Seen]:
        await trio.lowlevel.checkpoint()
        now = trio.current_time() - self._began
        return [it.seen for it in self._machines.values() if it.there(now)]

    async def run(self, seen: Seen, function: Any, *args: Any) -> Any:
        await trio.sleep(0.1)
        machine = self._machines[seen.id]
        machine.heard.append(function.__name__)
        match function.__name__:
            case "version":
                return self._or_raise(machine.version)
            case "lacking":
                return [name for name in args[0] if name not in machine.has]
            case "receive":
                machine.has.append(args[1])
            case "enlist":
                assert msgspec.json.decode(args[1], type=Order) == ORDER
                return msgspec.json.encode(self._or_raise(machine.answer))
        return None

    async def play(self, seen: Seen, order: str, jobs: Sequence[Job]) -> Played:
        assert order
        machine = self._machines[seen.id]
        machine.batches.append(len(jobs))
        seconds = machine.match_s * len(jobs)
        async with machine.threads:
            await trio.sleep(seconds)
        if machine.breaks:
            machine.breaks -= 1
            raise RuntimeError("its disk is full")
        line = b'{"type":"Done","slot":%b,"record":{"pid":1},"logs":{}}\n'
        return Played(b"".join(line % msgspec.json.encode(job.slot) for job in jobs), seconds)

    def _or_raise(self, value: Any) -> Any:
        if isinstance(value, Exception):
            raise value
        return value


class Held:
    """A run on a cluster of machines."""

    def __init__(self, *machines: Machine, matches: int = 40) -> None:
        self.tray = Tray(matches)
        self.matches = matches
        crew = Crew(self.tray)
        self._roll = Roll(cast(Link, Script(*machines)), ORDER, [BUNDLE], crew)

    async def play(self) -> dict[str, WorkerReport]:
        with trio.fail_after(1000):
            await self._roll.play()
        await self._roll.dismiss()
        return self.reports

    @property
    def reports(self) -> dict[str, WorkerReport]:
        return {report.name: report for report in self._roll.reports()}

    def assert_each_was_played_once(self) -> None:
        assert Counter(slot.deal for slot in self.tray.done) == Counter(range(self.matches))


@pytest.fixture
def warnings(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], list[str]]]:
    """A function that gives what was said."""
    structlog.reset_defaults()
    arena_log.configure(as_json=True, verbosity=0)
    yield lambda: [
        msgspec.json.decode(line)["event"] for line in capsys.readouterr().err.splitlines()
    ]
    structlog.reset_defaults()
    arena_log.configure(as_json=False, verbosity=0)


Warnings = Callable[[], list[str]]
Clock = trio.abc.Clock


async def test_all_play_and_are_told_that_it_is_over(
    warnings: Warnings, autojump_clock: Clock
) -> None:
    machines = [Machine("one"), Machine("two", threads=3)]
    held = Held(*machines)
    reports = await held.play()
    held.assert_each_was_played_once()
    assert sum(report.matches for report in reports.values()) == 40
    assert reports["two"].matches > reports["one"].matches
    one = reports["one"]
    assert (one.address, one.threads, one.isolation) == ("tcp://one", 1, Level.PROCESS)
    assert (one.busy_s, one.per_core_second) == (float(one.matches), 1.0)
    assert (one.lost, one.refused) == (False, None)
    for machine in machines:
        assert machine.heard == ["version", "lacking", "receive", "enlist", "release"]
    assert warnings() == []


async def test_nobody_is_sent_what_is_there(warnings: Warnings, autojump_clock: Clock) -> None:
    machine = Machine("one", has=["abc"])
    await Held(machine, matches=1).play()
    assert machine.heard == ["version", "lacking", "enlist", "release"]


async def test_long_matches_go_one_by_one_and_short_ones_in_batches(
    warnings: Warnings, autojump_clock: Clock
) -> None:
    long, short = Machine("long", match_s=10), Machine("short", match_s=0.0001)
    await Held(long, matches=10).play()
    assert set(long.batches) == {1}
    await Held(short, matches=20_000).play()
    assert short.batches[:3] == [1, 1, 2]
    assert max(short.batches) == MOST


@pytest.mark.parametrize("go_at", [0.15, 7.5])
async def test_what_a_lost_worker_had_others_play(
    go_at: float, warnings: Warnings, autojump_clock: Clock
) -> None:
    held = Held(Machine("a"), Machine("b", go_at=go_at))
    reports = await held.play()
    held.assert_each_was_played_once()
    assert reports["b"].lost
    assert {void.reason for void in held.tray.void} <= {"its worker was lost"}
    assert warnings() == ["worker b is lost; others play its matches"]


async def test_whoever_comes_later_plays_too(warnings: Warnings, autojump_clock: Clock) -> None:
    late = Machine("late", come_at=5)
    held = Held(Machine("early"), late)
    reports = await held.play()
    held.assert_each_was_played_once()
    assert reports["late"].matches > 10


REFUSALS = [
    ({"version": "0.0.9"}, f"it has savanna-arena 0.0.9, not {VERSION}"),
    (
        {"version": PackageNotFoundError("savanna-arena")},
        f"it has no savanna-arena; pip install 'savanna-arena[cluster]=={VERSION}' brings it",
    ),
    ({"answer": Refused("bot c cannot be built")}, "bot c cannot be built"),
    ({"answer": OSError("disk full")}, "OSError: disk full"),
]


@pytest.mark.parametrize(("what", "reason"), REFUSALS)
async def test_who_cannot_play_is_named_and_the_others_play(
    what: dict[str, Any], reason: str, warnings: Warnings, autojump_clock: Clock
) -> None:
    held = Held(Machine("a"), machine := Machine("b", **what))
    reports = await held.play()
    held.assert_each_was_played_once()
    assert warnings() == [f"worker b is not used: {reason}"]
    assert (reports["b"].refused, reports["b"].isolation) == (reason, None)
    assert not machine.batches


@pytest.mark.parametrize(("what", "reason"), REFUSALS)
async def test_where_nobody_can_play_it_ends(
    what: dict[str, Any], reason: str, warnings: Warnings, autojump_clock: Clock
) -> None:
    with pytest.RaisesGroup(ClusterError, flatten_subgroups=True) as found:
        await Held(Machine("b", **what), Machine("z", Refused("no"))).play()
    assert str(found.value.exceptions[0]) == (
        f"no worker of the cluster can play: b (and 1 more): {reason}"
    )


async def test_a_worker_that_fails_now_and_then_goes_on(
    warnings: Warnings, autojump_clock: Clock
) -> None:
    held = Held(Machine("a"), Machine("b", breaks=LIVES - 1))
    reports = await held.play()
    held.assert_each_was_played_once()
    assert reports["b"].refused is None
    assert {void.reason for void in held.tray.void} == {"RuntimeError: its disk is full"}


async def test_a_worker_that_only_fails_is_used_no_more(
    warnings: Warnings, autojump_clock: Clock
) -> None:
    held = Held(Machine("a"), broken := Machine("b", breaks=1000))
    reports = await held.play()
    held.assert_each_was_played_once()
    assert len(broken.batches) <= LIVES + 1
    assert reports["b"].refused == "RuntimeError: its disk is full"
    assert warnings() == ["worker b is not used: RuntimeError: its disk is full"]


async def test_without_a_worker_it_waits_for_one(warnings: Warnings, autojump_clock: Clock) -> None:
    held = Held(Machine("late", come_at=100))
    await held.play()
    held.assert_each_was_played_once()
    assert warnings() == ["the cluster has no worker that can play; waiting for one"]


async def test_when_all_are_lost_others_have_a_while_to_come(
    warnings: Warnings, autojump_clock: Clock
) -> None:
    refused = Machine("refused", Refused("no"))
    held = Held(Machine("a", go_at=5.5), refused, Machine("b", come_at=GRACE_S))
    await held.play()
    held.assert_each_was_played_once()
    held = Held(Machine("a", go_at=5.5), refused, Machine("b", come_at=GRACE_S + 10))
    with pytest.RaisesGroup(ClusterError, flatten_subgroups=True):
        await held.play()


async def test_what_is_interrupted_is_void(warnings: Warnings, autojump_clock: Clock) -> None:
    held = Held(Machine("a"))
    with trio.move_on_after(5.05):
        await held.play()
    assert len(held.tray.done) == 4  # after 0.4 s of enlisting
    assert len(held.tray.void) == 2
