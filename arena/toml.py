"""TOML files read into structs; what is wrong is said with the file, the key and its line."""

import difflib
import re
import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T", bound=Struct)


class TomlError(ValueError):
    """A file that cannot be used; one sentence."""


def load(path: Path, kind: type[T]) -> T:
    """The file as a struct that forbids unknown fields.

    Raises:
        TomlError: unreadable, not TOML, an unknown key, a missing key, a value of another type.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TomlError(f"{path} cannot be read: {error}") from None
    try:
        return msgspec.convert(tomllib.loads(text), kind)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"{path} is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise TomlError(f"{path}{_explained(str(error), text, kind)}") from None


def _explained(message: str, text: str, kind: type[Struct]) -> str:
    """What msgspec says, `Expected `str`, got `int` - at `$.name`` in the words of a TOML file."""
    reason, _, place = message.partition(" - at ")
    if unknown := re.search(r"unknown field `(.+)`", reason):
        key = unknown[1]
        known = [field.encode_name for field in msgspec.structs.fields(kind)]
        near = difflib.get_close_matches(key, known, 1)
        mend = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        return f"{_line_of(key, text)}: unknown key {key}; {mend}"
    if missing := re.search(r"missing required field `(.+)`", reason):
        return f": the key {missing[1]} is missing"
    keys = re.findall(r"\.(\w+)", place)
    key = keys[-1] if keys else ""
    return f"{_line_of(key, text)}: {key}: {reason[:1].lower()}{reason[1:].replace('`', '')}"


def _line_of(key: str, text: str) -> str:
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"""\s*\[*\s*["']?(?:[\w.-]*\.)?{re.escape(key)}["']?\s*[\].=]""", line):
            return f", line {number}"
    return ""
