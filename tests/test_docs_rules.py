"""The pictures of the rules are what the games draw, and the rules' pages show them all.

`python -m tests.test_docs_rules` draws docs/pictures anew.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine.game import Table
from engine.herd import Herd, HerdState
from engine.herd_board import board_of
from engine.herd_wire import HerdOptions
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_course import tile_set
from engine.savanna_ten_lines import TILES
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_wire import Board, Face, Hidden, Pile, Placed, SavannaOptions, SavannaView
from engine.savanna_ten_wire import Tile as Kind

DOCS: Final = Path(__file__).parent.parent / "docs"
PICTURES: Final = DOCS / "pictures"
SAVANNA, SAVANNA_TABLE = SavannaTen(), Table(SavannaOptions(), 2)
HERD = Herd()
CREDITS: Final = {"savanna-ten": SAVANNA.credit, "herd": HERD.credit}


# Savanna Ten: seat 0 is to place the fifth tile


def savanna_view(tiles: Mapping[str, tuple[int, Face]], hand: tuple[Kind, Kind]) -> SavannaView:
    """What seat 0 sees when each of two seats has placed two tiles; under its Lions are zebras."""
    own = [side for seat, side in tiles.values() if seat == 0]
    shown = [*hand, *("zebra" if side == "lion" else side for side in own)]
    under: dict[str, Kind] = {cell: "zebra" for cell, tile in tiles.items() if tile == (0, "lion")}
    left = {tile: tile_set(2, "off").count(tile) - shown.count(tile) for tile in TILES}
    return SavannaView(
        turn=5,
        board=Board(**{cell: Placed(seat, side) for cell, (seat, side) in tiles.items()}),
        scores=(0, 0),
        lions=tuple(sum(tile == (seat, "lion") for tile in tiles.values()) for seat in (0, 1)),
        hand=hand,
        hidden=Hidden(**under),
        pile=Pile(**left),
        hands=(2, 2),
        piles=(6, 6),
    )


def judged(tiles: Mapping[str, tuple[int, Face]], tile: Kind) -> str:
    """Seat 0 completes column A with a tile on A5."""
    before = SAVANNA.sample(SAVANNA_TABLE, savanna_view(tiles, (tile, tile)), 0, Random(0))
    after = SAVANNA.apply(before, f"{tile}@A5")
    effects = SAVANNA.effects(before, f"{tile}@A5", after)
    return SAVANNA.svg(SAVANNA_TABLE, SAVANNA.view(after, None), effects)


def savanna_pictures() -> dict[str, str]:
    """By name."""
    empty: SavannaState = SAVANNA.initial(SAVANNA_TABLE)
    lion = savanna_view(
        {"B3": (0, "monkey"), "C2": (1, "giraffe"), "D3": (0, "lion"), "B5": (1, "lion")},
        ("monkey", "elephant"),
    )
    everybody = SAVANNA.view(SAVANNA.sample(SAVANNA_TABLE, lion, 0, Random(0)), None)
    return {
        "board": SAVANNA.svg(SAVANNA_TABLE, SAVANNA.view(empty, None)),
        "under-ten": judged(
            {"A1": (0, "zebra"), "A2": (1, "giraffe"), "A3": (1, "monkey"), "D4": (0, "monkey")},
            "giraffe",
        ),
        "over-ten": judged(
            {"A1": (0, "elephant"), "A2": (1, "giraffe"), "A3": (1, "monkey"), "D4": (0, "monkey")},
            "zebra",
        ),
        "exactly-ten": judged(
            {"A1": (1, "elephant"), "A2": (1, "zebra"), "A3": (0, "monkey"), "D4": (0, "monkey")},
            "zebra",
        ),
        "lion-seen-by-its-seat": SAVANNA.svg(SAVANNA_TABLE, lion),
        "lion-seen-by-others": SAVANNA.svg(SAVANNA_TABLE, everybody),
    }


# Herd: on a small board


def herd(black: str, white: str, dice: tuple[int, ...], remove: int, place: int) -> HerdState:
    """Black is to move on a board of size 3."""
    cells = board_of(3).cells
    stones = [sum(cells[name].bit for name in side.split()) for side in (black, white)]
    return HerdState(3, 1000, 3, (stones[0], stones[1]), dice, remove, place)


def herd_picture(state: HerdState, action: str | None = None) -> str:
    """The state, or what an action makes of it."""
    after = HERD.apply(state, action) if action else state
    effects = HERD.effects(state, action, after) if action else ()
    return HERD.svg(Table(HerdOptions(state.size), 2), HERD.view(after, None), effects)


def herd_pictures() -> dict[str, str]:
    """By name."""
    rolled = herd("A4 B3 C2", "A3 C4 D3 E1", (2, 5), 2, 5)
    removed = herd("A4 B3 C2", "A3 D3", (2, 5), 0, 5)
    return {
        "board": herd_picture(HERD.initial(Table(HerdOptions(), 2))),
        "rolled": herd_picture(rolled),
        "removed": herd_picture(removed),
        "captured": herd_picture(removed, "place@B2"),
        "forbidden": herd_picture(herd("C2", "A4 B2 B3 C1", (1, 1), 0, 1)),
    }


def pictures() -> dict[str, str]:
    """By file name."""
    games = {"savanna-ten": savanna_pictures(), "herd": herd_pictures()}
    return {
        f"{game}-{name}.svg": _on_white(picture)
        for game, of_game in games.items()
        for name, picture in of_game.items()
    }


def _on_white(picture: str) -> str:
    """On the dark page of a reader its ink could not be seen."""
    return picture.replace("<svg ", '<svg style="background:#fff" ', 1) + "\n"


@pytest.mark.parametrize("name", pictures())
def test_a_picture_is_what_the_game_draws(name: str) -> None:
    drawn = (PICTURES / name).read_text(encoding="utf-8")
    assert drawn == pictures()[name], "python -m tests.test_docs_rules draws it anew"


def test_every_picture_is_shown() -> None:
    pages = "".join((DOCS / f"rules-{game}.md").read_text() for game in CREDITS)
    assert set(re.findall(r'src="pictures/([^"]+)"', pages)) == set(pictures())
    assert {path.name for path in PICTURES.iterdir()} == set(pictures())


@pytest.mark.parametrize(("game", "credit"), CREDITS.items())
def test_the_rules_name_who_designed_the_game(game: str, credit: str) -> None:
    designer, *_ = re.split(r"[,(]", credit)
    assert designer.strip() in (DOCS / f"rules-{game}.md").read_text()


if __name__ == "__main__":
    for name, picture in pictures().items():
        (PICTURES / name).write_text(picture, encoding="utf-8")
