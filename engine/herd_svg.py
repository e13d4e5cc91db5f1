"""Herd as a picture: the hexagon with its stones, the dice, and what is left to do."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import sqrt
from typing import Final, NamedTuple

from engine.game import Effect
from engine.herd_board import board_of
from engine.herd_wire import SEAT_NAMES, HerdView
from engine.picture import CELL, EDGE, INK, LIT, QUIET, cell, element, moved, picture, text

WIDTH: Final = 600
MIDDLE: Final = WIDTH / 2
MARGIN: Final = 40
"""Beside the widest row, for the names of its ends."""
LARGEST: Final = 44
"""The radius of a cell, at most."""
STANDING: Final = 120
"""The height of what stands below the hexagon."""

BLACK, WHITE = "#16181b", "#ffffff"
SIGNS: Final = ("M-22-22L22 22M22-22L-22 22", "M0-26A26 26 0 0 1 0 26A26 26 0 0 1 0-26Z")
"""A cross and a ring, as in the terminal."""

PIPS: Final[Mapping[int, Sequence[tuple[int, int]]]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of a die are; 0: not rolled."""


class Layout(NamedTuple):
    """Where the cells of a board lie."""

    radius: float
    """From the middle of a cell to each of its corners."""
    middles: Mapping[str, tuple[float, float]]
    height: float


def draw_picture(view: HerdView, effects: Sequence[Effect] = ()) -> str:
    """Everything that a view shows, with what was captured and rolled."""
    layout = _lay_out(view.size)
    rolled = any(not effect.cells for effect in effects)
    parts = (
        element("defs", _stone_drawing(0, BLACK, WHITE), _stone_drawing(1, WHITE, BLACK)),
        *_row_names(view.size, layout),
        _cells(view),
        *(_captured(layout, name) for effect in effects for name in effect.cells),
        moved(0, layout.height, _below(view, lit=rolled)),
    )
    return picture(WIDTH, layout.height + STANDING, _summary(view), parts)


def _mover(view: HerdView) -> int:
    return (view.turn - 1) % 2


def _is_over(view: HerdView) -> bool:
    return bool(view.dice) and not view.remove and not view.place


def _summary(view: HerdView) -> str:
    black, white = (f"{name} {n}" for name, n in zip(SEAT_NAMES, view.counts, strict=True))
    if _is_over(view):
        return f"The game is over. Stones: {black}, {white}."
    doing = " and ".join(f"{count} to {task}" for task, _, count in _left(view)) or "to roll"
    return f"Turn {view.turn}, {SEAT_NAMES[_mover(view)]}: {doing}. Stones: {black}, {white}."


def _left(view: HerdView) -> Sequence[tuple[str, int, int]]:
    """What is left to do this turn: the task, whose stones, how many."""
    mover = _mover(view)
    tasks = (("remove", 1 - mover, view.remove), ("place", mover, view.place))
    return [task for task in tasks if task[2]]


# The hexagon


@cache
def _lay_out(size: int) -> Layout:
    """As large as it fits. A step is √3 radii in a row, and one and a half from row to row."""
    radius = min((WIDTH - 2 * MARGIN) / (sqrt(3) * (2 * size - 1)), LARGEST)
    middles = {
        name: (
            MIDDLE + sqrt(3) * radius * (place - (len(row) - 1) / 2),
            6 + radius * (1 + 1.5 * line),
        )
        for line, row in enumerate(board_of(size).rows())
        for place, name in enumerate(row)
    }
    return Layout(radius, middles, height=radius * (3 * size - 1) + 12)


def _hexagon(radius: float) -> str:
    """A hexagon that stands on a corner."""
    wide, high = round(sqrt(3) / 2 * radius, 1), round(radius / 2, 1)
    return f"M0-{2 * high}L{wide}-{high}V{high}L0 {2 * high}L-{wide} {high}V-{high}Z"


def _stone_drawing(seat: int, ground: str, ink: str) -> str:
    """A stone of 100 units."""
    disc = element("circle", r=48, fill=ground, stroke=INK, stroke_width=4)
    sign = element("path", d=SIGNS[seat], fill="none", stroke=ink, stroke_width=7)
    return element("g", disc, sign, id=f"herd-stone-{seat}")


def _stone(seat: int, radius: float) -> str:
    return element("use", href=f"#herd-stone-{seat}", transform=f"scale({radius / 50:.3g})")


def _row_names(size: int, layout: Layout) -> Iterator[str]:
    """The name of the first and the last cell of each row."""
    beside = sqrt(3) / 2 * layout.radius + 5
    for first, *_, last in board_of(size).rows():
        for name, away, anchor in ((first, -beside, "end"), (last, beside, "start")):
            x, y = layout.middles[name]
            yield text(name, x + away, y + 6, 18, fill=QUIET, text_anchor=anchor)


def _cells(view: HerdView) -> str:
    cells = (_cell(view.size, name, view.board.get(name)) for name in _lay_out(view.size).middles)
    return element("g", "\n".join(("", *cells)), fill=CELL, stroke=EDGE, stroke_width=1.5)


@cache
def _cell(size: int, name: str, owner: int | None) -> str:
    layout = _lay_out(size)
    says = f"{name}: {'empty' if owner is None else SEAT_NAMES[owner]}"
    ground = element("path", d=_hexagon(layout.radius - 1), class_="ground")
    stone = () if owner is None else (_stone(owner, 0.66 * layout.radius),)
    return cell(name, says, *layout.middles[name], ground, *stone)


def _captured(layout: Layout, name: str) -> str:
    """A ring, and a cross where the stone was."""
    half = round(layout.radius / 3, 1)
    cross = f"M-{half}-{half}L{half} {half}M{half}-{half}L-{half} {half}"
    lines = element("path", d=_hexagon(layout.radius - 2) + cross)
    x, y = layout.middles[name]
    return moved(x, y, lines, fill="none", stroke=LIT, stroke_width=4, pointer_events="none")


# Below the hexagon


def _below(view: HerdView, *, lit: bool) -> str:
    edge = {"stroke": LIT, "stroke_width": 4} if lit else {"stroke": EDGE, "stroke_width": 1.5}
    square = element("rect", x=-24, y=-24, width=48, height=48, rx=9, fill=CELL, **edge)
    dice = zip(view.dice or (0, 0), (MIDDLE - 29, MIDDLE + 29), strict=True)
    parts = (
        _count(view, 0, 44, 1),
        _count(view, 1, WIDTH - 44, -1),
        *(moved(x, 44, square, *_pips(die)) for die, x in dice),
        "".join(_tasks(view)),
    )
    return "\n".join(("", *parts))


def _count(view: HerdView, seat: int, x: float, inwards: int) -> str:
    """A seat's stone and number of stones, with an arrow where it is its turn."""
    moves = seat == _mover(view) and not _is_over(view)
    arrow = f"M{-38 * inwards}-9l{12 * inwards} 9l{-12 * inwards} 9Z"
    number = element("tspan", str(view.counts[seat]), font_size=32, font_weight=700)
    words = " ".join((number, SEAT_NAMES[seat])[::inwards])
    anchor = "start" if inwards > 0 else "end"
    return moved(
        x,
        44,
        element("path", d=arrow, fill=INK) if moves else "",
        _stone(seat, 20),
        element("text", words, x=32 * inwards, y=10, font_size=22, fill=INK, text_anchor=anchor),
    )


def _pips(die: int) -> Iterator[str]:
    return (element("circle", cx=14 * x, cy=14 * y, r=4.5, fill=INK) for x, y in PIPS[die])


def _tasks(view: HerdView) -> Iterator[str]:
    """What is left to do this turn."""
    tasks = _left(view)
    if not tasks:
        words = "the game is over" if _is_over(view) else "to roll"
        yield text(words, MIDDLE, 103, 22, fill=QUIET)
    for place, (task, seat, count) in enumerate(tasks):
        x = MIDDLE + 18 + 160 * (place - (len(tasks) - 1) / 2)
        yield text(task, x - 22, 103, 22, text_anchor="end")
        yield moved(x, 96, _stone(seat, 14))
        yield text(count, x + 21, 104, 24, text_anchor="start", font_weight=700)
