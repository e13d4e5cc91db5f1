"""Durations and sizes as people write them."""

import re
from collections.abc import Mapping
from typing import Final

_TIMES: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_SIZES: Final = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
_NUMBER: Final = r"([0-9]{1,9}(?:\.[0-9]{1,9})?)"


class UnitError(ValueError):
    """Words that are no duration or size; one sentence."""


def duration(words: str) -> int:
    """Milliseconds from `200ms`, `1s`, `2m` or `1h`, at least 1; 0 from `none`.

    Raises:
        UnitError: anything else.
    """
    found = _read(words, _TIMES)
    if found is None:
        raise UnitError(f"'{words}' is not a duration; write it like 200ms, 1s, 2m or none")
    return found


def size(words: str) -> int:
    """Bytes from `512MB` or `2GB`, in powers of 1024, at least 1; 0 from `none`.

    Raises:
        UnitError: anything else.
    """
    found = _read(words, _SIZES)
    if found is None:
        raise UnitError(f"'{words}' is not a size; write it like 512MB, 2GB or none")
    return found


def _read(words: str, units: Mapping[str, int]) -> int | None:
    """A whole number of the smallest unit; None: the words are no such number, or nothing."""
    if words == "none":
        return 0
    found = re.fullmatch(f"{_NUMBER}({'|'.join(units)})", words)
    return (round(float(found[1]) * units[found[2]]) or None) if found else None
