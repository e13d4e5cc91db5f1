"""Pictures of games for who has not played them yet."""

import pytest

from arena.web.play.preview import at_the_start, in_progress
from engine import registry
from engine.options import make_table


@pytest.mark.parametrize("name", registry.games())
def test_a_game_in_progress_has_more_on_its_board_than_one_that_begins(name: str) -> None:
    game = registry.game(name)
    start = at_the_start(game, make_table(game, game.players[0], {}))
    going = in_progress(game)
    assert start.startswith("<svg")
    assert len(going) > len(start)


@pytest.mark.parametrize("name", registry.games())
def test_it_is_always_the_same_and_shows_no_hand(name: str) -> None:
    game = registry.game(name)
    assert in_progress(game) == in_progress.__wrapped__(game)
    assert "Your hand" not in in_progress(game)
