"""Read request bodies as Portainer does: Go's JSON with member names in any case, and multipart
forms.
"""

import json
import re
from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import Stop
from workspace_sandbox.stand_ins.container_manager.wire import Reply, portainer_error

_SHOWN = 32
"""The number of characters of a body that Go shows."""


def invalid(details: str) -> Stop:
    return Stop(portainer_error(400, "Invalid request payload", details))


class Payload:
    """A JSON object whose members are found whatever their case; unknown ones are ignored, as in
    Go.
    """

    def __init__(self, body: bytes, shape: str = "payload") -> None:
        self._text = body.decode("utf-8", errors="replace")
        self._shape = shape
        if not self._text.strip():
            raise invalid("EOF")
        try:
            found = json.loads(self._text)
        except ValueError as wrong:
            raise invalid("unexpected EOF") from wrong
        if not isinstance(found, dict):
            shown = json.dumps(self._text.strip())
            raise invalid(f"json: cannot unmarshal {shown} into Go value of type {shape}")
        self.members: dict[str, Any] = found

    def get(self, name: str) -> Any:
        for key, value in self.members.items():
            if key.lower() == name.lower():
                return value
        return None

    def text(self, name: str) -> str:
        value = self.get(name)
        if value is not None and not isinstance(value, str):
            raise self._mismatch(name, "string")
        return value or ""

    def env(self) -> list[dict[str, str]] | None:
        value = self.get("Env")
        if value is None:
            return None
        if not isinstance(value, list):
            raise self._mismatch("Env", "[]portainer.Pair")
        return [
            {"name": str(pair.get("name", "")), "value": str(pair.get("value", ""))}
            for pair in value
        ]

    def _mismatch(self, name: str, wanted: str) -> Stop:
        found = re.search(rf'"({name})"\s*:\s*', self._text, re.IGNORECASE)
        rest, name = (self._text[found.end() :], found[1]) if found else ("", name)
        shown = json.dumps(rest if len(rest) <= _SHOWN else rest[:_SHOWN] + "...")
        return invalid(
            f"json: cannot unmarshal {shown} into Go struct field {self._shape}.{name} "
            f"of type {wanted}"
        )


def number(text: str, message: str) -> int:
    """Read a number as Go's strconv.Atoi. Raises Stop with `message`."""
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    raise Stop(_not_a_number(text, message))


def _not_a_number(text: str, message: str) -> Reply:
    return portainer_error(400, message, f'strconv.Atoi: parsing "{text}": invalid syntax')


def environment_number(parameters: dict[str, str]) -> int:
    """The query parameter `endpointId`. Raises Stop when it is missing or no number."""
    message = "Invalid query parameter: endpointId"
    if not parameters.get("endpointId"):
        raise Stop(portainer_error(400, message, "Missing query parameter"))
    return number(parameters["endpointId"], message)
