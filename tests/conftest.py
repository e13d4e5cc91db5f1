"""What all tests share."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.arena_cli import Arena

settings.register_profile(  # the same examples each time, on the busiest of machines
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


@pytest.fixture
def needs_tool() -> "NeedsTool":
    """Ask for a program of the system: missing, it skips the test, and fails it in CI."""
    return NeedsTool()


class NeedsTool:
    def __call__(self, *names: str) -> None:
        for name in names:
            if shutil.which(name) is None:
                if os.environ.get("CI"):
                    pytest.fail(f"{name} is missing, and CI has to bring it")
                pytest.skip(f"{name} is missing")


@pytest.fixture
def never_void(monkeypatch: pytest.MonkeyPatch) -> None:
    """No match is void because the host is busy: what is tested comes true later then."""
    monkeypatch.setattr("arena.referee.exchange.STARVED", 600.0)


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    """The command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for variable in ("ARENA_STORE", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    return Arena(tmp_path, capsys)
