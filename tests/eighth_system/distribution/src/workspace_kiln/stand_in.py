"""A kiln in memory, for the sandbox and the conformance checks; the only part that needs the
sandbox.
"""

import secrets
from collections.abc import Mapping
from typing import Any, ClassVar

from aiohttp import web

from workspace_sandbox.server import StandIn


class KilnStandIn(StandIn):
    """Answers as the control panel does. `keys`: who each belongs to, and the role."""

    name: ClassVar[str] = "kiln"
    product: ClassVar[str] = "Kiln"

    def __init__(self, *, keys: dict[str, tuple[str, str]] | None = None, **kwargs: Any) -> None:
        self.keys = keys or {secrets.token_hex(): ("warden", "warden")}
        super().__init__(**kwargs)

    def manager_settings(self) -> Mapping[str, str]:
        return {"url": self.url, "key": next(iter(self.keys))}

    def seed(self) -> dict[str, Any]:
        return {"accounts": {}}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/", self._front)
        app.router.add_get("/me", self._me)
        app.router.add_get("/accounts", self._accounts)
        app.router.add_route("*", "/accounts/{name}", self._account)

    async def _front(self, _request: web.Request) -> web.Response:
        return self.front_page()

    def _who(self, request: web.Request) -> tuple[str, str]:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if given not in self.keys:
            raise web.HTTPUnauthorized(text='{"error": "unknown key"}')
        return self.keys[given]

    async def _me(self, request: web.Request) -> web.Response:
        name, role = self._who(request)
        return web.json_response({"name": name, "role": role})

    async def _accounts(self, request: web.Request) -> web.Response:
        _, role = self._who(request)
        after, most = request.query["after"], int(request.query["most"])
        names = sorted(name for name in self.state["accounts"] if name > after)
        shown = names[:most] if role == "warden" else []
        accounts = {name: self.state["accounts"][name] for name in shown}
        return web.json_response({"accounts": accounts})

    async def _account(self, request: web.Request) -> web.Response:
        _, role = self._who(request)
        name, accounts = request.match_info["name"], self.state["accounts"]
        if request.method == "PUT" and role == "warden":
            accounts[name] = bool((await request.json())["locked"])
            self.changed()
        elif name not in accounts or role != "warden":
            return web.json_response({"error": "no such account"}, status=404)
        if request.method == "DELETE":
            del accounts[name]
            self.changed()
            return web.Response(status=204)
        return web.json_response({"name": name, "locked": accounts[name]})
