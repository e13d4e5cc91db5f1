"""The bot `search`: it plays every table legally, uses its clock, and knows only what it may."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from bots import random_bot
from bots.search import Search, Settings, settings, share_of_win
from bots.search_clock import RESERVE, TIME_FRACTION, Clock
from engine.game import CHANCE, AnyGame, AnyTable
from engine.options import make_table
from engine.registry import game
from protocol.bot import Answer
from protocol.codec import encode
from protocol.messages import Act, Action, ActTime, Start
from tests.driver import Called, Player, play, program, start
from tests.test_bots import command, ranks_of

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("savanna-ten", 2, {}),
    ("savanna-ten", 2, {"mouse": "replace"}),
    ("savanna-ten", 2, {"mouse": "add"}),
    ("savanna-ten", 3, {}),
    ("savanna-ten", 3, {"mouse": "replace"}),
    ("savanna-ten", 3, {"mouse": "add"}),
    ("savanna-ten", 4, {}),
    ("savanna-ten", 4, {"mouse": "replace"}),
    ("savanna-ten", 4, {"mouse": "add"}),
    ("savanna-ten", 4, {"teams": True}),
    ("savanna-ten", 4, {"mouse": "replace", "teams": True}),
    ("savanna-ten", 4, {"mouse": "add", "teams": True}),
    ("herd", 2, {}),
    ("herd", 2, {"size": 2}),
    ("herd", 2, {"size": 10, "turn_limit": 4}),
]
every_table = pytest.mark.parametrize(("name", "players", "options"), TABLES)


def few(nodes: int = 6) -> Search:
    """The bot with so few playouts that a game takes no time."""
    return Search(Settings(nodes=nodes))


class Heard(Called):
    """A bot whose answers are kept."""

    def __init__(self, bot: Search) -> None:
        super().__init__(bot.decide)
        self.answers: list[Action] = []

    def ask(self, act: Act) -> Action:
        self.answers.append(super().ask(act))
        return self.answers[-1]


# Whole games


@every_table
def test_it_plays_legally_wherever_the_game_goes(
    name: str, players: int, options: dict[str, Any]
) -> None:
    table = make_table(game(name), players, options)
    for seat in range(players):
        seats: list[Player] = [Called(random_bot.decide) for _ in range(players)]
        seats[seat] = heard = Heard(few())
        play(game(name), table, seats, f"0{seat}")
        for answer in heard.answers:
            assert answer.value is not None
            assert 0 <= answer.value <= 1
            assert answer.note
            assert len(answer.note) < 100


@every_table
def test_the_same_seed_and_playouts_give_the_same_game(
    name: str, players: int, options: dict[str, Any]
) -> None:
    table = make_table(game(name), players, options)
    games = []
    for _ in range(2):
        seats = [Heard(few()) for _ in range(players)]
        play(game(name), table, seats, "0a")
        games.append([seat.answers for seat in seats])
    assert games[0] == games[1]


def test_it_is_a_program() -> None:
    with program([*command("bots.search"), "--nodes", "6"]) as process:
        assert process.ready.name == "search"
        for name in ("savanna-ten", "herd"):
            table = make_table(game(name), 2, {})
            play(game(name), table, [process, Called(random_bot.decide)], "0a")


@pytest.mark.parametrize(
    ("name", "players", "options", "nodes", "firsts"),
    [
        ("savanna-ten", 2, {}, 20, 10),
        ("savanna-ten", 4, {}, 20, 15),
        ("savanna-ten", 4, {"teams": True}, 20, 20),
        ("herd", 2, {}, 3, 10),
    ],
)
def test_a_few_playouts_beat_random(
    name: str, players: int, options: dict[str, Any], nodes: int, firsts: int
) -> None:
    table = make_table(game(name), players, options)
    assert ranks_of(few(nodes).decide, table, name, deals=5).count(1) >= firsts


# Single decisions


def position(rules: AnyGame, table: AnyTable, turn: int) -> Any:
    """A state in which a seat is to act, reached at random."""
    rng, state = Random(turn), rules.initial(table)
    while rules.turn(state) < turn or rules.to_act(state) == CHANCE:
        if rules.to_act(state) == CHANCE:
            state = rules.apply(state, rules.chance(state, "0a"))
        else:
            state = rules.apply(state, rng.choice(rules.legal(state)))
    return state


def decided(
    bot: Search,
    rules: AnyGame,
    table: AnyTable,
    state: Any,
    turn_ms: int = 100,
    legal: Sequence[str] | None = None,
) -> Answer:
    """What the bot does for the seat that is to act."""
    seat = rules.to_act(state)
    assert seat is not None
    act = Act(
        "m1",
        1,
        seat,
        rules.view(state, seat),
        [],
        legal or rules.legal(state),
        ActTime(turn_ms, None),
    )
    about = start(rules, table, seat)
    return bot.decide(
        msgspec.json.decode(encode(act), type=Act), msgspec.json.decode(encode(about), type=Start)
    )


class Ticking:
    """A clock that goes on by a millisecond whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.mark.parametrize("name", ["savanna-ten", "herd"])
@pytest.mark.parametrize("milliseconds", [50, 100, 1000])
def test_it_uses_its_time_and_stops_before_the_end(name: str, milliseconds: int) -> None:
    rules, clock = game(name), Ticking()
    table = make_table(rules, 2, {})
    bot = Search(Settings(), Clock(TIME_FRACTION, clock))
    decided(bot, rules, table, position(rules, table, 5), milliseconds)
    limit = milliseconds / 1000
    least, most = limit * TIME_FRACTION - RESERVE, limit - min(RESERVE, limit * 0.08)
    assert least - 0.004 <= clock.now <= most + 0.002


@every_table
def test_what_it_cannot_see_changes_nothing(
    name: str, players: int, options: dict[str, Any]
) -> None:
    rules = game(name)
    table = make_table(rules, players, options)
    state = position(rules, table, 4)
    seat = rules.to_act(state)
    assert seat is not None
    view = rules.view(state, seat)
    fitting = {rules.sample(table, view, seat, Random(seed)) for seed in range(20)}
    assert name == "herd" or len(fitting) > 1
    assert len({str(decided(few(), rules, table, other)) for other in fitting}) == 1


def test_what_is_forced_is_played_at_once() -> None:
    rules = game("herd")
    table = make_table(rules, 2, {"size": 2})
    state = position(rules, table, 2)
    while len(rules.legal(state)) != 1:
        state = rules.apply(state, rules.legal(state)[0])
    answer = decided(Search(Settings()), rules, table, state)
    assert answer.actions[0] == rules.legal(state)[0]
    assert answer.note == "forced"


def test_it_heeds_what_is_said_to_be_legal() -> None:
    rules = game("savanna-ten")
    table = make_table(rules, 2, {})
    state = position(rules, table, 9)
    values = set()
    for action in rules.legal(state):
        answer = decided(few(50), rules, table, state, legal=[action])
        assert answer.actions == (action,)
        values.add(answer.value)
    assert len(values) > 10


# Words and figures


def test_the_words_of_the_command_line() -> None:
    words = ["--nodes", "50", "--time-fraction", "0.5", "--c", "0.4"]
    assert settings(words) == Settings(time_fraction=0.5, nodes=50, c=0.4)
    assert settings([]) == Settings()


@pytest.mark.parametrize(
    "words", [["--nodes", "0"], ["--time-fraction", "1.5"], ["--c", "-1"], ["--nodes", "many"]]
)
def test_words_that_are_off(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        settings(words)
    assert words[1] in capsys.readouterr().err


@pytest.mark.parametrize(
    ("result", "sides", "share"),
    [(0.7, 2, 0.7), (0.5, 4, 0.25), (1.0, 3, 1.0), (0.0, 3, 0.0)],
)
def test_the_share_of_the_win(result: float, sides: int, share: float) -> None:
    assert share_of_win(result, sides) == pytest.approx(share)
