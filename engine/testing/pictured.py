"""The board as a picture: that it is safe on a page, and that every cell can be found in it."""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError, fromstring

from engine.game import CHANCE, Effect
from engine.testing.knowledge import sample_twin
from engine.testing.walks import Position, Walk, decode, encode, on_walks
from engine.words import quoted

NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
LARGEST: Final = 64 * 1024
"""Bytes of a picture."""
SHAPES: Final = frozenset(
    (
        *("svg", "g", "defs", "symbol", "use", "title", "desc"),
        *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"),
        *("linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern", "marker"),
    )
)
"""The elements that a picture may have: none runs a program or fetches anything."""
UNSAFE: Final = re.compile(r"on.*|style|src|.*href", re.IGNORECASE)
"""Attributes that could; `href` to a drawing in the picture is allowed."""
ELSEWHERE: Final = re.compile(r"url\((?!#)|javascript:|data:", re.IGNORECASE)


@on_walks
def check_svg(walk: Walk) -> None:
    """`svg` gives a safe picture of every view, the same for equal views, with every cell in it."""
    rng = Random(walk.deal)
    for position in walk.some(4):
        game, state, effects = position.game, position.state, _effects(position)
        views = [game.view(state, seat) for seat in position.audience]
        for view in (*views, game.open_view(state)):
            _check_same(position, view, decode(encode(view), game.view_type), effects)
            for lit in ((), effects):
                _check_picture(position, game.svg(position.table, view, lit))
        if game.to_act(state) in position.seats:
            for seat in position.seats:
                twin = sample_twin(position, seat, rng)
                _check_same(position, views[seat], game.view(twin.state, seat), effects)


def _effects(position: Position) -> tuple[Effect, ...]:
    """What the action that led here brought about."""
    before = position.before
    if before is None:
        return ()
    return tuple(position.game.effects(before.state, position.action, position.state))


def _check_same(position: Position, view: Any, other: Any, effects: tuple[Effect, ...]) -> None:
    svg = position.game.svg
    if svg(position.table, view, effects) != svg(position.table, other, effects):
        position.fail("svg is the same for equal views")


def _check_picture(position: Position, picture: str) -> None:
    if (size := len(picture.encode())) > LARGEST:
        position.fail(f"svg is of at most {LARGEST} bytes, not {size}")
    try:
        root = fromstring(picture)
    except ParseError as error:
        position.fail(f"svg is well-formed XML, but {error}")
    if root.tag != f"{NAMESPACE}svg" or "viewBox" not in root.attrib:
        position.fail("svg is an svg element of the SVG namespace with a viewBox")
    if not root.get("aria-label"):
        position.fail("svg says in aria-label what it shows")
    ids = {element.get("id") for element in root.iter()}
    for element in root.iter():
        for broken in _dangers(element, ids, f"{position.game.name}-"):
            position.fail(f"svg is plain shapes, without {broken}")
    _check_cells(position, root)


def _dangers(element: Element, ids: set[str | None], prefix: str) -> Iterator[str]:
    """What an element must not have, in words."""
    name = str(element.tag).removeprefix(NAMESPACE)
    if name not in SHAPES:
        yield f"{quoted(name)}"
    for key, value in element.attrib.items():
        inside = key == "href" and value.startswith("#") and value[1:] in ids
        if (UNSAFE.fullmatch(key) and not inside) or ELSEWHERE.search(value):
            yield f"{key}={quoted(value)} in {name}"
        if key == "id" and not value.startswith(prefix):
            yield f"the id {quoted(value)}: it begins with {prefix}"


def _check_cells(position: Position, root: Element) -> None:
    """Each cell that an action names is there once, and says what it is."""
    game, state = position.game, position.state
    cells = [element for element in root.iter() if element.get("data-at")]
    places = Counter(element.get("data-at") for element in cells)
    actions = () if game.to_act(state) == CHANCE else game.legal(state)
    for name in {action.partition("@")[2] for action in actions} - {""}:
        if places[name] != 1:
            position.fail(f"svg has one element with data-at={name}, not {places[name]}")
    for element in cells:
        if not element.findtext(f"{NAMESPACE}title"):
            position.fail(
                f"the element of {element.get('data-at')} has a title that says what it is"
            )
