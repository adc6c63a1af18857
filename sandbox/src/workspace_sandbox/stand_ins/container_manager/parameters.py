"""Read what came with a request to the Docker API, as podman does. Raises EngineRefusal with
its words.
"""

import json
import re
from typing import Any

from workspace_sandbox.stand_ins.container_manager.engine import Record
from workspace_sandbox.stand_ins.container_manager.wire import Call, EngineRefusal

_TRUE = {"1", "true", "True", "TRUE", "t", "T"}
_FALSE = {"0", "false", "False", "FALSE", "f", "F", ""}

LIST_FILTERS = frozenset(
    [
        "ancestor",
        "before",
        "exited",
        "health",
        "id",
        "label",
        "label!",
        "name",
        "network",
        "pod",
        "since",
        "status",
        "until",
        "volume",
    ]
)
VOLUME_FILTERS = frozenset(
    ["after", "dangling", "driver", "label", "label!", "name", "opt", "scope", "since", "until"]
)
NETWORK_FILTERS = frozenset(["driver", "id", "label", "label!", "name", "until", "dangling"])
STATUSES = frozenset(
    [
        "configured",
        "created",
        "dead",
        "exited",
        "paused",
        "removing",
        "restarting",
        "running",
        "stopped",
        "stopping",
        "unknown",
    ]
)


def body(call: Call) -> dict[str, Any]:
    """Decode the JSON of a request as Go does. Raises EngineRefusal."""
    try:
        found = json.loads(call.body)
    except ValueError as wrong:
        raise EngineRefusal(500, "unexpected EOF", "decode(): ") from wrong
    if not isinstance(found, dict):
        raise EngineRefusal(500, "json: cannot unmarshal into Go value", "decode(): ")
    return found


def flag(call: Call, name: str, *, status: int = 400) -> bool:
    """Read a truth value. `status`: lists and volumes call a wrong one an error of the server."""
    value = call.parameters.get(name, "")
    if value not in _TRUE | _FALSE:
        raise unparsable(call, name, status=status)
    return value in _TRUE


def unparsable(call: Call, name: str, *, status: int = 400) -> EngineRefusal:
    return EngineRefusal(
        status,
        f'schema: error converting value for "{name}"',
        f"failed to parse parameters for {call.uri}: ",
    )


def filters(call: Call, known: frozenset[str], invalid: str) -> dict[str, list[str]]:
    """Decode `filters`: `{"name": ["x"]}` or the older `{"name": {"x": true}}`. Raises
    EngineRefusal.

    `invalid`: how a filter that is none is refused, with `{}` for its name.
    """
    given = call.parameters.get("filters")
    if given is None:
        return {}
    try:
        found = json.loads(given)
    except ValueError as wrong:
        sign = given[1:2]
        said = f"invalid character '{sign}' looking for beginning of object key string"
        raise _undecodable(call, said if given else "unexpected end of JSON input") from wrong
    if not isinstance(found, dict):
        raise _undecodable(call, _not_into(found, "map[string][]string"))
    for name, values in found.items():
        if not isinstance(values, list | dict):
            raise _undecodable(call, _not_into(values, "[]string"))
        if name not in known:
            raise EngineRefusal(500, invalid.format(name))
    return {name: [str(value) for value in values] for name, values in found.items()}


def _undecodable(call: Call, cause: str) -> EngineRefusal:
    return EngineRefusal(500, cause, f"failed to decode filter parameters for {call.uri}: ")


def _not_into(value: object, wanted: str) -> str:
    kinds = {list: "array", str: "string", bool: "bool", int: "number", float: "number"}
    return f"json: cannot unmarshal {kinds.get(type(value), 'null')} into Go value of type {wanted}"


def matches(record: Record, wanted: dict[str, list[str]]) -> bool:
    """Return whether a container passes: names are patterns without a leading slash, labels are
    exact.
    """
    sources = {str(source) for source, _ in record["mounts"]}
    return (
        _named(record, wanted.get("name", []))
        and labelled(record["labels"], wanted.get("label", []))
        and (not wanted.get("status") or record["status"] in wanted["status"])
        and (not wanted.get("id") or any(record["id"].startswith(i) for i in wanted["id"]))
        and (not wanted.get("network") or str(record["network"]) in wanted["network"])
        and (not wanted.get("volume") or bool(set(wanted["volume"]) & sources))
    )


def refuse_values(wanted: dict[str, list[str]]) -> None:
    """Raise EngineRefusal for a value that no container can have."""
    for status in set(wanted.get("status", [])) - STATUSES:
        raise EngineRefusal(500, "invalid argument", f"unknown container state: {status}: ")
    for code in wanted.get("exited", []):
        if not re.fullmatch(r"-?\d+", code):
            said = f"exited code out of range '\\x00': strconv.ParseInt: parsing \"{code}\": "
            raise EngineRefusal(500, "invalid syntax", said)


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
