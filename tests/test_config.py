"""A tournament from settings, as a file or the words of a command give them."""

from pathlib import Path

import pytest

from arena.referee.clock import Clocks
from arena.referee.faults import CannotStart
from arena.toml import TomlError
from arena.tournament.config import (
    BotSettings,
    Settings,
    SettingsError,
    clocks_of,
    entries_of,
    read,
    request_of,
    sides_of,
    time_limit_of,
)
from arena.tournament.prepare import FormatChoice
from engine.game import TableError

TWO = (BotSettings("random"), BotSettings("greedy"))


def file(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text)
    return path


def test_a_file_says_it_all(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        """
        game = "savanna-ten"
        format = "gauntlet"
        deals = 100
        seats = 3
        seed = "cup"
        turn-time = "200ms"
        isolation = "process"
        [option]
        mouse = "replace"
        [[bot]]
        bot = "random"
        challenger = true
        [[bot]]
        bot = "greedy --slow"
        name = "slow"
        arguments = ["a b"]
        env = { DEPTH = "3" }
        memory = "1GB"
        time-handicap = 2
        [[bot]]
        bot = "greedy"
        """,
    )
    settings = read(path)
    request = request_of(settings)
    assert settings.isolation == "process"
    assert request.format == FormatChoice("gauntlet", 100, challengers=("random",))
    assert (request.table.players, request.table.options.mouse) == (3, "replace")
    assert (request.seed, request.clocks.turn_ms) == ("cup", 200)
    slow = request.entries[1]
    assert slow.name == "slow"
    assert slow.program.command[-2:] == ("--slow", "a b")
    assert slow.program.env == {"DEPTH": "3"}
    assert slow.program.limits.memory_mb == 1024
    assert slow.time_handicap == 2.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('game = "herd"\ndeels = 3\n', "line 2: unknown key deels; did you mean deals"),
        ('game = "herd"\n\ndeals = "3"\n', "line 3: deals: expected int | null, got str"),
        ('game = "herd"\n[[bot]]\nname = "x"\n', r"line 2: \[\[bot\]\] has no bot"),
        ('game = "herd"\n[[bot]]\nbot = "random"\nenv = 3\n', "line 4: env: expected object"),
        ("deals = 3\n", "the file has no game"),
        ("game = \n", "is not TOML"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(
    tmp_path: Path, text: str, sentence: str
) -> None:
    with pytest.raises(TomlError, match=sentence.replace("|", r"\|")):
        read(file(tmp_path, text))


@pytest.mark.parametrize(
    ("settings", "clocks"),
    [
        (Settings("herd"), Clocks()),
        (Settings("herd", turn_time="100ms"), Clocks(turn_ms=100)),
        (Settings("herd", turn_time="8s"), Clocks(turn_ms=8000, first_ms=8000)),
        (Settings("herd", turn_time="none"), Clocks(turn_ms=None, first_ms=None)),
        (Settings("herd", first_time="none"), Clocks(first_ms=None)),
        (
            Settings("herd", bank="1m", increment="1s"),
            Clocks(turn_ms=None, first_ms=None, bank_ms=60_000, increment_ms=1000),
        ),
        (
            Settings("herd", bank="1m", turn_time="3s"),
            Clocks(turn_ms=3000, first_ms=5000, bank_ms=60_000),
        ),
        (
            Settings("herd", start_time="1s", margin="20ms"),
            Clocks(start_ms=1000, margin_ms=20),
        ),
    ],
)
def test_clocks(settings: Settings, clocks: Clocks) -> None:
    assert clocks_of(settings) == clocks


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings("herd", turn_time="5"), "turn-time: '5' is not a duration"),
        (Settings("herd", bank="x"), "bank: 'x' is not a duration"),
        (Settings("herd", increment="1s"), "increment: it needs a bank"),
    ],
)
def test_clocks_that_cannot_be(settings: Settings, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        clocks_of(settings)


def test_a_bot_has_its_own_limit_or_that_of_the_tournament() -> None:
    bots = (BotSettings("random"), BotSettings("greedy", memory="64MB"))
    random, greedy = entries_of(Settings("herd", bots, memory="1GB"))
    assert random.program.limits.memory_mb == 1024
    assert greedy.program.limits.memory_mb == 64
    with pytest.raises(SettingsError, match="memory: 'much' is not a size"):
        entries_of(Settings("herd", bots, memory="much"))


def test_what_makes_a_bot_another_player_is_in_its_digest() -> None:
    variants = (
        BotSettings("greedy"),
        BotSettings("greedy", name="env", env={"A": "1"}),
        BotSettings("greedy", name="time", time_handicap=2),
        BotSettings("greedy", name="words", arguments=("x",)),
    )
    assert len({entry.entrant.digest for entry in entries_of(Settings("herd", variants))}) == 4
    memory = BotSettings("greedy", memory="1GB")
    (more,) = entries_of(Settings("herd", (memory,)))
    (usual,) = entries_of(Settings("herd", (BotSettings("greedy"),)))
    assert more.entrant.digest == usual.entrant.digest


def test_a_handicap_is_a_positive_factor() -> None:
    with pytest.raises(SettingsError, match="time-handicap of random: 0 is no factor"):
        entries_of(Settings("herd", (BotSettings("random", time_handicap=0),)))


def test_repeated_names_are_refused_or_numbered() -> None:
    settings = Settings("herd", (BotSettings("random"), BotSettings("random")))
    with pytest.raises(CannotStart, match="two entrants are called random"):
        entries_of(settings)
    assert [e.name for e in entries_of(settings, number_repeated=True)] == ["random", "random-2"]


@pytest.mark.parametrize(
    ("game", "seats", "options", "sides"),
    [
        ("herd", None, {}, 2),
        ("savanna-ten", None, {}, 2),
        ("savanna-ten", 4, {}, 4),
        ("savanna-ten", None, {"teams": "true"}, 2),
    ],
)
def test_seats_are_the_least_that_the_options_allow(
    game: str, seats: int | None, options: dict[str, str], sides: int
) -> None:
    assert sides_of(game, seats, options) == sides


def test_a_wrong_option_is_named_though_no_seats_are_given() -> None:
    with pytest.raises(TableError, match="herd has no option 'colour'"):
        sides_of("herd", None, {"colour": "red"})


def test_the_time_limit_is_in_seconds() -> None:
    assert time_limit_of(Settings("herd")) is None
    assert time_limit_of(Settings("herd", time_limit="2m")) == 120.0
