"""Small pictures in figures: drawn here as SVG, coloured by the style sheet."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, floor, log10

from markupsafe import Markup
from msgspec import Struct

WHISKER = (160, 18)
"""Width and height of a rating with its error."""
CHART = (640, 220)
MARGIN_LEFT, MARGIN_BELOW, MARGIN = 58, 30, 12


class Scale(Struct, frozen=True):
    """From values to places on a line."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a value stands."""
        share = (value - self.low) / (self.high - self.low or 1)
        return round(self.start + share * (self.end - self.start), 1)


def whisker(elo: float, error: float | None, low: float, high: float) -> Markup:
    """A rating as a dot, its 95 % interval as a line; `low` and `high` are the table's ends."""
    width, height = WHISKER
    at = Scale(low, high, 6, width - 6)
    middle = height / 2
    drawn = [_line("zero", at(0), 2, at(0), height - 2)] if low < 0 < high else []
    if error is not None:
        left, right = at(elo - error), at(elo + error)
        drawn.append(_line("bar", left, middle, right, middle))
        drawn += [_line("bar", x, middle - 4, x, middle + 4) for x in (left, right)]
    drawn.append(Markup('<circle class="dot" cx="{}" cy="{}" r="4"/>').format(at(elo), middle))
    return _svg("whisker", width, height, drawn)


def history(matches: Sequence[int], ratings: Sequence[float], label: str) -> Markup:
    """A rating from match to match."""
    width, height = CHART
    low, high = floor(min(ratings) / 50) * 50, ceil(max(ratings) / 50) * 50
    x = Scale(0, matches[-1], MARGIN_LEFT, width - MARGIN)
    y = Scale(low, max(high, low + 50), height - MARGIN_BELOW, MARGIN)
    points = " ".join(f"{x(m)},{y(r)}" for m, r in zip(matches, ratings, strict=True))
    drawn = [*_grid(y, x.start, x.end), *_stops(x, height - 6)]
    drawn.append(Markup('<polyline class="curve" points="{}"/>').format(points))
    drawn.append(
        Markup('<circle class="dot" cx="{}" cy="{}" r="4"/>').format(x(matches[-1]), y(ratings[-1]))
    )
    return _svg("chart", width, height, drawn, label)


def steps(low: float, high: float, most: int) -> list[float]:
    """Round values between two, evenly spaced, at most so many intervals."""
    span = max(high - low, 1e-9)
    rough = 10 ** floor(log10(span / most))
    step = next(rough * k for k in (1, 2, 5, 10) if span / (rough * k) <= most)
    first = ceil(low / step)
    return [step * k for k in range(first, floor(high / step) + 1)]


def _grid(y: Scale, left: float, right: float) -> Iterable[Markup]:
    for value in steps(y.low, y.high, 5):
        yield _line("grid", left, y(value), right, y(value))
        yield _text("tick end", left - 6, y(value) + 4, f"{value:g}")


def _stops(x: Scale, y: float) -> Iterable[Markup]:
    values = steps(x.low, x.high, 6)
    for value in values:
        end = "end" if x(value) > x.end - 20 else "middle" if value else "start"
        yield _text(f"tick {end}", x(value), y, f"{value:,.0f}")


def bar(parts: Sequence[tuple[str, float]]) -> Markup:
    """A bar of 100 in parts, each with a class and its share."""
    ends = [0.0]
    for _, share in parts:
        ends.append(ends[-1] + 100 * share)
    drawn = [
        Markup('<rect class="{}" x="{:.1f}" y="0" width="{:.1f}" height="8"/>').format(
            name, start, end - start
        )
        for (name, _), (start, end) in zip(parts, pairwise(ends), strict=True)
        if end > start
    ]
    return _svg("share", 100, 8, drawn)


def _svg(
    kind: str, width: float, height: float, drawn: Iterable[Markup], label: str = ""
) -> Markup:
    """A picture; without a label it only repeats what stands beside it in words."""
    role = Markup('role="img" aria-label="{}"').format(label) if label else 'aria-hidden="true"'
    return Markup('<svg class="{}" viewBox="0 0 {} {}" {}>{}</svg>').format(
        kind, width, height, Markup(role), Markup("").join(drawn)
    )


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(kind, x1, y1, x2, y2)


def _text(kind: str, x: float, y: float, text: str) -> Markup:
    return Markup('<text class="{}" x="{}" y="{}">{}</text>').format(kind, x, y, text)
