"""A run being played: slots become jobs, results become stored matches."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
import structlog
import trio

from arena import log as arena_log
from arena.referee.sandbox import Level
from arena.store.db import Store
from arena.store.model import Run, Slot
from arena.tournament import seeds
from arena.tournament.farm import Docket
from arena.tournament.formats import RoundRobin
from arena.tournament.job import Assignment, Done, Job, Void
from arena.tournament.runner import START_FAULTS, Runner, play_for, ranks_in_group
from arena.tournament.schedule import seating
from protocol.record import encode_record
from tests import stored

RUN = stored.run()
NAMES = ("ann", "bob", "cid")
DIGESTS = {name: name.upper() for name in NAMES}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as store:
        yield store


class Told:
    """A runner of a round robin, and what it reported."""

    def __init__(self, store: Store, deals: int = 2, run: Run = RUN) -> None:
        store.add_run(run)
        store.add_entrants(run.id, stored.entrants(*NAMES))
        self.reports: list[int] = []
        self.run = run
        plan = RoundRobin(NAMES, 2, deals)
        self.runner = Runner(store, run, plan, digests=DIGESTS, report=self.reports.append)

    def take_all(self) -> list[Job]:
        jobs = []
        while (job := self.runner.take()) is not None:
            jobs.append(job)
        return jobs

    def done(self, job: Job, faults: Sequence[tuple[int, str]] = ()) -> Done:
        finished = stored.finished(self.run, job.slot, faults=faults, match=job.match)
        return Done(job.slot, msgspec.Raw(encode_record(finished.record)), finished.logs)


def test_a_job_follows_from_the_run_and_its_slot(store: Store) -> None:
    job = Told(store).runner.take()
    slot = Slot(0, ("ann", "bob"), 0)
    assert job == Job(
        slot=slot,
        match=seeds.match_id(RUN.id, slot, ["ANN", "BOB"]),
        deal=seeds.deal(RUN.seed, ("ann", "bob"), 0),
        seed=seeds.match_seed(RUN.seed, slot),
        seeds=seeds.bot_seeds(RUN.seed, slot, 2),
        seating=seating(RUN.seed, slot, (0, 1)),
    )


def test_rotations_of_a_deal_share_it_and_nothing_else(store: Store) -> None:
    first, second, *_ = Told(store).take_all()
    assert first.deal == second.deal
    assert first.seating == second.seating[::-1]
    assert first.seeds != second.seeds
    assert first.match != second.match


def test_what_is_stored_is_not_played_again(store: Store) -> None:
    told = Told(store)
    jobs = told.take_all()
    assert len(jobs) == 12
    told.runner.settle([told.done(job) for job in jobs[:5]])
    assert told.reports == [5]
    assert [job.slot for job in Told(store).take_all()] == [job.slot for job in jobs[5:]]


def test_what_was_said_of_a_faulted_bot_is_stored(store: Store) -> None:
    told = Told(store)
    (job, *_) = told.take_all()
    done = told.done(job, faults=[(1, "crash")])
    told.runner.settle([Done(done.slot, done.record, {1: "Traceback"})])
    (match,) = store.matches()
    assert store.log(match.match, 1) == "Traceback"


def test_a_void_slot_comes_again_but_not_for_ever(store: Store) -> None:
    told = Told(store, deals=1)
    jobs = told.take_all()
    slot = jobs[0].slot
    told.runner.settle([told.done(job) for job in jobs[1:]])
    for number in range(3):
        told.runner.settle([Void(slot, f"starved {number}")])
        again = told.take_all()
        assert [job.slot for job in again] == ([slot] if number < 2 else [])
    assert told.runner.agenda.unplayed().void == {slot: "starved 2"}
    assert told.reports == [5, 0, 0, 0]


def test_a_bot_that_fails_to_start_again_and_again_is_withdrawn(store: Store) -> None:
    told = Told(store, deals=4)
    for failures in range(1, START_FAULTS + 1):
        job = next_of(told, "cid")
        seat = job.seating.index("cid")
        told.runner.settle([told.done(job, faults=[(seat, "start")])])
        assert bool(told.runner.agenda.unplayed()) is False, failures
    rest = told.take_all()
    assert {name for job in rest for name in job.slot.group} == {"ann", "bob"}
    assert told.runner.agenda.unplayed().withdrawn == {"cid": 16 - START_FAULTS}


def next_of(told: Told, name: str) -> Job:
    """The next job of a bot; the others are played."""
    while (job := told.runner.take()) is not None:
        if name in job.slot.group:
            return job
        told.runner.settle([told.done(job)])
    raise AssertionError("there is none")


def test_one_good_start_forgives_those_that_failed(store: Store) -> None:
    told = Told(store, deals=4)
    for code in ("start", "start", "crash", "start", "start"):
        job = next_of(told, "cid")
        seat = job.seating.index("cid")
        told.runner.settle([told.done(job, faults=[(seat, code)])])
    assert any("cid" in job.slot.group for job in told.take_all())


def test_the_first_fault_of_a_kind_is_a_warning(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    structlog.reset_defaults()
    arena_log.configure(as_json=True, verbosity=1)
    told = Told(store)
    for job, code in zip(told.take_all(), ("crash", "crash", "timeout"), strict=False):
        told.runner.settle([told.done(job, faults=[(job.seating.index(job.slot.group[0]), code)])])
    lines = [msgspec.json.decode(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["bot"], line["code"], line["level"]) for line in lines] == [
        ("ann", "crash", "warning"),
        ("ann", "crash", "info"),
        ("ann", "timeout", "warning"),
    ]
    structlog.reset_defaults()
    arena_log.configure(as_json=False, verbosity=0)


@pytest.mark.parametrize(
    ("of", "ranks", "rotation", "expected"),
    [
        (stored.run(), (1, 2), 0, (1, 2)),
        (stored.run(), (1, 2), 1, (2, 1)),
        (stored.team_run(), (2, 1, 2, 1), 1, (1, 2)),
    ],
)
def test_ranks_are_told_by_bot(
    of: Run, ranks: tuple[int, ...], rotation: int, expected: tuple[int, ...]
) -> None:
    slot = Slot(0, ("ann", "bob"), rotation)
    assert ranks_in_group(slot, stored.finished(of, slot, ranks).record) == expected


class Endless:
    """A farm whose matches take a second each."""

    size = "1 bench"
    reports = ()

    async def play(self, assignment: Assignment, docket: Docket) -> None:  # noqa: ARG002  # no bots
        while (job := docket.take()) is not None:
            await trio.sleep(1)
            docket.settle([Void(job.slot, "nobody plays")])


@pytest.mark.parametrize(("limit", "begun"), [(None, 18), (2.5, 3)])
async def test_after_the_time_limit_no_match_is_begun(
    store: Store, limit: float | None, begun: int, autojump_clock: trio.abc.Clock
) -> None:
    told = Told(store, deals=1)
    assignment = Assignment("herd", {}, 2, None, RUN.clocks, Level.NONE, {})
    await play_for(limit, Endless(), assignment, told.runner)
    assert len(told.reports) == begun
