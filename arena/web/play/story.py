"""What happened at a table, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Effect


def told(
    event: Mapping[str, Any], effects: Sequence[Effect], names: Sequence[str], sides: Sequence[int]
) -> str:
    """A line about an event as somebody saw it; empty where there is nothing to tell.

    Args:
        event: what a game's `redact` gave.
        effects: what came of it.
        names: who sits in each seat.
        sides: the side of each seat.
    """
    seat = event.get("seat")
    who = f"{names[seat]}: " if isinstance(seat, int) and 0 <= seat < len(names) else ""
    lit = [_effect(effect, names, sides) for effect in effects]
    if "action" in event:
        return who + "; ".join([action_text(str(event["action"])), *lit])
    own = [f"{key} {value}" for key, value in event.items() if _is_plain(key, value)]
    return who + "; ".join(lit or own) if lit or own else ""


def action_text(action: str) -> str:
    """`zebra/lion@D2` as `zebra / lion on D2`."""
    what, at, cell = action.partition("@")
    words = what.replace("/", " / ")
    return f"{words} on {cell}" if at else words


def _is_plain(key: str, value: Any) -> bool:
    """Whether an entry of an event says something in a word or a number."""
    return key != "seat" and isinstance(value, str | int) and not isinstance(value, bool)


def _effect(effect: Effect, names: Sequence[str], sides: Sequence[int]) -> str:
    cells = f" ({' '.join(effect.cells)})" if effect.cells else ""
    gained = ", ".join(
        f"+{points} for {_side(side, names, sides)}" for side, points in effect.points.items()
    )
    return effect.label + cells + (f": {gained}" if gained else "")


def _side(side: int, names: Sequence[str], sides: Sequence[int]) -> str:
    """Who is on a side."""
    return " and ".join(name for name, own in zip(names, sides, strict=True) if own == side)
