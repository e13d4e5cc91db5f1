"""The animals of Savanna Ten, drawn for this project: heads of simple shapes.

Each fills a square of 100 units around the origin. What it is made of takes `currentColor`; what is
drawn upon it (eyes, stripes, patches) takes the fill and stroke of where it is used. So one drawing
serves on every ground, and in the inverse.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from engine.picture import element
from engine.savanna_ten_wire import Face

Shapes: TypeAlias = tuple[str, ...]


def _path(d: str, **attributes: object) -> str:
    return element("path", d=d, **attributes)


def _disc(x: float, y: float, radius: float, **attributes: object) -> str:
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def _pair(x: float, y: float, radius: float, **attributes: object) -> str:
    """A disc on either side."""
    return _disc(-x, y, radius, **attributes) + _disc(x, y, radius, **attributes)


def _oval(x: float, y: float, width: float, height: float, **attributes: object) -> str:
    return element("ellipse", cx=x, cy=y, rx=width, ry=height, **attributes)


def _body(*shapes: str) -> str:
    return element("g", *shapes, fill="currentColor", stroke="none")


def _strokes(d: str, width: float, **attributes: object) -> str:
    style = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    return _path(d, stroke_width=width, **style, **attributes)


MONKEY: Final[Shapes] = (
    _body(_pair(35, -2, 14), _oval(0, -3, 34, 36)),
    _pair(35, -2, 6.5, stroke="none"),
    _path(
        "M0-13C-6-24-25-23-25-7C-25 1-21 5-22 14C-21 27-11 32 0 32S21 27 22 14C21 5 25 1 25-7"
        "C25-23 6-24 0-13Z",
        stroke="none",
    ),
    _body(_pair(11, -5, 4.5), _pair(3.5, 8, 1.8)),
    _strokes("M-11 17C-6 23 6 23 11 17", 3.5, stroke="currentColor"),
)

ZEBRA: Final[Shapes] = (
    _body(
        _path("M-19-22C-34-28-35-42-30-50C-18-46-11-38-9-29Z"),
        _path("M19-22C34-28 35-42 30-50C18-46 11-38 9-29Z"),
        _path("M-11-30C-9-50 9-50 11-30Z"),
        _path("M-21-26C-28-6-17 12-16 28C-16 54 16 54 16 28C17 12 28-6 21-26C13-38-13-38-21-26Z"),
    ),
    _path("M0-44L5-30L0-12L-5-30Z", stroke="none"),
    _path("M-23-20L-9-13L-24-12ZM23-20L9-13L24-12Z", stroke="none"),
    _path("M-21 4L-6 7L-18.5 12ZM21 4L6 7L18.5 12Z", stroke="none"),
    _path("M-17 18L-6 17L-16 25ZM17 18L6 17L16 25Z", stroke="none"),
    _pair(13, -4, 4, stroke="none"),
    _path("M-13 33C-8 27 8 27 13 33C13 50-13 50-13 33Z", stroke="none"),
    _body(_pair(5, 37, 2.2)),
)

GIRAFFE: Final[Shapes] = (
    _body(
        _pair(11, -43, 6.5),
        _path("M-14-43H-8L-6-26H-15ZM14-43H8L6-26H15Z"),
        _path("M-17-19C-28-32-42-30-47-23C-41-12-28-9-17-13Z"),
        _path("M17-19C28-32 42-30 47-23C41-12 28-9 17-13Z"),
        _path("M-18-26C-24-8-14 6-17 26C-19 52 19 52 17 26C14 6 24-8 18-26C11-34-11-34-18-26Z"),
    ),
    _path("M-6-28L6-28L9-20L0-13L-9-20Z", stroke="none"),
    _path("M-8-9L-2-4L-4 6L-10 4ZM8-9L2-4L4 6L10 4Z", stroke="none"),
    _path("M-5 12L5 12L7 19L0 23L-7 19Z", stroke="none"),
    _pair(14, -13, 4, stroke="none"),
    _oval(-6.5, 32, 2.2, 3.2, stroke="none") + _oval(6.5, 32, 2.2, 3.2, stroke="none"),
    _strokes("M-8 40C-3 43 3 43 8 40", 2.5),
)

ELEPHANT: Final[Shapes] = (
    _body(
        _path("M-15-24C-26-42-50-34-50-8C-50 14-34 30-21 18Z"),
        _path("M15-24C26-42 50-34 50-8C50 14 34 30 21 18Z"),
        _path(
            "M-21-10C-21-44 21-44 21-10C21 4 14 10 12 20C10 28 10 34 14 34C18 34 17 29 21 29"
            "C26 29 26 36 23 40C18 48 3 49-4 38C-11 27-9 16-14 8C-18 3-21-2-21-10Z"
        ),
        _path("M-16 15C-17 27-23 33-29 33C-25 27-24 20-23 11Z"),
        _path("M19 10C19 18 21 23 27 26C24 20 25 14 24 9Z"),
    ),
    _strokes("M-19-25C-26-12-25 4-17 12M19-25C26-12 25 4 17 12", 3),
    _pair(10, -10, 4, stroke="none"),
    _strokes("M-7 20C-2 22 4 22 8 20M-6 28C-1 30 4 29 7 27", 2.5),
)

MOUSE: Final[Shapes] = (
    _body(
        _pair(25, -20, 20),
        _path("M-27 2C-27-28 27-28 27 2C27 20 12 40 0 42C-12 40-27 20-27 2Z"),
    ),
    _pair(26, -21, 11, stroke="none"),
    _pair(11, 4, 4.5, stroke="none"),
    _oval(0, 37, 6.5, 5, stroke="none"),
    _strokes("M-20 24L-42 18M-18 30L-41 33M20 24L42 18M18 30L41 33", 2.5, stroke="currentColor"),
)

_MANE = "".join(
    f"{'L' if point else 'M'}{x} {y}"
    for point, (x, y) in enumerate(
        (
            (0, -50), (12, -43), (25, -43), (31, -31), (43, -25), (43, -12),
            (50, 0), (43, 12), (43, 25), (31, 31), (25, 43), (12, 43),
            (0, 50), (-12, 43), (-25, 43), (-31, 31), (-43, 25), (-43, 12),
            (-50, 0), (-43, -12), (-43, -25), (-31, -31), (-25, -43), (-12, -43),
        )
    )
)  # fmt: skip  # a quarter of the mane in each line

LION: Final[Shapes] = (
    _body(_path(f"{_MANE}Z")),
    _disc(0, 0, 32, stroke="none"),
    _body(_pair(19, -20, 8), _oval(0, 2, 26, 27)),
    _pair(10, -5, 4, stroke="none"),
    _path("M-8 6H8L2 14H-2Z", stroke="none"),
    _strokes("M0 13V18C-2 22-9 22-11 18M0 18C2 22 9 22 11 18", 2.8),
)

ANIMALS: Final[Mapping[Face, Shapes]] = {
    "monkey": MONKEY,
    "zebra": ZEBRA,
    "giraffe": GIRAFFE,
    "elephant": ELEPHANT,
    "mouse": MOUSE,
    "lion": LION,
}
