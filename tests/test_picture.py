"""SVG as text."""

import pytest

from engine.picture import cell, element, moved, picture, text


@pytest.mark.parametrize(
    ("made", "written"),
    [
        (element("path", d="M0 0"), '<path d="M0 0"/>'),
        (element("g", "<path/>", "<path/>"), "<g><path/><path/></g>"),
        (
            element("rect", stroke_width=2, class_="ground"),
            '<rect stroke-width="2" class="ground"/>',
        ),
        (element("g", fill=None), "<g/>"),
        (element("rect", x=1 / 3, y=-2.04, width=40.0), '<rect x="0.3" y="-2" width="40"/>'),
        (element("g", aria_label='"<&'), '<g aria-label="&quot;&lt;&amp;"/>'),
        (
            moved(1.25, 3, "<path/>", fill="red"),
            '<g transform="translate(1.2 3)" fill="red"><path/></g>',
        ),
        (
            text("<b>", 1, 2, 19, text_anchor="end"),
            '<text x="1" y="2" font-size="19" fill="var(--board-ink, #23272b)"'
            ' text-anchor="end">&lt;b&gt;</text>',
        ),
        (
            cell("D2", "D2: <empty>", 10, 20, "<path/>"),
            '<g transform="translate(10 20)" data-at="D2" role="img">'
            "<title>D2: &lt;empty&gt;</title><path/></g>",
        ),
    ],
)
def test_elements(made: str, written: str) -> None:
    assert made == written


def test_a_picture_has_a_line_for_each_part() -> None:
    assert picture(100, 50.5, "a board", ["<path/>", "<g>\n</g>"]).split("\n") == [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50.5" role="group"'
        ' aria-label="a board" font-family="system-ui, sans-serif">',
        "<path/>",
        "<g>",
        "</g>",
        "</svg>",
    ]
