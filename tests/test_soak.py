"""A long run, in small: `make soak` plays 10,000 matches, and tells their speed."""

from pathlib import Path

from benchmarks.soak import Look, grown, soak
from tests.arena_cli import UNHURRIED
from tests.contest import open_to_others


def test_row_74_nothing_grows_in_a_long_run(tmp_path: Path) -> None:
    looks = soak(1500, open_to_others(tmp_path), "--workers", "1", *UNHURRIED)
    assert looks[-1].matches >= 1500
    assert grown(looks) == []
    begun, half, nearly_all = looks[0], looks[(len(looks) - 1) // 2], looks[-2]
    assert effort(half, nearly_all) < 3 * effort(begun, half)


def effort(since: Look, to: Look) -> float:
    """Seconds of a core for a match."""
    return (to.cpu_s - since.cpu_s) / (to.matches - since.matches)
