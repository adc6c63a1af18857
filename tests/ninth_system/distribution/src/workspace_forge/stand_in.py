"""A forge in memory, for the sandbox and the conformance checks; the only part that needs the
sandbox.
"""

import secrets
from collections.abc import Mapping
from typing import Any, ClassVar

from aiohttp import web

from workspace_sandbox.server import StandIn


class ForgeStandIn(StandIn):
    """Answers as the forge does. `tokens`: who each belongs to, and whether that is an
    administrator. `signs_in`: the issuer and the client that people sign in through.
    """

    name: ClassVar[str] = "forge"
    product: ClassVar[str] = "Forge"

    def __init__(self, *, tokens: dict[str, tuple[str, bool]] | None = None, **kwargs: Any) -> None:
        self.tokens = tokens or {secrets.token_hex(): ("robot", True)}
        super().__init__(**kwargs)

    def manager_settings(self) -> Mapping[str, str]:
        return {"url": self.url, "token": next(iter(self.tokens))}

    def seed(self) -> dict[str, Any]:
        return {"users": {}}

    def comes(self, sub: str, login: str, *, tokens: int = 0, repositories: int = 0) -> None:
        """As when somebody signs in for the first time: nobody makes the account but the forge."""
        self.state["users"][sub] = {
            "sub": sub,
            "login": login,
            "email": f"{login}@example.org",
            "blocked": False,
            "tokens": tokens,
            "repositories": repositories,
        }

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/", self._front)
        app.router.add_get("/api/me", self._me)
        app.router.add_get("/api/users", self._users)
        app.router.add_route("*", "/api/users/{sub}", self._user)
        app.router.add_delete("/api/users/{sub}/tokens", self._revoke)

    async def _front(self, _request: web.Request) -> web.Response:
        return self.front_page()

    def _who(self, request: web.Request) -> tuple[str, bool]:
        given = request.headers.get("Authorization", "").removeprefix("token ")
        if given not in self.tokens:
            raise web.HTTPUnauthorized(text='{"error": "unknown token"}')
        return self.tokens[given]

    async def _me(self, request: web.Request) -> web.Response:
        login, admin = self._who(request)
        return web.json_response({"login": login, "admin": admin})

    async def _users(self, request: web.Request) -> web.Response:
        _, admin = self._who(request)
        after, most = request.query["after"], int(request.query["most"])
        subs = sorted(sub for sub in self.state["users"] if sub > after)
        shown = subs[:most] if admin else []
        return web.json_response([self.state["users"][sub] for sub in shown])

    def _found(self, request: web.Request) -> dict[str, Any]:
        _, admin = self._who(request)
        found: dict[str, Any] | None = self.state["users"].get(request.match_info["sub"])
        if found is None or not admin:
            raise web.HTTPNotFound(
                text='{"error": "no such user"}', content_type="application/json"
            )
        return found

    async def _user(self, request: web.Request) -> web.Response:
        found = self._found(request)
        if request.method == "PATCH":
            found["blocked"] = bool((await request.json())["blocked"])
            self.changed()
        if request.method == "DELETE":
            del self.state["users"][found["sub"]]
            self.changed()
            return web.Response(status=204)
        return web.json_response(found)

    async def _revoke(self, request: web.Request) -> web.Response:
        self._found(request)["tokens"] = 0
        self.changed()
        return web.Response(status=204)
