"""A door before an engine, real or stand-in, whose lists have entries of another shape as well."""

import json
from typing import Any

from aiohttp import web

from workspace_sandbox.fault_proxy import FaultProxy

ODD = (17, {"Id": 4, "Name": {}, "Names": 5, "Labels": "none"})
"""The first and the last entry of each list."""
LISTS = ("/containers/json", "/networks", "/volumes", "/api/stacks")


class OddEntries(FaultProxy):
    """Passes everything on, with two odd entries in each list."""

    name = "odd entries"

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        answer = await super()._pass_on(request)
        listed = request.method == "GET" and request.path.endswith(LISTS)
        if listed and isinstance(answer, web.Response) and isinstance(answer.body, bytes):
            answer.body = json.dumps(_with_odd(json.loads(answer.body))).encode()
        return answer


def _with_odd(found: Any) -> Any:
    if isinstance(found, dict):
        return {**found, "Volumes": _with_odd(found["Volumes"] or [])}
    first, last = ODD
    return [first, *found, last]
