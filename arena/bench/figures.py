"""Figures, and how they are measured: round after round, each probe once a round.

A shared machine drifts. So every round measures everything, and a figure is the median of the
rounds: what is compared was measured side by side.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from msgspec import Struct

from engine.guarded import GameFault

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
    leave_out: Callable[[str], None] = lambda _: None,
) -> list[Figure]:
    """The figures of all probes, in their order, but of those whose game breaks.

    Args:
        probes: what to measure.
        seconds: for each probe, over all rounds.
        rounds: how often everything is measured.
        report: is told of each probe before it is measured.
        leave_out: is told in a sentence how the game of a probe broke.
    """
    samples: dict[Probe, dict[str, list[float]]] = {probe: {} for probe in probes}
    for _ in range(rounds):
        for probe in tuple(samples):
            report(probe)
            try:
                values = await probe.sample(seconds / rounds)
            except GameFault as fault:
                leave_out(str(fault))
                del samples[probe]
                continue
            for unit, value in values.items():
                samples[probe].setdefault(unit, []).append(value)
    return [
        Figure(probe.group, probe.name, unit, median(values), min(values), max(values))
        for probe, by_unit in samples.items()
        for unit, values in by_unit.items()
    ]
