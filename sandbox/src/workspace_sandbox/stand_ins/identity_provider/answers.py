"""The shapes of Keycloak's answers: two families of JSON errors, empty successes, and the headers
it sends with all of them.

Content types differ on purpose (`application/json` for errors, `application/json;charset=UTF-8` for
what is read): a client that compares them strictly must be seen to fail here too.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from aiohttp import web

Doc: TypeAlias = dict[str, Any]

READ = "application/json;charset=UTF-8"
PLAIN = "application/json"
NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}
NO_CACHE = {"Cache-Control": "no-cache"}
SECURITY = {
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "X-Robots-Tag": "none",
}


class Refusal(Exception):
    """A request that is refused: the status and the JSON document of the answer."""

    def __init__(
        self, status: int, document: Doc, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"{status} {document}")
        self.status = status
        self.document = document
        self.headers = dict(headers or {})


def framework_error(status: int, error: str, description: str | None = None) -> Refusal:
    """Return an error of the framework's family: `error`, `error_description`."""
    document = {"error": error}
    if description is not None:
        document["error_description"] = description
    return Refusal(status, document)


def admin_error(status: int, message: str) -> Refusal:
    """Return an error of the admin family: `errorMessage`."""
    return Refusal(status, {"errorMessage": message})


def not_found(what: str) -> Refusal:
    return Refusal(404, {"error": what})


def forbidden() -> Refusal:
    return Refusal(403, {"error": "HTTP 403 Forbidden"})


def unauthorized() -> Refusal:
    return Refusal(401, {"error": "HTTP 401 Unauthorized"})


def failed() -> Refusal:
    """Return the answer to an exception inside the real server."""
    return framework_error(500, "unknown_error", "For more on this error consult the server log.")


def unparsable() -> Refusal:
    return framework_error(400, "unknown_error", "Cannot parse the JSON")


def as_json(
    document: Any,
    status: int = 200,
    *,
    content_type: str = PLAIN,
    headers: Mapping[str, str] | None = None,
) -> web.Response:
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    return web.Response(
        status=status,
        body=text.encode("utf-8", "replace"),
        headers={**(headers or {}), "Content-Type": content_type},
    )


def answer_document(document: Any) -> web.Response:
    """Return a successful read of the admin interface."""
    return as_json(document, content_type=READ, headers=NO_CACHE)


def created(location: str) -> web.Response:
    """Return 201 with an empty body: the new id is only in `Location`."""
    return web.Response(status=201, headers={"Location": location})


def answer_empty(*, cached: bool = True) -> web.Response:
    return web.Response(status=204, headers={} if cached else NO_CACHE)


def answer_refusal(refusal: Refusal) -> web.Response:
    return as_json(refusal.document, refusal.status, headers=refusal.headers)


async def finish(_request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers every answer carries; an empty answer names no content type, as the real one
    does not.
    """
    for name, value in SECURITY.items():
        response.headers.setdefault(name, value)
    empty = isinstance(response, web.Response) and not response.body
    if empty and response.headers.get("Content-Type", "").startswith("application/octet-stream"):
        del response.headers["Content-Type"]
