"""A door in front of a real part: it breaks calls like stand-ins, with the same faults, so that a
test of a stand-in runs unchanged on the real part.
"""

from typing import Any, ClassVar

import aiohttp
from aiohttp import web
from yarl import URL

from workspace_sandbox.server import StandIn

_HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"}


class FaultProxy(StandIn):
    """Passes every call on to `upstream` unchanged, unless a fault waits for it."""

    name: ClassVar[str] = "door"
    product: ClassVar[str] = "a door before a real part"

    def __init__(self, upstream: str) -> None:
        super().__init__()
        self.upstream = upstream.rstrip("/")
        self._http: aiohttp.ClientSession | None = None

    def seed(self) -> dict[str, Any]:
        return {}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_route("*", "/{tail:.*}", self._pass_on)

    async def started(self) -> None:
        self._http = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=120),
        )

    async def stop(self) -> None:
        await super().stop()
        if self._http:
            await self._http.close()

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        assert self._http
        headers = {
            name: value
            for name, value in request.headers.items()
            if name.lower() not in {*_HOP_BY_HOP, "host", "content-length"}
        }
        url = URL(self.upstream + request.raw_path, encoded=True)
        body = await request.read()
        try:
            async with self._http.request(
                request.method,
                url,
                headers=headers,
                data=body or None,
                allow_redirects=False,
                skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
            ) as answer:
                content = await answer.read()
        except (aiohttp.ClientError, TimeoutError):
            return self._cut(request)
        kept = [
            (name, value)
            for name, value in answer.headers.items()
            if name.lower() not in {*_HOP_BY_HOP, "content-length"}
        ]
        response = web.Response(status=answer.status, body=content or None)
        response.headers.clear()
        response.headers.extend(kept)
        if answer.headers.get("Transfer-Encoding", "").lower() == "chunked":
            # Whoever passes it on without its compression would else pass on a wrong length.
            response.enable_chunked_encoding()
        return response
