"""The JSON Schema of the protocol and the record."""

import json
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from protocol.messages import FromBot, ToBot
from protocol.schema import build, committed, text
from tests.test_messages import FROM_BOT, TO_BOT
from tests.test_record import LINE, RECORD

SCHEMA = build()
KINDS: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is valid by those keywords of JSON Schema that ours uses."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return any(fits(value, one) for one in schema["anyOf"])
    kind = KINDS[schema["type"]] if "type" in schema else object
    return (
        isinstance(value, kind)
        and value in schema.get("enum", [value])
        and content_fits(value, schema)
    )


def content_fits(value: Any, schema: dict[str, Any]) -> bool:
    if isinstance(value, list):
        items = schema.get("items", {})
        return len(value) >= schema.get("minItems", 0) and all(fits(item, items) for item in value)
    if isinstance(value, dict):
        members = schema.get("properties", {})
        return value.keys() >= set(schema.get("required", ())) and all(
            fits(value[key], member) for key, member in members.items() if key in value
        )
    if isinstance(value, int):
        low, high = schema.get("minimum", value), schema.get("exclusiveMaximum", value + 1)
        return bool(low <= value < high)
    return True


EXAMPLES = {
    **{name: ("to_bot", line) for name, (_, line) in TO_BOT.items()},
    **{name: ("from_bot", line) for name, (_, line) in FROM_BOT.items()},
    "record": ("record", LINE),
}


@pytest.mark.parametrize(("kind", "line"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_an_example_fits(kind: str, line: bytes) -> None:
    assert fits(json.loads(line), SCHEMA["properties"][kind])


MISFITS = {
    "an unknown type": ("to_bot", {"type": "weather"}),
    "a message of the other side": ("to_bot", {"type": "action", "id": 1, "actions": ["a"]}),
    "a missing field": ("from_bot", {"type": "action", "id": 1}),
    "empty actions": ("from_bot", {"type": "action", "id": 1, "actions": []}),
    "a wrong type": ("from_bot", {"type": "action", "id": "1", "actions": ["a"]}),
    "a seed too large": ("to_bot", json.loads(TO_BOT["start"][1]) | {"seed": 2**31}),
    "a record without a log": ("record", {"record": 1}),
}


@pytest.mark.parametrize(("kind", "value"), MISFITS.values(), ids=MISFITS.keys())
def test_a_misfit_does_not(kind: str, value: Any) -> None:
    assert not fits(value, SCHEMA["properties"][kind])


def test_the_schema_that_ships_is_the_one_the_types_give() -> None:
    assert committed() == text(build()), "run `python -m protocol.schema > protocol/schema.json`"


def test_the_module_prints_the_schema() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "protocol.schema"], capture_output=True, check=True
    )
    assert printed.stdout.decode() == committed()


def test_every_message_and_the_record_are_described() -> None:
    for kind in [*ToBot.__args__, *FromBot.__args__, type(RECORD)]:
        definition = SCHEMA["$defs"][kind.__name__]
        assert definition["description"]
        assert set(definition["properties"]) >= set(kind.__struct_fields__)


def test_further_types_are_added_by_name() -> None:
    class Weather(Struct):
        wind: int

    schema = build({"weather": Weather})
    assert schema["properties"]["weather"] == {"$ref": "#/$defs/Weather"}
    assert schema["$defs"]["Weather"]["required"] == ["wind"]
    assert msgspec.json.decode(text(schema)) == schema
