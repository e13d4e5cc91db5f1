"""The board for a terminal."""

import pytest

from engine.game import Table
from engine.savanna_ten_wire import SavannaOptions
from tests.savanna_ten_games import (
    EXAMPLE,
    GAME,
    GOLDEN,
    RECORDS,
    TABLES,
    name_of,
    random_game,
    replayed,
    table,
)

PICTURE = """\
         A              B              C              D              E
  ┌──────────────┬──────────────┬──────────────┬──────────────┬──────────────┐
1 │      A1      │░░░░░░░░░░░░░░│      C1      │      D1      │      E1      │
  │              │░░░░░░░░░░░░░░│              │              │              │
  ├──────────────┼──────────────┼──────────────┼──────────────┼──────────────┤
2 │      A2      │      B2      │      C2      │ 0 monkey   1 │░░░░░░░░░░░░░░│
  │              │              │              │              │░░░░░░░░░░░░░░│
  ├──────────────┼──────────────┼──────────────┼──────────────┼──────────────┤
3 │      A3      │ 0 giraffe  3 │░░░░░░░░░░░░░░│      D3      │ 1 LION     4 │
  │              │              │░░░░░░░░░░░░░░│              │              │
  ├──────────────┼──────────────┼──────────────┼──────────────┼──────────────┤
4 │░░░░░░░░░░░░░░│ 0 LION     4 │      C4      │ 1 monkey   1 │ 1 LION     4 │
  │░░░░░░░░░░░░░░│   (giraffe)  │              │              │              │
  ├──────────────┼──────────────┼──────────────┼──────────────┼──────────────┤
5 │ 1 zebra    2 │      B5      │      C5      │░░░░░░░░░░░░░░│ 0 zebra    2 │
  │              │              │              │░░░░░░░░░░░░░░│              │
  └──────────────┴──────────────┴──────────────┴──────────────┴──────────────┘

Turn 9: seat 0 places a tile.
seat              score  lions   hand   pile
0                     0      1      2      4
1                     0      2      2      4

Your hand: monkey, elephant
Your pile: 2 monkey, 2 zebra"""


def test_the_view_of_a_seat() -> None:
    assert GAME.text(table(), GAME.view(EXAMPLE, 0)) == PICTURE


def test_a_spectator_sees_no_hidden_tile_and_no_hand() -> None:
    public, _, _ = PICTURE.rpartition("\n\n")
    assert GAME.text(table(), GAME.view(EXAMPLE, None)) == public.replace(
        "   (giraffe)  ", " " * 14
    )


def test_the_open_view_shows_every_hand_and_every_hidden_tile() -> None:
    text = GAME.text(table(), GAME.open_view(EXAMPLE))
    assert text.count("(giraffe)") == 2
    assert text.count("(zebra)") == 1
    assert text.splitlines()[-2:] == [
        "0                     0      1      2      4  monkey, elephant",
        "1                     0      2      2      4  zebra, giraffe",
    ]


def test_team_play_names_the_teams_and_their_scores() -> None:
    record = next(r for r in RECORDS if r["options"] == {"mouse": "replace", "teams": True})
    state = replayed(record)
    warm, cool = state.scores
    assert warm != cool
    lines = GAME.text(state.table, GAME.view(state, None)).splitlines()
    assert [line.split()[:4] for line in lines[-4:]] == [
        ["0", "Warm,", "red", str(warm)],
        ["1", "Cool,", "blue", str(cool)],
        ["2", "Warm,", "yellow", str(warm)],
        ["3", "Cool,", "green", str(cool)],
    ]


def test_the_end() -> None:
    state = replayed(GOLDEN)
    assert "\nThe board is full.\n" in GAME.text(state.table, GAME.view(state, None))
    assert GAME.text(state.table, GAME.view(state, 0)).endswith(
        "Your hand: mouse\nYour pile: empty"
    )


def test_an_empty_hand() -> None:
    start = GAME.initial(table())
    assert "Your hand: empty\n" in GAME.text(table(), GAME.view(start, 0))


@pytest.mark.parametrize("of", TABLES, ids=name_of)
def test_it_fits_80_columns(of: Table[SavannaOptions]) -> None:
    for state, _ in random_game(of, seed=1):
        for view in (GAME.view(state, 0), GAME.open_view(state)):
            lines = GAME.text(of, view).splitlines()
            assert max(map(len, lines)) <= 80
            assert not any(line.endswith(" ") for line in lines)
