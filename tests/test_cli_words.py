"""Words that are off: one sentence that names what was wrong and the mend, and an exit status."""

import importlib
import json
from pathlib import Path

import pytest

from arena.cli.errors import STATUS
from tests.arena_cli import Arena, Done, program

OFF: dict[str, tuple[list[str], str]] = {
    "no such command": (["play"], "no such command 'play'; see `arena --help`"),
    "no such option": (
        ["games", "--foo"],
        "no such option: --foo; see `arena games --help`",
    ),
    "an argument is missing": (
        ["run"],
        "missing argument 'GAME|FILE.toml'; see `arena run --help`",
    ),
    "an argument too many": (
        ["games", "herd"],
        "got unexpected extra argument(s) (herd); see `arena games --help`",
    ),
    "unknown game": (
        ["run", "chess", "random", "greedy"],
        "there is no game 'chess'; the games are savanna-ten and herd",
    ),
    "unknown game, nearly right": (
        ["match", "savanna", "random", "greedy"],
        "there is no game 'savanna' (did you mean savanna-ten?); "
        "the games are savanna-ten and herd",
    ),
    "unknown option of the game": (
        ["run", "herd", "random", "greedy", "--option", "sise=3"],
        "herd has no option 'sise'; it has size and turn_limit",
    ),
    "option out of range": (
        ["run", "herd", "random", "greedy", "--option", "size=11"],
        "option size of herd is a whole number from 2 to 10, not '11'",
    ),
    "option of another type": (
        ["match", "herd", "random", "greedy", "--option", "size=big"],
        "option size of herd is a whole number from 2 to 10, not 'big'",
    ),
    "option that is not k=v": (
        ["run", "herd", "random", "greedy", "--option", "size"],
        "--option: 'size' is not of the form k=v; see `arena run --help`",
    ),
    "seats out of range": (
        ["run", "savanna-ten", "random", "greedy", "--seats", "5"],
        "savanna-ten is for 2, 3 or 4 players, not 5",
    ),
    "too few bots": (
        ["run", "savanna-ten", "random", "greedy", "--seats", "3"],
        "savanna-ten with 3 seats needs at least 3 bots, not 2",
    ),
    "bots that do not fill the seats": (
        ["match", "savanna-ten", "random", "greedy", "--seats", "4"],
        "2 bots do not fit 4 seats; name one bot per seat or per team",
    ),
    "a name that no entrant can have": (
        ["run", "herd", "random", "c,d=greedy"],
        "the name 'c,d' in NAME=BOT cannot be an entrant's: 1 to 40 letters, digits "
        "and . _ + -, a letter or digit first",
    ),
    "no duration": (
        ["run", "herd", "random", "greedy", "--turn-time", "5"],
        "turn-time: '5' is not a duration; write it like 200ms, 1s, 2m or none",
    ),
    "an increment alone": (
        ["match", "herd", "random", "greedy", "--increment", "1s"],
        "increment: it needs a bank",
    ),
    "no such isolation": (
        ["match", "herd", "random", "greedy", "--isolation", "foo"],
        "--isolation: there is no isolation 'foo'; use auto, bwrap, process, none; "
        "see `arena match --help`",
    ),
    "no matches": (
        ["run", "herd", "random", "greedy", "--matches", "0"],
        "--matches: 0 is not in the range x>=1; see `arena run --help`",
    ),
    "deals that are no number": (
        ["run", "herd", "random", "greedy", "--deals", "x"],
        "--deals: 'x' is not a whole number; see `arena run --help`",
    ),
    "deals and matches": (
        ["run", "herd", "random", "greedy", "--deals", "2", "--matches", "2", "--plan"],
        "a round robin takes deals or matches, not both",
    ),
    "an anchor without rating": (
        ["leaderboard", "--anchor", "random"],
        "--anchor: 'random' is not of the form BOT=RATING; see `arena leaderboard --help`",
    ),
    "a negative prior": (
        ["leaderboard", "--prior", "-1"],
        "--prior: -1.0 is not in the range x>=0; see `arena leaderboard --help`",
    ),
    "nothing to verify": (
        ["verify"],
        "name files of records, or a store with --store; see `arena verify --help`",
    ),
    "a schema of no game": (
        ["schema", "--game", "chess"],
        "there is no game 'chess'; the games are savanna-ten and herd",
    ),
}


def is_one_sentence(done: Done) -> bool:
    """It is on stderr alone, and shows nothing of our insides."""
    lines = done.err.splitlines()
    return len(lines) == 1 and lines[0].startswith("arena: ") and not done.out


@pytest.mark.parametrize(("words", "sentence"), OFF.values(), ids=OFF)
def test_words_that_are_off(arena: Arena, words: list[str], sentence: str) -> None:
    done = arena(*words)
    assert done.err == f"arena: {sentence}\n"
    assert done.status == 2
    assert is_one_sentence(done)
    assert not Path("arena.db").exists()


IMPOSSIBLE: dict[str, tuple[list[str], str]] = {
    "missing bot": (
        ["run", "herd", "random", "nobody"],
        "bot nobody: there is no such folder, program or registered bot; "
        "registered are random, greedy, lookahead, search",
    ),
    "a folder without bot.toml": (
        ["run", "herd", "random", "./empty"],
        "bot ./empty: the folder has no bot.toml; it needs one with name and command",
    ),
    "a malformed bot.toml": (
        ["match", "herd", "random", "./odd"],
        "HERE/odd/bot.toml, line 2: unknown key comand; did you mean command?",
    ),
    "a bot that does not play the game": (
        ["run", "herd", "random", "./picky"],
        "bot picky does not play herd; it plays savanna-ten",
    ),
    "two entrants of one name": (
        ["run", "herd", "random", "random"],
        "two entrants are called random; give one another name, as in random-2=random",
    ),
    "two names equal but for case": (
        ["run", "herd", "random", "Random=greedy"],
        "two entrants are called random and Random, equal but for case; give one another name, "
        "as in Random-2=greedy",
    ),
    "a store that is no database": (
        ["leaderboard", "--store", "text.db"],
        "text.db is not a store: it is no SQLite database",
    ),
    "a store that is a folder": (
        ["runs", "--store", "empty"],
        "empty is a folder; --store names a file",
    ),
    "no store": (
        ["matches"],
        "there is no store at arena.db; `arena run` makes one, --store names it",
    ),
    "a store in no folder": (
        ["match", "herd", "random", "greedy", "--store", "no/arena.db"],
        "no/arena.db cannot be made: there is no folder no",
    ),
    "a record into no folder": (
        ["match", "herd", "random", "greedy", "--record", "no/r.jsonl"],
        "no/r.jsonl cannot be written: no such file or directory",
    ),
    "no file to verify": (
        ["verify", "r.jsonl"],
        "r.jsonl cannot be read: no such file or directory",
    ),
    "a file of something else": (
        ["verify", "text.db"],
        "text.db, line 1: not a match record: JSON is malformed: invalid character (byte 4)",
    ),
    "a file of something else to import": (
        ["import", "text.db", "--store", "new.db"],
        "text.db, line 1: not a match record: JSON is malformed: invalid character (byte 4)",
    ),
    "no such bot to look up": (
        ["bots", "nobody"],
        "bot nobody: there is no such folder, program or registered bot; "
        "registered are random, greedy, lookahead, search",
    ),
}


@pytest.mark.parametrize(("words", "sentence"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_is_refused_or_impossible(arena: Arena, words: list[str], sentence: str) -> None:
    for name in ("empty", "odd", "picky"):
        Path(name).mkdir()
    Path("odd/bot.toml").write_text('name = "odd"\ncomand = ["x"]\n')
    Path("picky/bot.toml").write_text(
        'name = "picky"\ncommand = ["python3"]\ngames = ["savanna-ten"]\n'
    )
    Path("text.db").write_text("this is a text, and no database; but it is long enough\n" * 9)
    done = arena(*words)
    assert done.err == f"arena: {sentence.replace('HERE', str(arena.folder))}\n"
    assert done.status == 3
    assert is_one_sentence(done)
    assert not Path("arena.db").exists()


def test_no_command_shows_what_there_is(arena: Arena) -> None:
    done = arena()
    assert done.status == 2
    assert done.err.startswith("Usage: arena ")


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["run", "--help"], ["--version"]])
def test_help_and_version_are_data(arena: Arena, words: list[str]) -> None:
    done = arena(*words)
    assert done.status == 0
    assert done.out
    assert not done.err


def test_an_error_is_never_json_on_stdout(arena: Arena) -> None:
    for words in (["matches", "--json"], ["run", "chess", "a", "b", "--json"]):
        done = arena(*words)
        assert done.status in (2, 3)
        assert done.out == ""


def test_every_error_of_the_table_exists() -> None:
    for name in STATUS:
        module, _, error = name.rpartition(".")
        assert issubclass(getattr(importlib.import_module(module), error), Exception)


def test_the_program_does_as_the_function(tmp_path: Path) -> None:
    done = program("run", "chess", "random", "greedy", "--json", cwd=tmp_path)
    assert done == Done(
        2, "", "arena: there is no game 'chess'; the games are savanna-ten and herd\n"
    )
    done = program("games", "--json", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert [game["name"] for game in json.loads(done.out)] == ["savanna-ten", "herd"]
