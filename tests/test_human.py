"""A person in a seat of `arena match`: what is shown, what can be typed, what stays hidden."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from arena.cli.human import HELP, Human, Table, chosen, listed, told
from arena.cli.keyboard import Keyboard
from arena.decisions import decisions, start_of
from arena.referee.faults import BotFault, Code
from arena.replay import Replay
from protocol.codec import encode
from protocol.messages import Act
from tests.arena_cli import LITTLE, Arena, program
from tests.records import played

SAVANNA = Replay(played("savanna-ten"))
HERD = Replay(played("herd", options={"size": 3}))
NAMES = ("ann", "bob")


class Typed(Keyboard):
    """A keyboard on which these lines are typed; after them there will be no more."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.left = list(lines)
        self.prompts: list[str] = []
        self.words: Sequence[str] = ()
        self.cleared = 0

    async def line(self, prompt: str, words: Sequence[str] = ()) -> str | None:
        self.prompts.append(prompt)
        self.words = words or self.words
        return self.left.pop(0) if self.left else None

    def clear(self) -> None:
        self.cleared += 1


def table_of(replay: Replay, keyboard: Keyboard, people: Sequence[str] = ("ann",)) -> Table:
    return Table(replay.game, replay.table, NAMES, frozenset(people), keyboard)


async def answer(table: Table, act: Act) -> list[str]:
    human = Human(act.seat, table)
    line, used = await human.ask(encode(act), 0.001)
    assert used == 0
    action = await human.understand(line, act.id)
    assert action.id == act.id
    return action.actions


def first(replay: Replay, seat: int = 0) -> Act:
    return next(d.act for d in decisions(replay) if d.seat == seat)


@pytest.mark.parametrize("number", [1, 7])
async def test_an_action_is_chosen_by_its_number(number: int) -> None:
    act = first(SAVANNA)
    assert await answer(table_of(SAVANNA, Typed([str(number)])), act) == [act.legal[number - 1]]  # type: ignore[index]  # legal is there


async def test_an_action_is_chosen_by_its_name_in_any_case() -> None:
    act = first(SAVANNA)
    typed = list(act.legal or ())[-1]
    assert await answer(table_of(SAVANNA, Typed([typed.upper()])), act) == [typed]


async def test_the_board_the_hand_and_the_numbered_actions_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    act = first(SAVANNA)
    keyboard = Typed(["1"])
    await answer(table_of(SAVANNA, keyboard), act)
    shown = capsys.readouterr().out
    assert "Your hand: " in shown
    for number, action in enumerate(act.legal or (), 1):
        kind, _, cell = action.partition("@")
        assert f"{number} {cell}" in shown
        assert f"\n{kind}  " in shown
    assert keyboard.prompts == ["ann (seat 0), turn 1; ? helps> "]
    assert set(act.legal or ()) < set(keyboard.words)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("?", HELP),
        ("help", HELP),
        ("undo", "There is nothing to take back."),
        ("0", "'0' is none of the actions"),
        ("999", "'999' is none of the actions"),
        ("elephant@B1", "; ? helps"),
        ("x\x1b[2J", r"x\x1b[2J"),
        ("", ""),
    ],
)
async def test_other_words_are_answered_and_the_question_stays(
    typed: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard = Typed([typed, "1"])
    await answer(table_of(SAVANNA, keyboard), first(SAVANNA))
    shown = capsys.readouterr().out
    assert said in shown
    assert "\x1b" not in shown
    assert len(keyboard.prompts) == 2


async def test_a_turn_of_several_actions_is_put_together_and_taken_back() -> None:
    act = next(d.act for d in decisions(HERD) if d.act.state.place >= 2 and not d.act.state.remove)
    one, other = list(act.legal or ())[:2]
    answered = await answer(table_of(HERD, Typed([one, "undo", other, *["1"] * 9])), act)
    assert answered[0] == other
    assert len(answered) > 1


@pytest.mark.parametrize("lines", [["quit", "y"], ["resign", "yes"], [], ["quit"]])
async def test_who_leaves_the_table_is_out(lines: list[str]) -> None:
    with pytest.raises(BotFault, match="left the table") as caught:
        await answer(table_of(SAVANNA, Typed(lines)), first(SAVANNA))
    assert caught.value.code is Code.CRASH


async def test_leaving_has_to_be_meant() -> None:
    act = first(SAVANNA)
    assert (
        await answer(table_of(SAVANNA, Typed(["quit", "n", "1"])), act) == list(act.legal or ())[:1]
    )


async def test_two_people_never_see_each_others_hands(capsys: pytest.CaptureFixture[str]) -> None:
    keyboard = Typed(["", "1", "", "1"])
    table = table_of(SAVANNA, keyboard, NAMES)
    for seat in (0, 1):
        await answer(table, first(SAVANNA, seat))
        assert keyboard.cleared == 2 * (seat + 1)  # before and behind what the seat knows
    before, _, hand = capsys.readouterr().out.partition("bob (seat 1), it is your turn.")
    assert "Your hand" in before
    assert "Your hand" in hand
    assert keyboard.prompts[::2] == ["Press Enter when nobody else sees the screen. "] * 2


async def test_people_who_have_nothing_to_hide_are_not_kept_apart() -> None:
    keyboard = Typed(["1"] * 9)
    await answer(table_of(HERD, keyboard, NAMES), first(HERD))
    assert keyboard.cleared == 0


def test_what_happened_is_told_as_the_seat_may_know_it() -> None:
    act = [d.act for d in decisions(SAVANNA) if d.seat == 0][1]
    events: list[dict[str, Any]] = msgspec.to_builtins(act.events)
    words = [told(event, NAMES, 0) for event in events]
    assert words[0].startswith("you: ")
    assert words[1].startswith("you: draw ")
    assert words[2].startswith("bob: ")
    assert words[3:] == [""]  # that bob draws, and not what


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"seat": 1, "action": "lion@B3", "scores": [0, 2]}, "bob: lion@B3, scores 0 2"),
        ({"seat": 1, "action": "place@C3", "captured": ["C4"]}, "bob: place@C3, captured C4"),
        ({"seat": 0, "roll": [2, 5]}, "you: roll 2 5"),
        ({"weather": "fine"}, "weather fine"),
        ({"seat": 1, "draw": None}, ""),
    ],
)
def test_any_event_can_be_told(event: dict[str, Any], words: str) -> None:
    assert told(event, NAMES, 0) == words


def test_actions_stand_by_kind_in_rows_that_fit() -> None:
    actions = [*(f"zebra@A{number}" for number in range(1, 8)), "zebra/lion@B1", "pass"]
    assert list(listed(actions, 38)) == [
        "zebra       1 A1  2 A2  3 A3  4 A4",
        "            5 A5  6 A6  7 A7",
        "zebra/lion  8 B1",
        "pass        9",
    ]
    assert len(list(listed(actions, 5))) == 9
    assert list(listed([], 80)) == []


def test_a_number_or_a_name_chooses() -> None:
    assert chosen("2", ["a@A1", "a@A2"]) == "a@A2"
    assert chosen("A@a2", ["a@A1", "a@A2"]) == "a@A2"
    assert chosen("3", ["a@A1", "a@A2"]) is None
    assert chosen("a@A", ["a@A1", "a@A2"]) is None


# As a command


def test_a_person_plays_a_whole_match_through_a_pipe(arena: Arena) -> None:
    bot = arena.bot("little")
    words = ["match", "savanna-ten", "me=human", bot, "--record", "m.jsonl", "--isolation", "none"]
    done = program(*words, cwd=arena.folder, input="1\n" * 10)
    assert done.status == 0, done.err
    record = json.loads((arena.folder / "m.jsonl").read_text())
    assert record["bots"][0] == {"name": "me", "version": None, "digest": "person"}
    assert record["faults"] == []
    assert "seat 0" in done.out.splitlines()[-2] + done.out.splitlines()[-1]
    assert arena("verify", "m.jsonl").status == 0


def test_people_are_numbered_as_bots_are(arena: Arena) -> None:
    done = program("match", "herd", "human", "human", cwd=arena.folder, input="quit\ny\n")
    assert done.status == 0, done.err
    assert "1.  human-2  seat 1" in done.out


@pytest.mark.parametrize("words", [["--json"], ["--record", "-"]])
def test_a_person_and_a_record_cannot_share_stdout(arena: Arena, words: list[str]) -> None:
    done = arena("match", "herd", "human", arena.bot("little"), *words)
    assert done.status == 2
    assert "a person needs the terminal" in done.err


def test_a_person_is_not_broken_off_by_a_change(arena: Arena) -> None:
    done = arena("match", "herd", "human", arena.bot("little"), "--watch", ".")
    assert done.status == 2
    assert "a person's match is not broken off; leave out --watch" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ["run", "herd", "human", "greedy"],
        ["check", "human"],
        ["compare", "herd", "human", "greedy"],
    ],
)
def test_a_person_holds_no_seat_elsewhere(arena: Arena, words: list[str]) -> None:
    done = arena(*words)
    assert done.status == 3
    assert done.err == (
        "arena: human is a person at the terminal, who can play in `arena match` only\n"
    )


def test_a_bot_that_is_called_human_is_a_bot(arena: Arena) -> None:
    arena.bot("human", LITTLE)
    record = arena.data(
        "match", "herd", "human", "human", "--option", "size=2", "--isolation", "none"
    )
    assert record["bots"][0]["version"] == "0.1"


def test_start_is_heard() -> None:
    human = Human(0, table_of(SAVANNA, Typed([])))
    human.begin(start_of(SAVANNA, 0))
    assert human.matches == 1
