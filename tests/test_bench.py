"""What `arena bench` measures with: its programs, its stopwatch, its figures."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from subprocess import PIPE

import pytest
from msgspec import UNSET, Raw

from arena.bench import matches, suite
from arena.bench.exchange import TURN, answer, bare, floor, question
from arena.bench.figures import Figure, Probe, measure
from arena.bench.machine import on_one_core, this_machine
from arena.bench.matches import WARM_UP, Stopwatch, play
from arena.bench.rules import play_randomly, random_play
from arena.bench.startup import languages, ready
from arena.bench.suite import GROUPS, beside, powers_of_two, probes
from arena.bench.workshop import Mode, Workshop, open_workshop
from arena.referee.faults import HostFault
from arena.referee.sandbox import Level
from arena.store.model import Slot
from arena.tournament.farm import Docket, LocalFarm
from arena.tournament.job import Assignment, Done, Void
from engine.game import CHANCE, AnyGame, IllegalAction
from engine.guarded import GameFault, Guarded
from engine.options import make_table
from engine.registry import game
from protocol.messages import Act
from protocol.record import encode_record
from tests import driver
from tests.contest import PATIENT
from tests.test_record import RECORD
from tests.toy_game import ToyGame, ToyState

Exchange = Callable[[Workshop, float], Awaitable[Mapping[str, float]]]

SAVANNA = game("savanna-ten")
TABLE = make_table(SAVANNA, 2, {})


@pytest.fixture(scope="module")
def in_c() -> Iterator[Workshop]:
    with open_workshop() as workshop:
        if workshop.language != "C":
            pytest.skip("there is no C compiler")
        yield workshop


@pytest.fixture
def in_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with open_workshop() as workshop:
        yield workshop


@pytest.fixture(params=["in_c", "in_python"])
def workshop(request: pytest.FixtureRequest) -> Workshop:
    made: Workshop = request.getfixturevalue(request.param)
    return made


# The programs


def test_without_a_compiler_the_programs_are_in_python(in_python: Workshop) -> None:
    assert in_python.language == "Python"
    assert in_python.bot("legal").command[-2].endswith("bot.py")


def test_a_workshop_is_removed() -> None:
    with open_workshop() as workshop:
        assert workshop.folder.is_dir()
    assert not workshop.folder.exists()


@pytest.mark.parametrize("mode", ["legal", "state"])
def test_a_bot_plays_savanna_ten_to_its_end(workshop: Workshop, mode: Mode) -> None:
    with driver.program(workshop.bot(mode).command) as bot:
        assert bot.ready.legal == (mode == "legal")
        assert placements(SAVANNA, bot) == 20


def test_a_bot_that_is_told_what_is_legal_plays_any_game(workshop: Workshop) -> None:
    with driver.program(workshop.bot("legal").command) as bot:
        assert placements(game("herd"), bot) > 20


def placements(rules: AnyGame, bot: driver.Program) -> int:
    """Have a bot play both seats of a whole game; how many actions it gave, all legal."""
    table = make_table(rules, 2, {})
    state, asked = rules.initial(table), 0
    bot.tell(driver.start(rules, table, 0))
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            action = rules.chance(state, "deal")
        else:
            asked += 1
            legal = rules.legal(state) if bot.ready.legal else UNSET
            (action,) = bot.ask(Act("m1", asked, seat, rules.view(state, seat), [], legal)).actions
        state = rules.apply(state, action)
    return asked


def test_every_language_found_says_ready(in_c: Workshop) -> None:
    found = dict(languages(in_c))
    assert {"C", "Python", "Python with protocol.bot"} <= set(found)
    for bot in found.values():
        hello = b'{"type":"hello","protocol":1,"referee":"test"}\n'
        done = subprocess.run(bot.command, input=hello, capture_output=True, check=True)
        said = json.loads(done.stdout)
        assert (said["type"], said["protocol"], said["name"]) == ("ready", 1, "bench")


async def test_the_start_of_a_bot_is_timed(in_c: Workshop) -> None:
    assert (await ready(in_c.bot("legal"), Level.NONE, seconds=0))["ms"] > 0


# The exchange


def test_the_question_is_one_from_the_middle_of_a_match() -> None:
    asked = json.loads(question())
    assert asked["type"] == "act"
    assert asked["state"]["turn"] == TURN
    assert len(asked["state"]["board"]) == TURN - 1
    assert asked["legal"]
    assert 1000 < len(question()) < 2000


def test_the_answer_is_what_a_bot_in_c_gives(in_c: Workshop) -> None:
    command = in_c.bot("legal").command
    assert subprocess.run(command, input=question(), stdout=PIPE, check=True).stdout == answer()


@pytest.mark.parametrize("sample", [floor, bare])
async def test_round_trips_are_counted(workshop: Workshop, sample: Exchange) -> None:
    assert (await sample(workshop, 0.02))["round trips/s"] > 0


def test_one_core_is_kept_to_for_a_while() -> None:
    before = os.sched_getaffinity(0)
    with on_one_core():
        assert os.sched_getaffinity(0) == {min(before)}
    assert os.sched_getaffinity(0) == before
    assert this_machine().cores == len(before)


# Matches


class Clock:
    """What a stopwatch takes for the time."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(matches, "time", clock)
    return clock


def done(count: int) -> list[Done | Void]:
    """As many matches of two moves."""
    return [Done(Slot(n, ("a", "b"), 0), Raw(encode_record(RECORD)), {}) for n in range(count)]


def test_a_stopwatch_counts_from_results_to_results_after_the_warm_up(clock: Clock) -> None:
    stopwatch = Stopwatch(seats=2, seconds=1.0)
    for wait, matches_done in ((0.0, 99), (WARM_UP / 2, 99), (WARM_UP, 99), (0.4, 3), (0.4, 5)):
        clock.now += wait
        stopwatch.settle(done(matches_done))
    assert stopwatch.take() is not None
    clock.now += 0.4
    stopwatch.settle(done(99))
    assert stopwatch.take() is None
    assert stopwatch.matches_a_second() == pytest.approx(8 / 0.8)
    assert stopwatch.moves_a_second() == pytest.approx(16 / 0.8)


def test_a_stopwatch_goes_on_until_a_match_counts(clock: Clock) -> None:
    stopwatch = Stopwatch(seats=2, seconds=1.0)
    stopwatch.settle(done(1))
    clock.now += WARM_UP + 0.1
    stopwatch.settle(done(1))
    clock.now += 5.0
    assert stopwatch.take() is not None
    stopwatch.settle(done(1))
    assert stopwatch.take() is None
    assert stopwatch.matches_a_second() == pytest.approx(1 / 5)


def test_no_two_matches_of_a_stopwatch_have_the_same_deal() -> None:
    stopwatch = Stopwatch(seats=2, seconds=1.0)
    jobs = [stopwatch.take() for _ in range(10)]
    assert len({job.deal for job in jobs if job}) == 10
    assert len({job.slot for job in jobs if job}) == 10


def test_after_a_void_match_a_stopwatch_begins_no_other() -> None:
    stopwatch = Stopwatch(seats=2, seconds=1.0)
    assert stopwatch.take() is not None
    stopwatch.settle([*done(1), void("no descriptors are left"), void("nothing is left")])
    assert stopwatch.trouble == "no descriptors are left"
    assert stopwatch.take() is None


def void(reason: str) -> Void:
    return Void(Slot(0, ("a", "b"), 0), reason)


TOY = Guarded(ToyGame(), "toys")
BROKE = "the game 'toy' of the package toys broke in apply: KeyError"


@pytest.mark.parametrize(
    ("rules", "reason", "fault"),
    [
        (SAVANNA, "no room", HostFault("the host cannot play a match: no room")),
        (TOY, BROKE, GameFault(BROKE)),
        (TOY, "no room", TOY.fault("cannot be played: no room")),
    ],
)
async def test_why_matches_are_void_is_told(
    rules: AnyGame, reason: str, fault: Exception, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def play_in_vain(_: LocalFarm, assignment: Assignment, docket: Docket) -> None:
        docket.settle([void(reason)])

    monkeypatch.setattr(LocalFarm, "play", play_in_vain)
    with pytest.raises(type(fault), match=f"^{re.escape(str(fault))}$"):
        await play(Workshop(tmp_path, "C"), rules, make_table(rules, 2, {}), 0.1)


async def test_matches_are_played_by_workers(
    in_c: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "Clocks", lambda: PATIENT)
    stopwatch = await play(in_c, SAVANNA, TABLE, 0.1, level=Level.NONE)
    assert stopwatch.moves_a_second() == pytest.approx(20 * stopwatch.matches_a_second())


# The rules


def test_random_play_counts_draws_and_placements() -> None:
    assert play_randomly(SAVANNA, TABLE, "deal", Random(0)) == 40


async def test_random_play_goes_to_the_end_of_a_game() -> None:
    assert (await random_play(SAVANNA, TABLE, seconds=0))["actions/s"] > 0


async def test_a_game_that_refuses_what_it_gave_as_legal_is_named() -> None:
    class Refusing(ToyGame):
        def apply(self, *_: object) -> ToyState:
            raise IllegalAction("over", "the game is over")

    with pytest.raises(GameFault, match="the game toy refuses its own action: the game is over"):
        await random_play(Refusing(), make_table(Refusing(), 2, {}), seconds=0)


# Figures


async def test_every_round_measures_everything_and_a_figure_is_their_median() -> None:
    told: list[str] = []
    values = {"a": [3.0, 1.0, 8.0], "b": [5.0, 5.0, 5.0]}
    given: list[float] = []

    def probe(name: str) -> Probe:
        async def sample(seconds: float) -> Mapping[str, float]:
            given.append(seconds)
            return {"ms": values[name].pop(0)}

        return Probe("group", name, sample)

    figures = await measure(
        [probe("a"), probe("b")],
        seconds=6.0,
        rounds=3,
        report=lambda probe: told.append(probe.name),
    )
    assert figures == [
        Figure("group", "a", "ms", median=3.0, low=1.0, high=8.0),
        Figure("group", "b", "ms", median=5.0, low=5.0, high=5.0),
    ]
    assert told == ["a", "b"] * 3
    assert given == [2.0] * 6


async def test_a_probe_whose_game_breaks_is_left_out_and_told() -> None:
    began: list[str] = []
    told: list[str] = []

    def probe(name: str, breaks_in: int = 0) -> Probe:
        async def sample(_: float) -> Mapping[str, float]:
            began.append(name)
            if began.count(name) == breaks_in:
                raise GameFault(f"{name} broke")
            return {"ms": 1.0}

        return Probe("group", name, sample)

    probes = [probe("a", breaks_in=1), probe("b"), probe("c", breaks_in=2)]
    figures = await measure(probes, 1.0, rounds=3, leave_out=told.append)
    assert [figure.name for figure in figures] == ["b"]
    assert began == ["a", "b", "c", "b", "c", "b"]
    assert told == ["a broke", "c broke"]


def test_a_game_that_cannot_say_whether_it_is_playable_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Unsure(ToyGame):
        def check(self, *_: object) -> None:
            raise KeyError("table")

    told: list[str] = []
    found = {"savanna-ten": SAVANNA, "unsure": Guarded(Unsure(), "toys"), "toy": TOY}
    monkeypatch.setattr(suite, "games", lambda: found)
    wanted = probes(Workshop(tmp_path, "C"), ["rules"], told.append)
    assert [probe.name for probe in wanted] == ["savanna-ten", "toy"]
    assert told == ["the game 'toy' of the package toys broke in check: KeyError: 'table'"]


def test_the_suite_has_every_group_or_those_that_are_asked_for(in_c: Workshop) -> None:
    assert [probe.group for probe in probes(in_c, ["rules"])] == ["rules", "rules"]
    assert {probe.group for probe in probes(in_c)} == set(GROUPS)


def test_figures_are_read_beside_the_bare_exchange_one_worker_and_no_isolation() -> None:
    def figure(group: str, name: str, unit: str) -> Figure:
        return Figure(group, name, unit, 1.0, 1.0, 1.0)

    floor = figure("exchange", "pipe floor", "round trips/s")
    bare = figure("exchange", "bare exchange", "round trips/s")
    herd = figure("referee", "herd", "moves/s")
    one, two = figure("cores", "1 worker", "matches/s"), figure("cores", "2 workers", "matches/s")
    free, bound = figure("isolation", "none", "moves/s"), figure("isolation", "bwrap", "moves/s")
    free_ms, bound_ms = figure("isolation", "none", "ms"), figure("isolation", "bwrap", "ms")
    start = figure("startup", "C", "ms")
    figures = [floor, bare, herd, one, two, free, free_ms, bound, bound_ms, start]
    others = [beside(figure, figures) for figure in figures]
    assert others == [bare, None, bare, None, one, None, None, free, free_ms, None]
    assert beside(herd, [herd]) is None


@pytest.mark.parametrize(
    ("most", "powers"), [(1, [1]), (2, [1, 2]), (6, [1, 2, 4, 6]), (8, [1, 2, 4, 8])]
)
def test_workers_double_up_to_all_cores(most: int, powers: list[int]) -> None:
    assert powers_of_two(most) == powers
