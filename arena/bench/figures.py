"""Figures, and how they are measured: round after round, each probe once a round.

A shared machine drifts. So every round measures everything, and a figure is the median of the
rounds: what is compared was measured side by side.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from msgspec import Struct

Sample: TypeAlias = Callable[[float], Awaitable[Mapping[str, float]]]
"""Measures for about so many seconds; gives a value for each unit, such as `moves/s`."""


class Probe(Struct, frozen=True):
    """Something to measure."""

    group: str
    name: str
    sample: Sample


class Figure(Struct, frozen=True):
    """What was measured."""

    group: str
    name: str
    unit: str
    """`moves/s`, `ms`, …"""
    median: float
    low: float
    high: float
    """The median, the lowest and the highest of the rounds."""


async def measure(
    probes: Sequence[Probe],
    seconds: float,
    rounds: int,
    report: Callable[[Probe], None] = lambda _: None,
) -> list[Figure]:
    """The figures of all probes, in their order.

    Args:
        probes: what to measure.
        seconds: for each probe, over all rounds.
        rounds: how often everything is measured.
        report: is told of each probe before it is measured.
    """
    samples: dict[tuple[str, str, str], list[float]] = {}
    for _ in range(rounds):
        for probe in probes:
            report(probe)
            for unit, value in (await probe.sample(seconds / rounds)).items():
                samples.setdefault((probe.group, probe.name, unit), []).append(value)
    return [
        Figure(*key, median(values), min(values), max(values)) for key, values in samples.items()
    ]
