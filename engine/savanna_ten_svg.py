"""Savanna Ten as a picture: the board, what was judged last, and the standing.

A tile has the colour and the shape of its seat, its animal and its influence. A Lion has a frame;
where the view knows the tile under it, that stands small in its corner.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import UNSET

from engine.game import Effect, Table
from engine.picture import (
    CELL,
    CLOSED,
    EDGE,
    INK,
    LIT,
    ON_LIT,
    ON_SEATS,
    QUIET,
    SEATS,
    cell,
    element,
    moved,
    picture,
    text,
)
from engine.savanna_ten_animals import ANIMALS
from engine.savanna_ten_course import variant_of
from engine.savanna_ten_lines import CELLS, COLUMNS, INFLUENCE, ROWS, TILES
from engine.savanna_ten_lines import CLOSED as CLOSED_CELLS
from engine.savanna_ten_text import TEAMS
from engine.savanna_ten_wire import Face, Placed, SavannaOptions, SavannaView

PITCH: Final = 104
"""From a space of the board to the next."""
HALF: Final = 47
"""Half of a space's side."""
LEFT: Final = 84
"""The middle of column A."""
TOP: Final = 84
"""The middle of row 1."""
WIDTH: Final = 556
BOARD: Final = 568
"""The height of the board with its letters."""
STANDING: Final = 48
"""The height of a line of the standing."""

SIGNS: Final = (
    '<circle r="8"/>',
    '<path d="M-7-7H7V7H-7Z"/>',
    '<path d="M0-9L9 7H-9Z"/>',
    '<path d="M0-10L9 0L0 10L-9 0Z"/>',
)
"""The sign of each seat, for whom colours do not tell."""

FRAME: Final = "M-16-38H31Q38-38 38-31V16M16 38H-31Q-38 38-38 31V-16"
"""The frame of a Lion, open where the sign and the influence stand."""

TREE: Final = (
    "M-34-8C-34-22-20-26-12-25C-6-33 12-33 18-25C28-27 36-18 34-9C20-13 8-12 2-11L0 4"
    "L14-8L17-6L1 12L4 34H-8L-4 10L-18-6L-15-8L-4 2L-4-10C-12-12-22-12-34-8Z"
)
"""An acacia, where no tile may lie."""


def draw_picture(
    table: Table[SavannaOptions], view: SavannaView, effects: Sequence[Effect] = ()
) -> str:
    """Everything that a view shows, and the lines that were just judged."""
    rows = [*_standing(table, view), *_own_tiles(view)]
    lines = [effect for effect in effects if effect.cells]
    parts = (
        *(_animals(), *_names(), *_closed()),
        *(_band(line.cells) for line in lines),
        *(_cell(view, name) for name in CELLS),
        *_judged(lines),
        *_below(rows),
    )
    height = BOARD + 24 + STANDING * len(rows)
    return picture(WIDTH, height, _summary(table, view), parts)


def _summary(table: Table[SavannaOptions], view: SavannaView) -> str:
    names = TEAMS if table.options.teams else [f"seat {side}" for side in range(len(view.scores))]
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, view.scores, strict=True))
    if view.turn > len(CELLS):
        return f"The board is full. Points: {scores}."
    return f"Turn {view.turn}, seat {_mover(table, view)} to place. Points: {scores}."


def _mover(table: Table[SavannaOptions], view: SavannaView) -> int | None:
    return None if view.turn > len(CELLS) else (view.turn - 1) % table.players


# The board


def _animals() -> str:
    groups = (element("g", *shapes, id=f"savanna-ten-{name}") for name, shapes in ANIMALS.items())
    return element("defs", *groups)


def _animal(name: Face, x: float, y: float, scale: float, ink: str, ground: str) -> str:
    return element(
        "use",
        href=f"#savanna-ten-{name}",
        transform=f"translate({x:g} {y:g}) scale({scale:g})",
        color=ink,
        fill=ground,
        stroke=ground,
    )


def _names() -> Iterator[str]:
    for number, (column, row) in enumerate(zip(COLUMNS, ROWS, strict=True)):
        along = number * PITCH
        yield text(column, LEFT + along, 24, 21, fill=QUIET)
        yield text(row, 16, TOP + along + 7, 21, fill=QUIET)


def _middle(name: str) -> tuple[int, int]:
    return LEFT + PITCH * COLUMNS.index(name[0]), TOP + PITCH * ROWS.index(name[1])


def _square(half: float, radius: float, fill: str, **attributes: object) -> str:
    side = 2 * half
    place = {"x": -half, "y": -half, "width": side, "height": side, "rx": radius}
    return element("rect", **place, fill=fill, **attributes)


def _closed() -> Iterator[str]:
    tree = element("path", d=TREE, fill=EDGE)
    for name in CLOSED_CELLS:
        yield moved(*_middle(name), _square(HALF, 12, CLOSED), tree)


def _cell(view: SavannaView, name: str) -> str:
    says, content = _space(view, name)
    ground = _square(HALF, 12, CELL, stroke=EDGE, stroke_width=1.5, class_="ground")
    return cell(name, says, *_middle(name), ground, *content)


def _space(view: SavannaView, name: str) -> tuple[str, Sequence[str]]:
    """What a cell says, and what lies on it."""
    placed = getattr(view.board, name)
    if placed is UNSET:
        return f"{name}: empty", (text(name, 0, 8, 22, fill=QUIET, opacity=0.7),)
    known = view.hidden if view.open_hidden is UNSET else view.open_hidden
    under = getattr(known, name, UNSET)
    says = f"{name}: {placed.side} of seat {placed.seat}, influence {INFLUENCE[placed.side]}"
    if under is UNSET:
        return says, tuple(_tile(placed))
    return f"{says}, {under} under it", (*_tile(placed), *_peek(placed.seat, under))


def _tile(placed: Placed) -> Iterator[str]:
    ground, ink = SEATS[placed.seat], ON_SEATS[placed.seat]
    yield _square(43, 11, ground, stroke=INK, stroke_opacity=0.35)
    if placed.side == "lion":
        yield element("path", d=FRAME, fill="none", stroke=ink, stroke_width=2)
    yield _animal(placed.side, 0, 1, 0.62, ink, ground)
    yield moved(-30, -30, SIGNS[placed.seat], fill=ink)
    yield text(INFLUENCE[placed.side], 30, 37, 23, fill=ink, font_weight=700)


def _peek(seat: int, under: Face) -> Iterator[str]:
    """The tile under a Lion, as a badge."""
    ground, ink = SEATS[seat], ON_SEATS[seat]
    yield element("circle", cx=-29, cy=29, r=18, fill=ink, stroke=ground, stroke_width=3)
    yield _animal(under, -29, 29, 0.24, ground, ink)


# What was judged


def _judged(lines: Sequence[Effect]) -> Iterator[str]:
    """A ring around each tile of the lines, and at an end of each line its points."""
    for name in sorted({name for line in lines for name in line.cells}):
        ring = _square(HALF, 12, "none", stroke=LIT, stroke_width=5)
        yield moved(*_middle(name), ring, pointer_events="none")
    shared = set(lines[0].cells).intersection(*(line.cells for line in lines)) if lines else set()
    for line in lines:
        first, *_, last = line.cells
        x, y = _middle(first if last in shared else last)
        for place, (side, points) in enumerate(line.points.items()):
            yield _gain(side, points, x + 22 - 56 * place, y - 36)


def _band(cells: Sequence[str]) -> str:
    (x1, y1), (x2, y2) = _middle(cells[0]), _middle(cells[-1])
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return element("line", **ends, stroke=LIT, stroke_width=16, stroke_linecap="round")


def _gain(side: int, points: int, x: float, y: float) -> str:
    """Points with the colour and the sign of their side; a team has those of its first seat."""
    ground, ink = SEATS[side], ON_SEATS[side]
    pill = {"x": -27, "y": -15, "width": 54, "height": 30, "rx": 15}
    return moved(
        x,
        y,
        element("rect", **pill, fill=ground, stroke=ON_LIT, stroke_width=2),
        element("g", SIGNS[side], transform="translate(-13 0) scale(.75)", fill=ink),
        text(f"+{points}", 9, 7, 19, fill=ink, font_weight=700),
        pointer_events="none",
    )


# Below the board


def _below(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    heads = (("points", 240), ("Lions", 310), ("hand", 394), ("pile", 508))
    yield moved(0, BOARD, *(text(head, x, 13, 18, fill=QUIET) for head, x in heads))
    for number, row in enumerate(rows):
        yield moved(0, BOARD + 24 + STANDING * number + STANDING / 2, *row)


def _standing(table: Table[SavannaOptions], view: SavannaView) -> Iterator[Sequence[str]]:
    """A line for each seat: who it is, its points and Lions, what it holds."""
    for seat, side in enumerate(variant_of(table).sides):
        name = f"Seat {seat}" + (f", {TEAMS[side]}" if table.options.teams else "")
        known = () if view.open_hands is UNSET else view.open_hands[seat]
        mover = '<path d="M4-8L14 0L4 8Z"/>' if seat == _mover(table, view) else ""
        yield (
            element("g", mover, fill=INK) if mover else "",
            moved(40, 0, _square(18, 6, SEATS[seat])),
            moved(40, 0, SIGNS[seat], fill=ON_SEATS[seat]),
            text(name, 66, 7, 21, text_anchor="start"),
            text(view.scores[side], 240, 9, 27, font_weight=700),
            text(view.lions[side], 310, 8, 22),
            *_hand(view.hands[seat], known, SEATS[seat], ON_SEATS[seat]),
            *_stack(view.piles[seat]),
        )


def _hand(count: int, known: Sequence[Face], ground: str, ink: str) -> Iterator[str]:
    """The tiles of a hand, from the back where they are not known."""
    for place in range(count):
        x = 394 + 44 * (place - (count - 1) / 2)
        if known:
            yield moved(x, 0, _square(19, 6, ground))
            yield _animal(known[place], x, 0, 0.32, ink, ground)
        else:
            back = _square(19, 6, CLOSED, stroke=EDGE, stroke_width=1.5)
            yield moved(x, 0, back, text("?", 0, 7, 20, fill=QUIET))


def _stack(count: int) -> Iterator[str]:
    for height in range(min(count, 3)):
        back = _square(15, 5, CLOSED, stroke=EDGE, stroke_width=1.5)
        yield moved(490 + 2.5 * height, 2.5 - 2.5 * height, back)
    yield text(count, 530, 8, 22, fill=INK if count else QUIET)


def _own_tiles(view: SavannaView) -> Iterator[Sequence[str]]:
    """What a seat knows of its own."""
    if view.hand is UNSET or view.pile is UNSET:
        return
    pile = [(kind, count) for kind in TILES if (count := getattr(view.pile, kind))]
    yield (
        text("Your hand" if view.hand else "Your hand is empty", 66, 7, 21, text_anchor="start"),
        *(_own_tile(tile, 200 + 48 * place) for place, tile in enumerate(view.hand)),
        text("Your pile" if pile else "Your pile is empty", 296, 7, 21, text_anchor="start"),
        *(_own_pile(kind, count, 412 + 34 * place) for place, (kind, count) in enumerate(pile)),
    )


def _own_tile(tile: Face, x: float) -> str:
    square = moved(x, 0, _square(20, 6, CELL, stroke=INK, stroke_width=1.5))
    return square + _animal(tile, x, 0, 0.34, INK, CELL)


def _own_pile(kind: Face, count: int, x: float) -> str:
    return _animal(kind, x, -7, 0.29, INK, CELL) + text(count, x, 24, 17)
