"""A long run, in small: `make soak` plays 10,000 matches."""

from pathlib import Path

from benchmarks.soak import grown, soak, speeds
from tests.contest import open_to_others


def test_row_74_nothing_grows_in_a_long_run(tmp_path: Path) -> None:
    looks = soak(1500, open_to_others(tmp_path))
    assert looks[-1].matches >= 1500
    assert grown(looks) == []
    first, last = speeds(looks)
    assert last > first / 10
