"""Durations and sizes as people write them."""

import pytest

from arena.units import UnitError, duration, size


@pytest.mark.parametrize(
    ("words", "milliseconds"),
    [("200ms", 200), ("1s", 1000), ("1.5s", 1500), ("2m", 120_000), ("1h", 3_600_000), ("none", 0)],
)
def test_a_duration(words: str, milliseconds: int) -> None:
    assert duration(words) == milliseconds


@pytest.mark.parametrize("words", ["", "5", "s", "-1s", "1 s", "1S", "1d", "nan", "1e3s"])
def test_other_words_are_no_duration(words: str) -> None:
    with pytest.raises(UnitError, match="is not a duration; write it like 200ms, 1s, 2m or none"):
        duration(words)


@pytest.mark.parametrize(
    ("words", "count"), [("64KB", 65536), ("512MB", 512 << 20), ("1.5GB", 3 << 29), ("none", 0)]
)
def test_a_size(words: str, count: int) -> None:
    assert size(words) == count


@pytest.mark.parametrize("words", ["", "512", "1mb", "1B", "-1GB"])
def test_other_words_are_no_size(words: str) -> None:
    with pytest.raises(UnitError, match="is not a size; write it like 512MB, 2GB or none"):
        size(words)
