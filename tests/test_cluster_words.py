"""What is wrong with the words for a cluster is one sentence, before anything is played."""

import sys
from pathlib import Path

import pytest

from arena.cli.place import say_workers
from arena.referee.sandbox import Level
from arena.tournament.farm import WorkerReport
from tests.arena_cli import QUICK, Arena

RUN = ["run", "herd", "./a", "./b", "--deals", "1", "--isolation", "none"]


@pytest.fixture(autouse=True)
def _bots(arena: Arena) -> None:
    arena.bot("a")
    arena.bot("b")


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (
            ["--cluster", "nowhere.json"],
            3,
            "cluster nowhere.json: no such file or directory; give the file that a scheduler "
            "wrote, or its address, such as tcp://host:8786",
        ),
        (["--cluster", "a/bot.py"], 3, "cluster a/bot.py: no scheduler wrote this file"),
        (
            ["--cluster", "tcp://host:1", "--workers", "2"],
            2,
            "workers: on a cluster its threads are the workers; leave it out",
        ),
    ],
)
def test_what_is_no_cluster(words: list[str], status: int, sentence: str, arena: Arena) -> None:
    done = arena(*RUN, *words)
    assert (done.status, done.out) == (status, "")
    assert done.err.splitlines()[-1] == f"arena: {sentence}"


@pytest.mark.parametrize(
    "words",
    [
        [*RUN, "--cluster", "nowhere.json"],
        [*RUN, "--time-limit", "soon"],
        ["compare", *RUN[1:4], "--cluster", "nowhere.json"],
    ],
)
def test_a_run_that_cannot_begin_leaves_nothing(words: list[str], arena: Arena) -> None:
    assert arena(*words).status in {2, 3}
    assert arena.data("runs") == []


def test_a_run_that_cannot_go_on_keeps_what_it_has(arena: Arena) -> None:
    assert arena(*RUN[:4], *QUICK, "--deals", "1", "--seed", "1").status == 0
    before = arena("export").out
    words = [*QUICK[:2], "--seed", "1", "--deals", "2", "--cluster", "nowhere.json"]
    assert arena(*RUN[:4], *words).status == 3
    assert len(before.splitlines()) == 2
    assert arena("export").out == before


def test_without_the_extra_it_is_named(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("arena.tournament.cluster")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = arena(*RUN, "--cluster", "tcp://host:1")
    assert (done.status, done.err) == (
        3,
        "arena: a cluster needs distributed, which is missing; "
        "pip install 'savanna-arena[cluster]' brings it\n",
    )


def test_a_file_names_the_cluster_too(arena: Arena) -> None:
    Path("cup.toml").write_text(
        'game = "herd"\ncluster = "nowhere.json"\nisolation = "none"\n'
        '[[bot]]\nbot = "./a"\n[[bot]]\nbot = "./b"\n'
    )
    done = arena("run", "cup.toml")
    assert done.status == 3
    assert "cluster nowhere.json: no such file" in done.err


def test_a_plan_needs_no_cluster(arena: Arena) -> None:
    assert arena(*RUN[:4], *QUICK, "--deals", "1").status == 0
    done = arena(*RUN, *QUICK[:2], "--plan", "--cluster", "nowhere.json")
    assert done.status == 0
    assert "of one core, as before" in done.out


def test_what_is_played_already_needs_no_cluster(arena: Arena) -> None:
    assert arena(*RUN[:4], *QUICK, "--deals", "1", "--seed", "1").status == 0
    words = [*QUICK[:2], "--seed", "1", "--cluster", "nowhere.json"]
    assert arena(*RUN, *words).status == 0


def test_each_worker_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    say_workers(
        [
            WorkerReport("n1", "tcp://n1", 48, Level.BWRAP, 1.0, 1200, 600.0, 2.0),
            WorkerReport("n2", "tcp://n2", 1, Level.PROCESS, 1.5, 10, 40.0, 0.25, lost=True),
            WorkerReport("n3", "tcp://n3", 8, refused="no node"),
        ]
    )
    assert capsys.readouterr().err.splitlines() == [
        "worker n1 (48 threads, isolation bwrap): 1,200 matches, 2.0 per core and second",
        "worker n2 (1 thread, isolation process): 10 matches, 0.2 per core and second, "
        "clocks × 1.5, lost",
        "worker n3 (8 threads): not used",
    ]
