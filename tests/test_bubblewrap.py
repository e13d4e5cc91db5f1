"""The command line of bubblewrap: what is shown to a bot, and what is not."""

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.referee import bubblewrap
from arena.referee.limits import Limits
from arena.referee.program import Program
from arena.referee.sandbox import Level
from tests.conftest import NeedsTool
from tests.contest import BOTS, ROOT, contest, escaping


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: "/usr/bin/bwrap")
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))


def words(program: Program, user: int | None = None) -> list[str]:
    return list(bubblewrap.command(program, user))


def shown(program: Program) -> set[str]:
    """The places outside the system that a program sees, the arena's own aside."""
    line = words(program)
    places = {line[i + 1] for i, word in enumerate(line) if word == "--ro-bind"}
    line = words(Program("none", ("/bin/sh",)))
    return places - {line[i + 1] for i, word in enumerate(line) if word == "--ro-bind"}


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/opt/bot", None),
        ("/usr/bin/python3", None),
        ("/srv/bots/run", "/srv/bots/run"),
        ("/srv/python/bin/python3", "/srv/python"),
        ("/home/ann/.pyenv/versions/3.12/bin/python", "/home/ann/.pyenv/versions/3.12"),
        ("/home/ann/.nvm/versions/node/v20/bin/node", "/home/ann/.nvm/versions/node/v20"),
        ("/home/ann/.local/bin/python3", "/home/ann/.local/bin/python3"),
        ("/home/ann/.cargo/bin/bot", "/home/ann/.cargo/bin/bot"),
        ("/home/ann/bin/bot", "/home/ann/bin/bot"),
        ("/home/bob/.local/bin/bot", "/home/bob/.local/bin/bot"),
        ("/home/bin/bot", "/home/bin/bot"),
        ("/bot", "/bot"),
    ],
)
def test_of_an_interpreter_its_installation_is_shown_and_of_a_home_nothing_more(
    path: str, place: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.path.exists", lambda name: name == path)
    monkeypatch.setattr("os.path.realpath", lambda name: name)
    assert shown(Program("b", (path,))) == ({place} if place else set())


def test_a_virtual_environment_in_a_home_is_shown_whole(tmp_path: Path) -> None:
    home = tmp_path
    (home / "venv" / "bin").mkdir(parents=True)
    (home / "venv" / "pyvenv.cfg").touch()
    (home / "venv" / "bin" / "bot").touch()
    assert shown(Program("b", (str(home / "venv/bin/bot"),))) == {str(home / "venv")}


def test_words_of_the_command_line_are_shown_and_those_of_a_bot_toml_are_not(
    tmp_path: Path,
) -> None:
    weights = tmp_path / "weights"
    weights.touch()
    program = Program("b", ("/bin/sh", str(weights), str(tmp_path / "missing")))
    assert shown(program) == {str(weights)}
    assert shown(replace(program, folder=str(BOTS))) == {str(BOTS)}


def test_entries_of_the_bots_folder_stand_in_its_working_folder() -> None:
    line = words(Program("b", ("/bin/sh",), folder=str(BOTS)))
    links = {line[i + 2]: line[i + 1] for i, word in enumerate(line) if word == "--symlink"}
    assert links["/tmp/bot/first.c"] == str(BOTS / "first.c")


def test_the_network_is_left_out_unless_the_bot_needs_it() -> None:
    program = Program("b", ("/bin/sh",))
    assert "--unshare-net" in words(program)
    assert "--unshare-net" not in words(replace(program, network=True))


def test_limits_are_handed_on() -> None:
    program = Program("b", ("/bin/sh",), limits=Limits(processes=17, folder_mb=3))
    line = words(program)
    assert "--nproc=17" in line
    assert line.count(str(3 << 20)) == 2  # /tmp and /dev/shm


def test_a_user_is_changed_to_by_tools_of_the_system_alone() -> None:
    line = words(Program("b", ("/bin/sh",)), user=61_200)
    inside = line[line.index("--") + 1 :]
    assert "--unshare-user" not in line
    assert [word for word in inside if word.endswith(("/sh", "/prlimit", "/setpriv"))] == [
        "/usr/bin/sh",
        "/usr/bin/prlimit",
        "/usr/bin/setpriv",
        "/bin/sh",
    ]
    assert "--no-new-privs" in inside
    assert "--unshare-user" in words(Program("b", ("/bin/sh",)), user=None)


@pytest.mark.parametrize(
    "place", ["/root", "/home", "/var", "/tmp", str(ROOT), str(ROOT / "tests")]
)
async def test_of_a_home_or_the_project_only_what_the_bot_needs_is_there(
    place: str, needs_tool: NeedsTool
) -> None:
    needs_tool("bwrap")
    (note,) = set((await contest(escaping("look_into", place), Level.BWRAP)).notes)
    needed = [sys.prefix, sys.base_prefix, str(BOTS), "/tmp/bot"]
    needed += [str(ROOT / package) for package in ("bots", "engine", "protocol")]
    below = [Path(path).relative_to(place) for path in needed if path.startswith(place + "/")]
    if below:
        assert set(note.removeprefix("got ").split()) <= {path.parts[0] for path in below}
    else:
        assert note.startswith("held: FileNotFoundError")


@pytest.mark.parametrize("place", ["/usr/x", "/etc/x", "/x", "/dev/x", str(BOTS / "x")])
async def test_a_bot_can_write_nowhere_else(place: str, needs_tool: NeedsTool) -> None:
    needs_tool("bwrap")
    played = await contest(escaping("write_file", place), Level.BWRAP)
    assert played.notes
    assert all(note.startswith("held") for note in played.notes)


@pytest.mark.parametrize("place", ["/tmp/x", "/tmp/bot/x", "/dev/shm/x"])
async def test_a_bot_can_write_in_places_of_its_own(place: str, needs_tool: NeedsTool) -> None:
    needs_tool("bwrap")
    played = await contest(escaping("write_file", place), Level.BWRAP)
    assert set(played.notes) == {"got it written"}
    assert not Path(place).exists()
