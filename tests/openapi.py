"""The document of the REST interface as programs read it, built once in a process."""

import json
from functools import cache
from typing import Any

from workspace_manager.web.api.router import api


@cache
def rest_document() -> dict[str, Any]:
    """What `/api/v1/openapi.json` says. Nobody changes it."""
    read: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema()))
    return read


def operations() -> list[tuple[str, str]]:
    """(method, address with holes) of each operation, in the order of the document."""
    return [
        (method.upper(), path)
        for path, methods in rest_document()["paths"].items()
        for method in methods
    ]
