"""A stand-in of OpenGDB (or, for accounts and repositories, of GraphDB): real HTTP, real credentials, real SPARQL.

It has the defects of the real one, so that whoever works with it works with the real one too. Data is kept in pyoxigraph, or in a real
RDF4J server when its address is given.
"""

import copy
import dataclasses
import re
from ipaddress import ip_address
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from aiohttp import web

from workspace_sandbox.server import CONTROL, StandIn
from workspace_sandbox.stand_ins.triplestore import accounts, graphdb, pages
from workspace_sandbox.stand_ins.triplestore.accounts import Broken, Refused
from workspace_sandbox.stand_ins.triplestore.database import User
from workspace_sandbox.stand_ins.triplestore.rdf4j import Down, LocalStorage, RemoteStorage
from workspace_sandbox.stand_ins.triplestore.repositories import Repositories
from workspace_sandbox.stand_ins.triplestore.users import Users
from workspace_sandbox.stand_ins.triplestore.wire import (
    DJANGO_HEADERS,
    Call,
    Reply,
    call_of,
    page,
    proxy_page,
    server_error,
    unknown_route,
)

LARGEST_BODY = 100 * 1024 * 1024
PROXY_PAGES = {502: "Bad Gateway", 503: "Service Temporarily Unavailable", 504: "Gateway Time-out"}


class Route(NamedTuple):
    """One address: its pattern, what OPTIONS calls it, its methods, and the right its data needs per method."""

    pattern: re.Pattern[str]
    view: str
    methods: str
    data: dict[str, str] | None = None


READ, WRITE = "READ", "WRITE"
ALL = {"GET": READ, "HEAD": READ, "POST": WRITE, "PUT": WRITE, "DELETE": WRITE}
REPOSITORY = {"GET": READ, "HEAD": READ, "POST": READ, "PUT": "", "DELETE": WRITE}
ROUTES = tuple(
    Route(re.compile(pattern, re.DOTALL), view, methods, data)
    for pattern, view, methods, data in (
        (r"rest/security/users", "users", "OPTIONS, GET", None),
        (
            r"rest/security/users/([^/]+)",
            "user",
            "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS",
            None,
        ),
        (r"rest/repositories", "repositories", "GET, POST, HEAD, OPTIONS", None),
        (r"rest/repositories/([^/]+)", "repository", "GET, PUT, DELETE, HEAD, OPTIONS", None),
        (r"rest/repositories/([^/]+)/restart", "restart", "POST, OPTIONS", None),
        (r"rest/repositories/([^/]+)/size", "size", "OPTIONS, GET", None),
        (r"repositories()", "data", "OPTIONS, GET", {"GET": ""}),
        (r"repositories/([^/]+)", "data", "GET, POST, PUT, DELETE, HEAD, OPTIONS", REPOSITORY),
        (r"repositories/([^/]+)/(?:size|contexts)", "data", "OPTIONS, GET", ALL),
        (r"repositories/([^/]+)/statements", "data", "GET, POST, PUT, DELETE, HEAD, OPTIONS", ALL),
        (r"repositories/([^/]+)/namespaces", "data", "GET, DELETE, HEAD, OPTIONS", ALL),
        (r"repositories/([^/]+)/namespaces/[^/]+", "data", "GET, PUT, DELETE, HEAD, OPTIONS", ALL),
    )
)


class TriplestoreStandIn(StandIn):
    """OpenGDB on loopback. `rdf4j_url`: a real RDF4J server (`http://host:port/rdf4j-server`) that keeps the data instead."""

    name: ClassVar[str] = "triplestore"
    product: ClassVar[str] = "OpenGDB"

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        admin_username: str = "admin",
        admin_password: str = "admin-password",
        flavour: str = "opengdb",
        rdf4j_url: str | None = None,
    ) -> None:
        self.admin_username = admin_username
        self.admin_password = admin_password
        self.flavour = flavour
        super().__init__(data_dir=data_dir)
        # Whoever starts it again with kept data may have made up a new password.
        administrator = self.state["users"].get(admin_username)
        if administrator and not accounts.matches(administrator["password"], admin_password):
            administrator["password"] = accounts.hashed(admin_password)
        self.local = LocalStorage(lambda: self.state, self.changed)
        self.storage: LocalStorage | RemoteStorage = (
            RemoteStorage(rdf4j_url) if rdf4j_url else self.local
        )
        self._users, self._repositories = Users(self), Repositories(self)
        self._graphdb = graphdb.GraphDb(self)
        self.rdf4j_url = rdf4j_url or ""
        """Where the data layer itself answers, without users, as RDF4J does in the network behind OpenGDB."""
        self.proxy_status = 0
        """502 or 504: the proxy before OpenGDB answers with a page of its own, since the application is down or too slow."""
        self._behind: web.AppRunner | None = None

    def seed(self) -> dict[str, Any]:
        administrator = accounts.new_account(self.admin_password, superuser=True)
        return {"users": {self.admin_username: administrator}, "repositories": [], "stored": {}}

    def what_exists(self) -> dict[str, Any]:
        """Show accounts with their rights, repositories with their size, and what is stored; no password, no token."""
        users = {
            name: {
                "authorities": accounts.shown(name, account)["grantedAuthorities"],
                "signs_in": account["password"] is not None,
                "has_token": account["token"] is not None,
            }
            for name, account in self.state["users"].items()
        }
        rows = copy.deepcopy(self.state["repositories"])
        stored = {name: {"statements": self.local.size(name)} for name in self.state["stored"]}
        return {"users": users, "repositories": rows, "stored": stored}

    def add_control_routes(self, app: web.Application) -> None:
        app.router.add_post(f"{CONTROL}/storage", self._set_storage)

    async def _set_storage(self, request: web.Request) -> web.Response:
        """Take the data layer down, or OpenGDB itself, or bring them back: `{"down": true, "proxy_status": 502}`."""
        wanted = await request.json()
        self.storage.down = bool(wanted.get("down"))
        self.proxy_status = int(wanted.get("proxy_status", 0))
        return web.json_response({})

    async def _reset(self, request: web.Request) -> web.Response:
        await self.storage.clear()
        return await super()._reset(request)

    async def started(self) -> None:
        """Open the data layer's own port, unless a real server has one."""
        if self.storage is not self.local:
            return
        app = web.Application(client_max_size=2 * LARGEST_BODY)
        app.router.add_route("*", r"/rdf4j-server/{tail:[\s\S]*}", self._behind_answer)
        self._behind = web.AppRunner(app, access_log=None)
        await self._behind.setup()
        site = web.TCPSite(self._behind, "127.0.0.1", 0, shutdown_timeout=0.2)
        await site.start()
        self.rdf4j_url = f"http://127.0.0.1:{self._behind.addresses[0][1]}/rdf4j-server"

    async def stop(self) -> None:
        if self._behind:
            await self._behind.cleanup()
        await super().stop()

    async def _behind_answer(self, request: web.Request) -> web.StreamResponse:
        call = await call_of(request)
        prefix = "rdf4j-server/"
        inner = dataclasses.replace(
            call,
            path=call.path.removeprefix(prefix),
            raw_path=call.raw_path.removeprefix("/" + prefix[:-1]),
        )
        try:
            return (await self.local.send(inner)).response()
        except Down:
            return web.Response(status=503)

    def add_routes(self, app: web.Application) -> None:
        app.router.add_route("*", r"/{tail:[\s\S]*}", self._respond)

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        if request.raw_path == "/":
            return self.front_page()
        call = await call_of(request)
        if self.proxy_status:
            return proxy_page(self.proxy_status, PROXY_PAGES[self.proxy_status]).response()
        if len(call.body) > LARGEST_BODY:
            return proxy_page(413, "Request Entity Too Large").response()
        if not _allowed_host(request.host):
            return page(400, "Bad Request (400)").response()
        if self.flavour == "graphdb":
            return (await self._graphdb.answer(call)).response()
        reply = await self._answer_opengdb(call)
        for header, value in DJANGO_HEADERS.items():
            reply.headers.setdefault(header, value)
        return reply.response()

    async def _answer_opengdb(self, call: Call) -> Reply:
        found = pages.answer(call)
        if found is not None:
            return found
        route, match = _routed(call.path)
        token = call.path == "api-token-auth/"
        if route is None and not token:
            return unknown_route()
        allowed = "POST, OPTIONS" if route is None else route.methods
        try:
            user = accounts.authenticate(self.state["users"], call.headers.get("Authorization"))
            reply = pages.other_method(call, allowed, "token" if route is None else route.view)
            if reply is None:
                reply = await self._dispatch(call, user, route, match)
        except Refused as refused:
            reply = refused.reply
        except (Broken, Down):
            return server_error()
        reply.headers["Allow"] = allowed
        return reply

    async def _dispatch(
        self, call: Call, user: User, route: Route | None, match: tuple[str, ...]
    ) -> Reply:
        if route is None:
            return await self._users.token(call)
        if route.data is not None:
            return await self._repositories.data(call, user, match[0], route.data[call.method])
        part: Users | Repositories = self._repositories
        if route.view in {"users", "user"}:
            part = self._users
        reply: Reply = await getattr(part, route.view)(call, user, *match)
        return reply


def _routed(path: str) -> tuple[Route | None, tuple[str, ...]]:
    for route in ROUTES:
        match = route.pattern.fullmatch(path)
        if match:
            return route, match.groups()
    return None, ()


def _allowed_host(host: str) -> bool:
    """Django's ALLOWED_HOSTS as a sandbox needs it: addresses, and names that only exist inside one machine or network."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return "." not in name or name.endswith((".internal", ".local", ".localhost"))
    return True
