"""Lists and options as the store's text columns hold them: JSON, equal for equal values."""

from typing import Any

import msgspec

_encoder = msgspec.json.Encoder(order="deterministic")


def to_json(value: Any) -> str:
    """The JSON of a value, keys sorted."""
    return _encoder.encode(value).decode()


def from_json(text: str) -> Any:
    """The value of a JSON text; arrays become lists."""
    return msgspec.json.decode(text)
