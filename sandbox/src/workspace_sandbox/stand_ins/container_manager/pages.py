"""The page at a published port of a container in memory. It says which stack
it is, and that it is well.
"""

import html
from collections.abc import Callable, Iterable
from typing import Any

from aiohttp import web

from workspace_sandbox.stand_ins.container_manager.rules import PROJECT

HOST = "127.0.0.1"
SERVICE = "com.docker.compose.service"
_PAGE = """<!doctype html>
<html lang="en"><head><title>{stack}</title></head>
<body><h1>{stack}</h1>
<p>ok: this is a stand-in of the container manager, and it runs no programs. In a workspace the
service {service} of the stack {stack} would answer here.</p></body></html>
"""


class Pages:
    """One listening socket for each published port of a running container, on this machine alone.
    A port that is taken stays without a page.
    """

    def __init__(self, records: Callable[[], Iterable[dict[str, Any]]]) -> None:
        self._records = records
        self._open: dict[int, tuple[str, web.AppRunner]] = {}

    async def settle(self) -> None:
        """Open the missing pages and close those that are no longer wanted."""
        wanted = {
            port: (str(record["id"]), self._text(record["labels"]))
            for record in self._records()
            if record["status"] == "running"
            for port in record.get("ports", [])
        }
        for port, (number, runner) in list(self._open.items()):
            if wanted.get(port, ("", ""))[0] != number:
                del self._open[port]
                await runner.cleanup()
        for port, (number, text) in wanted.items():
            if port not in self._open:
                await self._listen(port, number, text)

    async def close(self) -> None:
        """End all pages."""
        for _, runner in self._open.values():
            await runner.cleanup()
        self._open.clear()

    async def _listen(self, port: int, number: str, text: str) -> None:
        async def page(_request: web.Request) -> web.Response:
            return web.Response(text=text, content_type="text/html")

        app = web.Application()
        app.router.add_get("/{tail:.*}", page)
        runner = web.AppRunner(app, access_log=None)
        # Set before the wait, so that another request does not open it a second time.
        self._open[port] = (number, runner)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port, shutdown_timeout=0.1).start()
        except OSError:
            self._open.pop(port, None)
            await runner.cleanup()

    def _text(self, labels: dict[str, str]) -> str:
        stack = html.escape(labels.get(PROJECT, "a container"))
        return _PAGE.format(stack=stack, service=html.escape(labels.get(SERVICE, "")))
