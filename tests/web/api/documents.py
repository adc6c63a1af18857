"""The shape of the API's errors."""

import json
from typing import Any


def problem(response: Any, status: int) -> dict[str, Any]:
    """The document of an error, after a look whether it is one (RFC 9457)."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = json.loads(response.content)
    assert document["status"] == status
    assert document["type"]
    assert document["title"]
    assert document["detail"]
    if status == 422:
        assert all(error["field"] and error["message"] for error in document["errors"])
    if status == 409:
        assert document["reason"]
    if status == 503:
        assert int(response.headers["Retry-After"]) > 0
    return document
