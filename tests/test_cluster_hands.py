"""The worker processes of a Dask worker: one for each thread, ended when nobody wants them."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.referee.clock import Clocks
from arena.referee.sandbox import Level
from arena.store.model import Slot
from arena.tournament.cluster.hands import Hand, Hands
from arena.tournament.job import Assignment, Job
from tests.arena_cli import alive
from tests.test_farm import DYING, OBEDIENT, TELLS

ASSIGNMENT = Assignment("herd", {}, 2, "run", Clocks(), Level.NONE, {})
JOBS = [Job(Slot(deal, ("a", "b"), 0), "m", "d", "s", (1, 2), ("a", "b")) for deal in range(500)]
HALF_DONE = """
for message in messages():
    if message["type"] == "Job":
        done(message)
        if message["slot"]["deal"] == 9:
            os._exit(1)
"""


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that has a script in the place of every worker process."""
    monkeypatch.chdir(tmp_path)
    python = sys.executable

    def take(script: str) -> None:
        program = tmp_path / "worker"
        program.write_text(f"#!{python} -SE\n{TELLS}\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))

    return take


def results(lines: bytes) -> list[tuple[int, int]]:
    """Of each result its deal and the process that gave it."""
    told = [json.loads(line) for line in lines.splitlines()]
    return [(line["slot"]["deal"], line["record"]["pid"]) for line in told]


def test_a_batch_of_any_size_is_played_whole_and_in_order(
    scripted: Callable[[str], None],
) -> None:
    scripted(OBEDIENT)
    hand = Hand(ASSIGNMENT)
    for jobs in (JOBS, JOBS[:1], []):
        played = results(b"".join(hand.play(jobs)))
        assert [deal for deal, _ in played] == list(range(len(jobs)))
    hand.dismiss()
    assert not hand.alive


@pytest.mark.parametrize(("script", "played"), [(HALF_DONE, 10), (DYING, 0)])
def test_of_a_process_that_ends_the_results_are_kept(
    script: str, played: int, scripted: Callable[[str], None]
) -> None:
    scripted(script)
    hand = Hand(ASSIGNMENT)
    assert len(results(b"".join(hand.play(JOBS)))) == played
    assert not hand.alive
    hand.close()


def test_a_thread_keeps_its_process_until_that_ends(scripted: Callable[[str], None]) -> None:
    scripted(HALF_DONE)
    hands = Hands()
    hands.take_order("order", ASSIGNMENT)
    batches = [results(hands.play("batch", "order", JOBS[at:]).lines) for at in (20, 40, 0, 20)]
    one, other, third, fourth = ({pid for _, pid in batch} for batch in batches)
    assert one == other == third != fourth
    assert [len(batch) for batch in batches] == [480, 460, 10, 480]
    hands.transition("batch", "executing", "memory")  # played: nothing to end
    (pid,) = fourth
    assert alive([pid])
    asyncio.run(hands.drop_order("order"))
    assert not alive([pid])


def test_an_order_that_is_not_known_is_refused() -> None:
    with pytest.raises(KeyError):
        Hands().play("batch", "order", JOBS)
