"""Read what came with a request to the Docker API, as podman does. Raises Refused with its words."""

import json
import re
from typing import Any

from workspace_manager.systems.container_manager.emulator.engine import Record
from workspace_manager.systems.container_manager.emulator.wire import Call, Refused

_TRUE = {"1", "true", "True", "TRUE", "t", "T"}
_FALSE = {"0", "false", "False", "FALSE", "f", "F", ""}


def body(call: Call) -> dict[str, Any]:
    """Decode the JSON of a request as Go does. Raises Refused."""
    try:
        found = json.loads(call.body)
    except ValueError as wrong:
        raise Refused(500, "unexpected EOF", "decode(): ") from wrong
    if not isinstance(found, dict):
        raise Refused(500, "json: cannot unmarshal into Go value", "decode(): ")
    return found


def flag(call: Call, name: str) -> bool:
    value = call.parameters.get(name, "")
    if value not in _TRUE | _FALSE:
        raise unparsable(call, name)
    return value in _TRUE


def unparsable(call: Call, name: str) -> Refused:
    return Refused(
        400,
        f'schema: error converting value for "{name}"',
        f"failed to parse parameters for {call.uri}: ",
    )


def filters(call: Call) -> dict[str, list[str]]:
    """Decode `filters`: `{"name": ["x"]}` or the older `{"name": {"x": true}}`. Raises Refused."""
    given = call.parameters.get("filters", "")
    if not given:
        return {}
    try:
        found = json.loads(given)
    except ValueError as wrong:
        sign = given[1:2]
        raise Refused(
            500,
            f"invalid character '{sign}' looking for beginning of object key string",
            f"failed to decode filter parameters for {call.uri}: ",
        ) from wrong
    return {key: list(value) for key, value in found.items()}


def matches(record: Record, wanted: dict[str, list[str]]) -> bool:
    """Whether a container passes: names are patterns without a leading slash, labels are exact."""
    return (
        _named(record, wanted.get("name", []))
        and labelled(record["labels"], wanted.get("label", []))
        and (not wanted.get("status") or record["status"] in wanted["status"])
        and (not wanted.get("id") or any(record["id"].startswith(i) for i in wanted["id"]))
    )


def _named(record: Record, patterns: list[str]) -> bool:
    if not patterns:
        return True
    try:
        return any(re.search(pattern, record["name"]) for pattern in patterns)
    except re.error:
        return False


def labelled(labels: dict[str, str], wanted: list[str]) -> bool:
    return all(
        labels.get(key) == value if mark else key in labels
        for key, mark, value in (entry.partition("=") for entry in wanted)
    )
