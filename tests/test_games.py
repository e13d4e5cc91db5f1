"""Every registered game keeps the promises of the interface."""

import pytest

from engine.registry import games
from engine.testing import CHECKS, Check


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_game_keeps_the_promises(name: str, check: Check) -> None:
    check(games()[name])
