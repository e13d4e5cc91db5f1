"""A description of the JSON API in the terms of OpenAPI 3.1, from what answers it."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from arena import VERSION

DIALECT: Final = "3.1.0"


class Parameter(Struct, frozen=True):
    """A word of a request: a part of its path, or of its query."""

    name: str
    about: str
    schema: dict[str, Any]
    """JSON Schema."""


class Operation(Struct, frozen=True):
    """What is asked for with GET at a path."""

    path: str
    """With the names of its parts in braces."""
    about: str
    gives: Any
    """The type of what is answered."""
    query: Sequence[Parameter] = ()
    parts: Sequence[Parameter] = ()
    """Of the path."""
    missing: str = ""
    """What 404 means; empty: it does not come."""


class Refusal(Struct, frozen=True):
    """What is answered where something is wrong."""

    error: str
    """A sentence."""


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The whole description."""
    types = [operation.gives for operation in operations]
    (refusal, *answers), components = msgspec.json.schema_components(
        [Refusal, *types], ref_template="#/components/schemas/{name}"
    )
    return {
        "openapi": DIALECT,
        "info": {
            "title": "Savanna Arena",
            "version": VERSION,
            "description": "What the pages of `arena serve` show, for programs. Only GET; "
            "whatever is wrong is answered with a sentence.",
        },
        "paths": {
            operation.path: {"get": _described(operation, answer, refusal)}
            for operation, answer in zip(operations, answers, strict=True)
        },
        "components": {"schemas": components},
    }


def _described(
    operation: Operation, answer: dict[str, Any], refusal: dict[str, Any]
) -> dict[str, Any]:
    responses = {"200": _response("That.", answer)}
    if operation.query:
        responses["400"] = _response("A word of the query means nothing.", refusal)
    if operation.missing:
        responses["404"] = _response(operation.missing, refusal)
    responses["503"] = _response("The store cannot be read just now.", refusal)
    return {
        "summary": operation.about,
        "parameters": [
            *(_parameter(part, "path") for part in operation.parts),
            *(_parameter(word, "query") for word in operation.query),
        ],
        "responses": responses,
    }


def _parameter(parameter: Parameter, where: str) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": where,
        "required": where == "path",
        "description": parameter.about,
        "schema": parameter.schema,
    }


def _response(about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": schema}}}
