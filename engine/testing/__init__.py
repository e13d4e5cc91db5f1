"""Does a game keep the promises of `engine.game`? A battery of random play that says where not.

For the authors of games. In the test-suite of a package with a game:

    import pytest
    from engine.testing import CHECKS, Check
    from my_reversi import Reversi

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_reversi_is_a_game(check: Check) -> None:
        check(Reversi())

or all at once, without pytest: `check_game(Reversi(), matches=10)`. A check plays random matches at
a spread of tables: every number of players, every value of an option that can be listed, numbers at
their bounds. Where a promise is broken it raises AssertionError with the promise, the table and the
log that led there; the same seed finds it again.

What no random play can tell is left to the game's own tests: that the rules are the right ones.
"""

from typing import Final

from engine.game import AnyGame
from engine.testing.chances import check_another_process, check_chances, check_deals
from engine.testing.course import (
    check_ending,
    check_legal,
    check_order,
    check_playable,
    check_turns,
)
from engine.testing.declared import check_declaration, check_sides
from engine.testing.knowledge import check_events, check_samples, check_secrets, check_views
from engine.testing.learned import check_actions, check_features
from engine.testing.pictured import check_svg
from engine.testing.refusals import check_refusals
from engine.testing.shown import check_effects, check_text
from engine.testing.states import check_json, check_purity, check_replay
from engine.testing.walks import Check

__all__ = ["CHECKS", "Check", "check_game"]

CHECKS: Final[tuple[Check, ...]] = (
    check_declaration,
    check_sides,
    check_legal,
    check_order,
    check_playable,
    check_turns,
    check_ending,
    check_refusals,
    check_json,
    check_replay,
    check_purity,
    check_chances,
    check_deals,
    check_another_process,
    check_views,
    check_events,
    check_samples,
    check_secrets,
    check_text,
    check_effects,
    check_svg,
    check_actions,
    check_features,
)
"""Every check; later ones rely on what earlier ones found right."""


def check_game(game: AnyGame, seed: int = 0, matches: int = 2) -> None:
    """Run every check with this many random matches at each table.

    Raises:
        AssertionError: the game breaks a promise of the interface.
    """
    for check in CHECKS:
        check(game, seed, matches)
