"""Durations and sizes as people write them."""

import re
from typing import Final

_TIMES: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_SIZES: Final = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}


class UnitError(ValueError):
    """Words that are no duration or size; one sentence."""


def duration(words: str) -> int:
    """Milliseconds from `200ms`, `1s`, `2m` or `1h`; 0 from `none`.

    Raises:
        UnitError: anything else.
    """
    if words == "none":
        return 0
    if found := re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h)", words):
        return round(float(found[1]) * _TIMES[found[2]])
    raise UnitError(f"'{words}' is not a duration; write it like 200ms, 1s, 2m or none")


def size(words: str) -> int:
    """Bytes from `512MB` or `2GB`, in powers of 1024; 0 from `none`.

    Raises:
        UnitError: anything else.
    """
    if words == "none":
        return 0
    if found := re.fullmatch(r"(\d+(?:\.\d+)?)(KB|MB|GB)", words):
        return round(float(found[1]) * _SIZES[found[2]])
    raise UnitError(f"'{words}' is not a size; write it like 512MB, 2GB or none")
