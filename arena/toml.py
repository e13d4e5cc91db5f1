"""TOML files read into structs; what is wrong is said with the file, the key and its line."""

import difflib
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar, get_args

import msgspec
from msgspec import Struct

from arena.files import reason

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
        raise TomlError(f"{path} cannot be read: {reason(error)}") from None
    try:
        return msgspec.convert(tomllib.loads(text), kind)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"{path} is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise TomlError(f"{path}{_explained(str(error), text, kind)}") from None


def _explained(message: str, text: str, kind: type[Struct]) -> str:
    """What msgspec says, `Expected `str`, got `int` - at `$.name``, in the words of a TOML file."""
    reason, _, place = message.partition(" - at ")
    steps = re.findall(r"\.([\w-]+)(?:\[(\d+)\])?", place)
    path = [name for name, _ in steps]
    begin = _table_begin(steps, text)
    if unknown := re.search(r"unknown field `(.+)`", reason):
        key = unknown[1]
        return f"{_line_of(key, text, begin)}: {_unknown(key, _kind_at(kind, path))}"
    if missing := re.search(r"missing required field `(.+)`", reason):
        line = f", line {begin}" if begin else ""
        what = f"[[{path[-1]}]]" if path else "the file"
        return f"{line}: {what} has no {missing[1]}"
    key = path[-1] if path else ""
    expected = reason[:1].lower() + reason[1:].replace("`", "")
    return f"{_line_of(key, text, begin)}: {key}: {expected}"


def _table_begin(steps: Sequence[tuple[str, str]], text: str) -> int:
    """The line of the header of the table that the steps lead into, 0 where there is none."""
    for name, index in steps:
        if index:
            headers = [
                number
                for number, line in enumerate(text.splitlines(), 1)
                if re.match(rf"\s*\[\[\s*{re.escape(name)}\s*\]\]", line)
            ]
            return headers[int(index)] if int(index) < len(headers) else 0
    return 0


def _unknown(key: str, kind: type[Struct]) -> str:
    known = [field.encode_name for field in msgspec.structs.fields(kind)]
    near = difflib.get_close_matches(key, known, 1)
    mend = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return f"unknown key {key}; {mend}"


def _kind_at(kind: type[Struct], path: Sequence[str]) -> type[Struct]:
    """The struct that a path of keys leads to."""
    for key in path:
        field = next(f for f in msgspec.structs.fields(kind) if f.encode_name == key)
        kind = next((t for t in (*get_args(field.type), field.type) if _is_struct(t)), kind)
    return kind


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _line_of(key: str, text: str, begin: int) -> str:
    """Where a key stands after a line, in words; nothing where it cannot be found."""
    for number, line in enumerate(text.splitlines()[begin:], begin + 1):
        if re.match(rf"""\s*\[*\s*["']?(?:[\w.-]*\.)?{re.escape(key)}["']?\s*[\].=]""", line):
            return f", line {number}"
    return ""
