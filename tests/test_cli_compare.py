"""`arena compare`: its answer in words, as data, and as an exit status."""

import pytest

from tests.arena_cli import QUICK, Arena

COMPARE = ["compare", "savanna-ten", *QUICK[2:], "--seed", "1", "--elo1", "100"]


@pytest.mark.parametrize(
    ("new", "base", "deals", "status", "answer"),
    [
        ("greedy", "random", "40", 0, "greedy is better than random: "),
        ("random", "greedy", "40", 1, "random is not better than greedy: "),
        ("random", "random", "1", 4, "it is undecided whether random is better than random-2: 1 "),
    ],
)
def test_the_status_is_the_answer(
    new: str, base: str, deals: str, status: int, answer: str, arena: Arena
) -> None:
    done = arena(*COMPARE, new, base, "--max-deals", deals)
    assert (done.status, done.out[: len(answer)]) == (status, answer), done.err


def test_as_data_it_is_the_same_and_what_is_decided_is_played_no_further(arena: Arena) -> None:
    said = arena(*COMPARE, "greedy", "random")
    before = arena("export").out
    data = arena.data(*COMPARE, "greedy", "random")
    assert (data["verdict"], data["new"], data["base"]) == ("better", "greedy", "random")
    assert data["llr"] > data["bounds"][1]
    assert sum(data["counts"]) == data["deals"]
    assert f"{data['deals']} deals, LLR {data['llr']:.2f} " in said.out
    assert f"outcomes {data['counts']}." in said.out
    assert [run["run"] for run in arena.data("runs")] == [data["run"]]
    assert arena("export").out == before


def test_a_bot_that_is_withdrawn_leaves_the_question_open(arena: Arena) -> None:
    words = [arena.bot("a"), f"{arena.bot('b')} never", "--max-deals", "8", "--elo1", "2"]
    done = arena(*COMPARE[:-2], *words)
    assert done.status == 3
    assert "bot b was withdrawn: it failed to start in several matches running" in done.err
    assert done.out.startswith("it is undecided whether a is better than b: ")


def test_hypotheses_that_are_none_are_refused(arena: Arena) -> None:
    done = arena(*COMPARE, "greedy", "random", "--elo0", "300")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("arena: ")
