"""What all tests share."""

import os
import shutil

import pytest


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
