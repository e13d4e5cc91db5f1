"""Programs that cannot be executed are refused before anything is played: rows 1 to 6."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from arena.referee.faults import CannotStart
from arena.referee.process import spawn
from arena.referee.program import Program, check_executable
from arena.referee.sandbox import Level
from tests.conftest import NeedsTool
from tests.contest import BOTS, contest


def script(folder: Path, first_line: str | bytes, *, mode: int = 0o755) -> Path:
    """A file called `bot` that begins with this."""
    path = folder / "bot"
    path.write_bytes(first_line.encode() if isinstance(first_line, str) else first_line)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("content", "mode", "reason"),
    [
        pytest.param(None, 0, "{} does not exist", id="1-not-found"),
        pytest.param(
            "#!/bin/sh\n", 0o644, "{} is not executable; chmod +x makes it so", id="2-mode"
        ),
        pytest.param("folder", 0, "{} is a folder, not a program", id="2-directory"),
        pytest.param(
            "#!/opt/no/python\n",
            0o755,
            "the first line of {} names /opt/no/python, which is not there",
            id="3-bad-shebang",
        ),
        pytest.param("#!\n", 0o755, "the first line of {} names nothing", id="3-empty-shebang"),
        pytest.param("#!/usr\n", 0o755, "names /usr, which is not there", id="3-folder-shebang"),
        pytest.param(
            "#!/bin/sh\r\n",
            0o755,
            "the first line of {} ends in a carriage return; save it with Unix ends",
            id="3-carriage-return",
        ),
        pytest.param(
            "echo hello\n",
            0o755,
            "{} is a script without a first line; start it with one such as #!/usr/bin/env python3",
            id="4-no-shebang",
        ),
        pytest.param("", 0o755, "{} is empty; start it with", id="4-empty"),
    ],
)
def test_row(content: str | None, mode: int, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "bot"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        script(tmp_path, content, mode=mode)
    if mode == 0o644 and os.geteuid() == 0:
        assert not os.access(path, os.X_OK)  # root too needs one bit
    with pytest.raises(CannotStart) as caught:
        check_executable(Program("mine", (str(path),)))
    assert str(caught.value).startswith("bot mine cannot be executed: ")
    assert reason.format(path) in str(caught.value)


def test_row_5_a_folder_that_is_missing(tmp_path: Path) -> None:
    program = Program("mine", (sys.executable,), folder=str(tmp_path / "gone"))
    with pytest.raises(CannotStart, match=f"its folder {tmp_path}/gone does not exist"):
        check_executable(program)


STRANGE = ["with space", "quo'te\"s", "ünï→cødé", "semi;$(touch x)`"]


@pytest.mark.parametrize("level", [Level.PROCESS, Level.BWRAP])
@pytest.mark.parametrize("name", [pytest.param(name, id=f"6-{name}") for name in STRANGE])
async def test_row_6_strange_paths_are_fine(
    name: str, level: Level, tmp_path: Path, needs_tool: NeedsTool
) -> None:
    if level is Level.BWRAP:
        needs_tool("bwrap")
    folder = tmp_path / name
    folder.mkdir()
    for file in ("hostile.py", "speaking.py"):
        shutil.copy(BOTS / file, folder)
    (folder / name).write_text(f"#!/bin/sh\nexec {sys.executable} -S -E hostile.py\n")
    (folder / name).chmod(0o755)
    link = tmp_path / f"link to {name}"
    link.symlink_to(folder)
    program = Program("bad", (str(link / name),), folder=str(link))
    check_executable(program)
    assert (await contest(program, level)).code is None


async def test_a_program_that_vanished_is_refused(tmp_path: Path) -> None:
    path = script(tmp_path, "#!/bin/sh\n")
    program = Program("mine", (str(path),))
    check_executable(program)
    path.unlink()
    with pytest.raises(CannotStart, match=r"bot mine cannot be executed: .*No such file"):
        spawn(program, Level.PROCESS)


@pytest.mark.parametrize("interpreter", ["/usr/bin/env sh", "/bin/sh -e", "/bin/sh"])
def test_an_interpreter_may_have_arguments(interpreter: str, tmp_path: Path) -> None:
    check_executable(Program("mine", (str(script(tmp_path, f"#! {interpreter}\n")),)))


def test_a_program_in_machine_code_is_fine() -> None:
    check_executable(Program("mine", ("/bin/sh",)))


def test_escapes_in_a_path_are_shown_escaped(tmp_path: Path) -> None:
    with pytest.raises(CannotStart) as caught:
        check_executable(Program("mine", (str(tmp_path / "\x1b[2J"),)))
    assert "\\x1b[2J does not exist" in str(caught.value)
