"""The calls of the stand-in: one call, one reply, and how Portainer and podman word
their errors.
"""

import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

LIBPOD = {
    "Api-Version": "1.41",
    "Libpod-Api-Version": "4.3.1",
    "Server": "Libpod/4.3.1 (linux)",
}
PORTAINER = {"X-Content-Type-Options": "nosniff", "X-Xss-Protection": "1; mode=block"}
JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
RAW_STREAM = "application/vnd.docker.raw-stream"


@dataclass
class Call:
    """One request to an engine. `path` starts behind whatever led to the engine and is as sent
    (quoted).
    """

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, str]:
        return dict(parse_qsl(self.query, keep_blank_values=True))

    @property
    def uri(self) -> str:
        return self.path + (f"?{self.query}" if self.query else "")

    @property
    def upgrades(self) -> bool:
        return "upgrade" in {name.lower() for name in self.headers}


@dataclass
class Reply:
    """One answer. `raw`: bytes behind a 101, when the connection becomes a stream."""

    status: int
    body: bytes = b""
    content_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            return None


class EngineGone(Exception):
    """Nobody listens where the engine should be. `reason` as Go words it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class EngineRefusal(Exception):
    """The engine refuses, in podman's words: `cause` is the innermost error, `message`
    the whole.
    """

    def __init__(self, status: int, cause: str, before: str = "") -> None:
        super().__init__(cause)
        self.reply = engine_json(
            {"cause": cause, "message": before + cause, "response": status}, status
        )


def compact(document: Any, *, sort: bool = False) -> bytes:
    """Return JSON as Go writes it: no blanks, `<>&` escaped."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=sort)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").encode()


def engine_json(document: Any, status: int = 200) -> Reply:
    return Reply(status, compact(document), JSON, dict(LIBPOD))


def engine_empty(status: int) -> Reply:
    return Reply(status, headers=dict(LIBPOD))


def text(status: int, words: str) -> Reply:
    return Reply(status, words.encode(), TEXT)


def portainer_json(document: Any, status: int = 200) -> Reply:
    return Reply(status, compact(document), JSON, dict(PORTAINER))


def portainer_error(status: int, message: str, details: str | None = None) -> Reply:
    """Portainer's own error. `details` None repeats the message with a capital; empty leaves the
    member out.
    """
    body = {"message": message}
    details = message if details is None else details
    if details:
        body["details"] = details[0].upper() + details[1:]
    return portainer_json(body, status)


def no_route() -> Reply:
    """Go's answer to a route it does not have."""
    return text(404, "404 page not found\n")


def clean_path(path: str) -> str | None:
    """The path Go's router would redirect to, or None if it is clean. `%2F` is not cleaned, `%2e`
    is.
    """
    plain = re.sub(r"(?i)%2e", ".", path)
    tidy = posixpath.normpath(plain)
    if tidy.startswith("//"):
        tidy = tidy[1:]
    if plain.endswith("/") and tidy != "/":
        tidy += "/"
    return tidy if tidy != plain else None


def redirect(location: str) -> Reply:
    return Reply(301, headers={"Location": location})
