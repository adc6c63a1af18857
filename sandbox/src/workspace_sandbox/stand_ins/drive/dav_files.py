"""Files of one's own home: made, written and read by WebDAV. What is in them is kept, and nothing
else of a file is.
"""

import base64
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from workspace_sandbox.stand_ins.drive.world import World

METHODS = ("GET", "MKCOL", "PUT")


async def answer(
    world: World, request: web.Request, path: str, files: dict[str, Any]
) -> web.Response | None:
    """Answer a request for one file or folder; None where there is none of this name."""
    if request.method == "GET":
        found = files.get(path)
        if found is None or found["data"] is None:
            return None
        return web.Response(body=base64.b64decode(found["data"]))
    folder = path.rpartition("/")[0]
    if folder and (folder not in files or files[folder]["data"] is not None):
        return web.Response(status=409)
    there = path in files
    if request.method == "MKCOL" and there:
        return web.Response(status=405)
    content = None
    if request.method == "PUT":
        content = base64.b64encode(await request.read()).decode()
    files[path] = {"data": content, "modified": int(datetime.now(UTC).timestamp())}
    world.changed()
    return web.Response(status=204 if there else 201)
