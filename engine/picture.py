"""What pictures of boards share: SVG elements as text, and colours that follow the page.

A colour is written as a custom property with a fallback, `var(--board-ink, #23272b)`, in a
presentation attribute. So a picture stands alone, and a page that sets the properties has it in
its own light and dark.
"""

from collections.abc import Iterable
from html import escape
from typing import Final

INK: Final = "var(--board-ink, #23272b)"
"""Text and thin lines."""
QUIET: Final = "var(--board-quiet, #62686f)"
"""Text that can wait."""
CELL: Final = "var(--board-cell, #fbf8f1)"
"""The ground of a cell that can be played."""
EDGE: Final = "var(--board-edge, #c9c1b0)"
"""The outline of a cell."""
CLOSED: Final = "var(--board-closed, #e4dccb)"
"""The ground of a cell that cannot be played."""
LIT: Final = "var(--board-lit, #7a1f6b)"
"""What an action brought about."""
ON_LIT: Final = "var(--board-on-lit, #ffffff)"

SEATS: Final = tuple(
    f"var(--seat-{seat}, {colour})"
    for seat, colour in enumerate(("#c2410c", "#173f8f", "#efc24a", "#12815c"))
)
"""Red, blue, yellow, green, told apart with any colour vision. A shape stands beside each."""
ON_SEATS: Final = tuple(
    f"var(--on-seat-{seat}, {colour})"
    for seat, colour in enumerate(("#ffffff", "#ffffff", "#2b2206", "#ffffff"))
)
"""What is drawn on the colour of a seat."""


def element(name: str, *content: str, **attributes: object) -> str:
    """An element around content that is SVG already.

    `stroke_width` stands for `stroke-width`, `class_` for `class`; None leaves an attribute out.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_plain(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(content)}</{name}>" if content else f"<{name}{written}/>"


def _plain(value: object) -> str:
    return f"{round(value, 1):g}" if isinstance(value, float) else escape(str(value))


def text(words: object, x: float, y: float, size: float, **attributes: object) -> str:
    """A line of text, in ink and from its middle unless the attributes say otherwise."""
    style = {"font_size": size, "fill": INK, "text_anchor": "middle"} | attributes
    return element("text", escape(str(words)), x=x, y=y, **style)


def moved(x: float, y: float, *content: str, **attributes: object) -> str:
    """Content drawn around the origin, put elsewhere."""
    return element("g", *content, transform=f"translate({_plain(x)} {_plain(y)})", **attributes)


def cell(name: str, says: str, x: float, y: float, *content: str) -> str:
    """The element of a cell: what a click finds, and what a screen reader says of it."""
    return moved(x, y, element("title", escape(says)), *content, data_at=name, role="img")


def picture(width: float, height: float, says: str, parts: Iterable[str]) -> str:
    """The whole picture, a line for each part: pictures of a match have most lines in common."""
    return element(
        "svg",
        "\n".join(("", *parts, "")),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        role="group",
        aria_label=says,
        font_family="system-ui, sans-serif",
    )
