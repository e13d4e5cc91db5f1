"""What the BOT words of a command line stand for."""

import os
import sys
from importlib import import_module
from pathlib import Path

import pytest

from arena.referee.faults import CannotStart
from arena.tournament.entry import (
    BUNDLED,
    COME_ALONG,
    PLAYS,
    BadName,
    Entry,
    distinct,
    numbered,
    registered,
    resolve,
)

TOML = 'name = "mine"\ncommand = ["python3", "bot.py"]\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, in which relative paths are looked up."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_bot(folder: Path, toml: str = TOML) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text("pass\n")
    (folder / "bot.toml").write_text(toml)
    return folder


def make_program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


# What a word is, in the order in which it is tried


def test_a_folder_with_bot_toml(here: Path) -> None:
    folder = make_bot(here / "mybot")
    entry = resolve("./mybot --depth 3")
    assert entry.name == "mine"
    assert entry.program.command == (sys.executable, "bot.py", "--depth", "3")
    assert entry.program.folder == str(folder)
    assert entry.entrant.words == "./mybot --depth 3"
    assert entry.games is None


def test_its_bot_toml_means_the_folder(here: Path) -> None:
    make_bot(here / "mybot")
    assert resolve("mybot/bot.toml").entrant.digest == resolve("mybot").entrant.digest


def test_a_folder_comes_before_a_registered_name(here: Path) -> None:
    make_bot(here / "random")
    assert resolve("random").name == "mine"
    (here / "random/bot.toml").unlink()
    assert resolve("random").name == "random"


def test_everything_that_bot_toml_says(here: Path) -> None:
    folder = make_bot(
        here / "mybot",
        'name = "mine"\ncommand = ["./run", "-x"]\ngames = ["herd"]\n'
        'network = true\nenv = { KEY = "v=1" }\n',
    )
    make_program(folder / "run")
    entry = resolve("mybot")
    assert entry.program.command == (str(folder / "run"), "-x")
    assert entry.program.env == {"KEY": "v=1"}
    assert entry.program.network
    assert entry.entrant.network
    assert entry.games == ("herd",)


def test_a_command_is_looked_up_in_the_folder_then_on_the_path(here: Path) -> None:
    folder = make_bot(here / "mybot", 'name = "mine"\ncommand = ["sh", "bot.sh"]\n')
    assert os.path.samefile(resolve("mybot").program.command[0], "/bin/sh")
    make_program(folder / "sh")
    assert resolve("mybot").program.command[0] == str(folder / "sh")


def test_a_python_file(here: Path) -> None:
    (here / "my_bot.py").write_text("pass\n")
    entry = resolve("my_bot.py 3")
    assert entry.name == "my_bot"
    assert entry.program.command == (sys.executable, str(here / "my_bot.py"), "3")
    assert entry.program.folder is None


def test_a_program(here: Path) -> None:
    make_program(here / "fast")
    entry = resolve("fast")
    assert entry.program.command == (str(here / "fast"),)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Grüße 2.py", "Gr--e-2"),
        ("..py", "bot"),
        ("-x.py", "x"),
        ("a" * 60 + ".py", "a" * 40),
    ],
)
def test_a_file_gives_a_name_that_an_entrant_can_have(here: Path, file: str, name: str) -> None:
    (here / file).write_text("pass\n")
    assert resolve(f"'./{file}'").name == name


@pytest.mark.parametrize("place", ["a folder", "gr\u00fc\u00df", "it's", 'say "hi"', "a;b&c", "-v"])
def test_any_path_is_taken(here: Path, place: str) -> None:
    folder = make_bot(here / place)
    quoted = "'" + str(folder).replace("'", "'\\''") + "'"
    assert resolve(quoted).program.folder == str(folder)


def test_a_link_to_a_bot_is_the_bot(here: Path) -> None:
    folder = make_bot(here / "mybot")
    (here / "link").symlink_to(folder)
    entry = resolve("./link")
    assert entry.program.folder == str(here / "link")
    assert entry.entrant.digest == resolve("./mybot").entrant.digest


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_bundled_bot_runs_as_a_module_that_no_folder_can_shadow(here: Path, name: str) -> None:
    entry = resolve(name)
    assert entry.name == name
    assert entry.program.command[:3] == (sys.executable, "-P", "-m")
    assert entry.program.command[3].startswith("bots.")


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package that gives bots."""
    site = tmp_path / "site"
    (site / "lively").mkdir(parents=True)
    (site / "lively/__init__.py").write_text("")
    (site / "lively/deep.py").write_text("pass\n")
    info = site / "lively-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lively\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[arena.bots]\nlively = lively.deep\nrandom = lively.deep\nlost = nowhere.bot\n"
    )
    monkeypatch.syspath_prepend(site)
    return site


def test_an_installed_bot(plugin: Path) -> None:
    assert list(registered()) == ["random", "greedy", "lookahead", "search", "lively", "lost"]
    entry = resolve("lively --fast")
    assert entry.program.command == (sys.executable, "-P", "-m", "lively.deep", "--fast")
    before = entry.entrant.digest
    (plugin / "lively/deep.py").write_text("changed\n")
    assert resolve("lively --fast").entrant.digest != before


def test_a_bundled_bot_keeps_its_name(plugin: Path) -> None:
    assert resolve("random").program.command[3] == "bots.random_bot"


def test_an_entry_point_to_a_package_that_is_not_there(plugin: Path) -> None:
    with pytest.raises(CannotStart, match=r"^bot lost: its package nowhere is not installed$"):
        resolve("lost")


def test_a_file_that_a_registered_bot_is_given(here: Path) -> None:
    """It is found from the bot's own folder, shown in its sandbox, and part of its identity."""
    (here / "net.npz").write_bytes(b"1")
    before = resolve("policy --policy ./net.npz")
    assert before.program.command[-2:] == ("--policy", str(here / "net.npz"))
    assert before.program.tools[-1] == str(here / "net.npz")
    assert resolve("policy --policy ./net.npz:act").program.command[-1] == f"{here}/net.npz:act"
    (here / "net.npz").write_bytes(b"2")
    after = resolve("policy --policy ./net.npz")
    assert after.entrant.digest != before.entrant.digest
    assert after.entrant.words == "policy --policy ./net.npz"


@pytest.mark.parametrize("name", [*BUNDLED, "policy"])
def test_what_a_bundled_bot_plays_is_what_it_says(name: str) -> None:
    module = import_module(COME_ALONG[name])
    assert resolve(name).games == PLAYS.get(name) == getattr(module, "GAMES", None)


def test_a_bot_that_needs_arguments_is_in_no_list() -> None:
    assert resolve("policy").name == "policy"
    assert "policy" not in registered()


# Names and identity


def test_name_equals_bot(here: Path) -> None:
    entry = resolve("fast=random --x=1")
    assert entry.name == entry.program.name == "fast"
    assert entry.entrant.words == "random --x=1"
    assert entry.entrant.digest == resolve("random --x=1").entrant.digest


@pytest.mark.parametrize("words", ["random --x=1", "./mybot k=v"])
def test_an_equals_sign_in_an_argument_names_nothing(here: Path, words: str) -> None:
    make_bot(here / "mybot")
    assert resolve(words).name in ("random", "mine")


@pytest.mark.parametrize("name", ["a", "A1._+-", "x" * 40])
def test_names_that_an_entrant_can_have(name: str) -> None:
    assert resolve(f"{name}=random").name == name


@pytest.mark.parametrize("name", ["", "-a", ".a", "x" * 41, "a\u00e9", "a\x1b[31m", "a,b", "<b>"])
def test_names_that_an_entrant_cannot_have(name: str) -> None:
    with pytest.raises(BadName) as found:
        resolve(f"{name}=random")
    shown = name.encode("unicode_escape").decode()
    assert str(found.value) == (
        f"the name '{shown}' in NAME=BOT cannot be an entrant's: 1 to 40 letters, digits "
        "and . _ + -, a letter or digit first"
    )


def test_the_name_in_bot_toml_is_held_to_the_same(here: Path) -> None:
    make_bot(here / "mybot", 'name = "../up"\ncommand = ["python3"]\n')
    with pytest.raises(BadName, match=r"^the name '\.\./up' in .*/mybot/bot\.toml cannot be"):
        resolve("mybot")


def names(entries: list[Entry]) -> list[str]:
    return [entry.name for entry in entries]


def test_entrants_of_a_tournament_have_names_of_their_own() -> None:
    assert names(distinct(map(resolve, ["random", "b=random"]))) == ["random", "b"]


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        (
            "random",
            "two entrants are called random; give one another name, as in random-2=random",
        ),
        (
            "Random=random --x 'y z'",
            "two entrants are called random and Random, equal but for case; give one another "
            """name, as in 'Random-2=random --x '"'"'y z'"'"''""",
        ),
    ],
)
def test_two_of_one_name_are_refused_with_the_mend(second: str, sentence: str) -> None:
    with pytest.raises(CannotStart) as found:
        distinct(map(resolve, ["random", second]))
    assert str(found.value) == sentence


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["random", "random", "random"], ["random", "random-2", "random-3"]),
        (["random", "greedy", "random"], ["random", "greedy", "random-2"]),
        (["random", "random", "random-2=greedy"], ["random", "random-3", "random-2"]),
    ],
)
def test_names_of_a_single_match_are_numbered(words: list[str], expected: list[str]) -> None:
    entries = numbered(map(resolve, words))
    assert names(entries) == expected
    assert [entry.program.name for entry in entries] == expected


# What is refused, in one sentence that names the bot and the mend


REFUSED = {
    "nobody": (
        "nobody",
        "bot nobody: there is no such folder, program or registered bot; "
        "registered are random, greedy",
    ),
    "no file": ("./gone.py", "bot ./gone.py: there is no such file"),
    "no bot.toml": (
        "empty",
        "bot empty: the folder has no bot.toml; it needs one with name and command",
    ),
    "nothing": ("x=", "bot '' names nothing"),
    "an empty word": ("''", "bot '''' names nothing"),
    "an open quote": ("'random", "bot ''random' cannot be read: no closing quotation"),
    "not executable": (
        "plain",
        "bot plain cannot be executed: HERE/plain is not executable; chmod +x makes it so",
    ),
    "no first line": (
        "script",
        "bot script cannot be executed: HERE/script is a script without a first line; "
        "start it with one such as #!/usr/bin/env python3",
    ),
    "a name of over 255 letters": ("x" * 300, f"bot {'x' * 300}: {'x' * 300}/bot.toml cannot be "),
}


@pytest.mark.parametrize(("words", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_bot_is_refused(here: Path, words: str, sentence: str) -> None:
    (here / "empty").mkdir()
    (here / "plain").write_text("#!/bin/sh\n")
    make_program(here / "script", "echo hello\n")
    with pytest.raises(CannotStart) as found:
        resolve(words)
    assert str(found.value).startswith(sentence.replace("HERE", str(here)))


TOMLS = {
    "no TOML": ("name = mine\n", " is not TOML: Invalid value (at line 1, column 8)"),
    "no name": ('command = ["x"]\n', ": the file has no name"),
    "no command": ('name = "mine"\n', ": the file has no command"),
    "an empty command": (
        'name = "mine"\ncommand = []\n',
        ", line 2: command: expected array of length >= 1",
    ),
    "a command in one string": (
        'name = "mine"\ncommand = "./bot"\n',
        ", line 2: command: expected array, got str",
    ),
    "a NUL": (
        TOML + 'env = {A = "\\u0000"}\n',
        ", line 3: env: expected str matching regex '^[^\\\\0]*$'",
    ),
    "an unknown key": (
        'name = "mine"\ncomand = ["x"]\n',
        ", line 2: unknown key comand; did you mean command?",
    ),
}


@pytest.mark.parametrize(("toml", "sentence"), TOMLS.values(), ids=TOMLS)
def test_a_malformed_bot_toml_is_refused_with_the_line(
    here: Path, toml: str, sentence: str
) -> None:
    make_bot(here / "mybot", toml)
    with pytest.raises(CannotStart) as found:
        resolve("mybot")
    assert str(found.value) == f"{here}/mybot/bot.toml{sentence}"


COMMANDS = {
    "nowhere": (
        ["frobnicate"],
        "frobnicate is neither in HERE nor on the PATH; install it or mend command in bot.toml",
    ),
    "no such file": (["./gone"], "HERE/gone does not exist"),
    "a folder": (["./lib"], "HERE/lib is a folder, not a program"),
    "not executable": (["./plain"], "HERE/plain is not executable; chmod +x makes it so"),
    "no interpreter": (["./lost"], "the first line of HERE/lost names /no/python, which is not"),
    "Windows line ends": (
        ["./dos"],
        "the first line of HERE/dos ends in a carriage return; save it with Unix ends",
    ),
    "empty": (
        ["./void"],
        "HERE/void is empty; start it with one such as #!/usr/bin/env python3",
    ),
}


@pytest.mark.parametrize(("command", "sentence"), COMMANDS.values(), ids=COMMANDS)
def test_a_command_that_cannot_be_executed_is_refused(
    here: Path, command: list[str], sentence: str
) -> None:
    folder = make_bot(here / "mybot", f'name = "mine"\ncommand = {command}\n')
    (folder / "lib").mkdir()
    (folder / "plain").write_text("#!/bin/sh\n")
    make_program(folder / "lost", "#!/no/python\n")
    make_program(folder / "dos", "#!/bin/sh\r\n")
    make_program(folder / "void", "")
    with pytest.raises(CannotStart) as found:
        resolve("mybot")
    wanted = "bot mine cannot be executed: " + sentence.replace("HERE", str(folder))
    assert str(found.value).startswith(wanted)


def test_a_file_of_the_bot_that_cannot_be_read_is_named(here: Path) -> None:
    folder = make_bot(here / "mybot")
    (folder / "odd").symlink_to("/proc/self/mem")
    sentence = r"^bot mybot: one of its files cannot be read: input/output error$"
    with pytest.raises(CannotStart, match=sentence):
        resolve("mybot")
