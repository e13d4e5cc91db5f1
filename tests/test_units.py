"""Durations and sizes as people write them."""

import pytest

from arena.units import UnitError, duration, size


@pytest.mark.parametrize(
    ("words", "milliseconds"),
    [
        ("1ms", 1),
        ("200ms", 200),
        ("1s", 1000),
        ("0.5s", 500),
        ("2m", 120_000),
        ("1.5h", 5_400_000),
        ("none", 0),
    ],
)
def test_durations(words: str, milliseconds: int) -> None:
    assert duration(words) == milliseconds


@pytest.mark.parametrize(
    ("words", "expected"),
    [("1KB", 1024), ("512MB", 512 << 20), ("0.5GB", 512 << 20), ("2GB", 2 << 30), ("none", 0)],
)
def test_sizes(words: str, expected: int) -> None:
    assert size(words) == expected


NONE = [
    "",
    "5",
    "s",
    "5 s",
    "-1s",
    "1e3s",
    "5S",
    "5sec",
    "0s",
    "0.4ms",
    "٣s",
    "9" * 10 + "h",
    "1s\n",
]


@pytest.mark.parametrize("words", NONE)
def test_what_is_no_duration_and_no_size(words: str) -> None:
    with pytest.raises(UnitError) as found:
        duration(words)
    assert str(found.value) == (f"'{words}' is not a duration; write it like 200ms, 1s, 2m or none")
    with pytest.raises(UnitError) as found:
        size(words.replace("s", "MB"))
    assert str(found.value).endswith(" is not a size; write it like 512MB, 2GB or none")
