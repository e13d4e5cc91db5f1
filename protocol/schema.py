"""JSON Schema of the protocol and the record, generated from the message types.

`python -m protocol.schema` prints what is committed as schema.json beside this file.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec

from protocol.messages import FromBot, ToBot
from protocol.record import Record

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def build(extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The schema of a line to a bot, a line from a bot and a record.

    Args:
        extra: further types by name, such as a game's view and events.
    """
    named: dict[str, Any] = {"to_bot": ToBot, "from_bot": FromBot, "record": Record}
    named.update(extra or {})
    schemas, components = msgspec.json.schema_components(
        named.values(), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": DIALECT,
        "title": "Savanna Arena line protocol and match record, version 1",
        "properties": dict(zip(named, schemas, strict=True)),
        "$defs": components,
    }


def text(schema: Mapping[str, Any]) -> str:
    """A schema as it is printed and committed."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def committed() -> str:
    """The text of the schema that ships with the package."""
    return files("protocol").joinpath("schema.json").read_text(encoding="utf-8")


if __name__ == "__main__":
    print(text(build()), end="")  # noqa: T201  # printing is what the module is run for
