"""How values are put into words on every page."""

from collections.abc import Sequence
from contextlib import suppress

from arena.store.model import SeatFault
from engine import registry


def signed(value: float) -> str:
    """`+12`, `−3` or `0`."""
    whole = round(value)
    return f"{whole:+d}".replace("-", "−") if whole else "0"


def rating(elo: float | str) -> str:
    """A rating as a whole number; `inf` and `-inf` as signs."""
    if isinstance(elo, str):
        return elo.replace("inf", "∞").replace("-", "−")
    return f"{round(elo):d}".replace("-", "−")


def percent(share: float) -> str:
    """`62 %`, with a decimal near the ends, where it tells."""
    value = 100 * share
    near_an_end = 0 < value < 1 or 99 < value < 100
    return f"{value:.1f} %" if near_an_end else f"{value:.0f} %"


def count(number: int, one: str, many: str = "") -> str:
    """`1 match`, `12,345 matches`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def visible(text: str) -> str:
    """Text of unknown origin: what could hide or steer is written as an escape."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def title_of(game: str) -> str:
    """A game's name for people; of one that is not installed here the name it has."""
    with suppress(registry.UnknownGame):
        return registry.game(game).title
    return visible(game)


def seat_codes(faults: Sequence[SeatFault]) -> list[tuple[int, str]]:
    """Each faulted seat with its code."""
    return [(fault.seat, fault.code) for fault in faults]


def moment(iso: str) -> str:
    """`2026-11-29 19:00` of an ISO time."""
    return visible(iso[:16].replace("T", " "))
