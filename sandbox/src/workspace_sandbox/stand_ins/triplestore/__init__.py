"""A stand-in of OpenGDB (or, for accounts and repositories, of GraphDB): real HTTP, real
credentials, real SPARQL.

It has the defects of the real one, so that whoever works with it works with the real one too. Data
is kept in pyoxigraph, or in a real RDF4J server when its address is given.
"""

import copy
import re
from ipaddress import ip_address
from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

from workspace_sandbox.routes import called
from workspace_sandbox.server import CONTROL, StandIn
from workspace_sandbox.stand_ins.triplestore import accounts, graphdb
from workspace_sandbox.stand_ins.triplestore.accounts import Broken, CallRefusal
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


_CLIENT = "workspace_manager.systems.triplestore.client.calls:TriplestoreClient"
_LOOK = "workspace_manager.systems.triplestore.client.look:look"
_CONTENT = "workspace_manager.systems.triplestore.client.content:ContentCalls"
_USER, _REPOSITORY = "/rest/security/users/{user}", "/rest/repositories/{id}"
_DATA = "/repositories/{id}"
SERVED = (
    *called(f"{_CLIENT}.detect", _LOOK, routes=["GET /rest/security"]),
    *called(f"{_CLIENT}._fetch_token", routes=["POST /api-token-auth/"]),
    *called(f"{_CLIENT}.accounts", routes=["GET /rest/security/users"]),
    *called(f"{_CLIENT}.account", routes=[f"GET {_USER}"]),
    *called(f"{_CLIENT}.create_account", routes=[f"POST {_USER}"]),
    *called(f"{_CLIENT}.replace_account", routes=[f"PUT {_USER}"]),
    *called(f"{_CLIENT}.delete_account", routes=[f"DELETE {_USER}"]),
    *called(f"{_CLIENT}.repositories", routes=["GET /rest/repositories"]),
    *called(f"{_CLIENT}.create_repository", routes=["POST /rest/repositories"]),
    *called(f"{_CLIENT}._repository", routes=[f"GET {_REPOSITORY}"]),
    *called(f"{_CLIENT}.retitle_repository", routes=[f"PUT {_REPOSITORY}"]),
    *called(f"{_CLIENT}.delete_repository", routes=[f"DELETE {_REPOSITORY}"]),
    *called(f"{_CLIENT}.stored_ids", _LOOK, routes=["GET /repositories"]),
    *called("demo person", routes=["GET /", f"GET {_DATA}", f"PUT {_DATA}/statements"]),
    *called(
        "demo person",
        f"{_CONTENT}.count_by_graph",
        f"{_CONTENT}.read_graph",
        routes=[f"POST {_DATA}"],
    ),
    *called("demo person", f"{_CONTENT}.size", routes=[f"GET {_DATA}/size"]),
    *called("demo person", f"{_CONTENT}.export", routes=[f"GET {_DATA}/statements"]),
    *called("demo person", f"{_CONTENT}._write", routes=[f"POST {_DATA}/statements"]),
    *called(f"{_CONTENT}.graphs", routes=[f"GET {_DATA}/contexts"]),
    *called(f"{_CONTENT}.namespaces", routes=[f"GET {_DATA}/namespaces"]),
    *called(f"{_CONTENT}.set_namespace", routes=[f"PUT {_DATA}/namespaces/{{prefix}}"]),
    *called(f"{_CONTENT}.remove_namespace", routes=[f"DELETE {_DATA}/namespaces/{{prefix}}"]),
    *called(
        "tests.systems.triplestore.test_faults:test_a_wrong_address_is_invalid",
        routes=["GET /somewhere/{rest...}", "POST /somewhere/{rest...}"],
    ),
)
READ, WRITE = "READ", "WRITE"
VERBS = {"GET": READ, "POST": WRITE, "PUT": WRITE, "DELETE": WRITE}
"""The right that a call on the data needs; a query is read with POST too."""
USER = re.compile(r"rest/security/users/([^/]+)", re.DOTALL)
REPOSITORY = re.compile(r"rest/repositories/([^/]+)", re.DOTALL)
DATA = re.compile(
    r"repositories/([^/]+)(|/size|/statements|/contexts|/namespaces(?:/[^/]+)?)", re.DOTALL
)

FIXED = re.compile(r"api-token-auth/|rest/security/users|rest/repositories|repositories")
KNOWN = (FIXED, USER, REPOSITORY, DATA)
"""A path that is none of these is answered before anybody looks at credentials."""


class TriplestoreStandIn(StandIn):
    """OpenGDB on loopback. `rdf4j_url`: a real RDF4J server (`http://host:port/rdf4j-server`) that
    keeps the data instead.
    """

    name: ClassVar[str] = "triplestore"
    product: ClassVar[str] = "OpenGDB"
    routes = SERVED

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
        self.proxy_status = 0
        """502 or 504: the proxy before OpenGDB answers with a page of its own, since the
        application is down or too slow.
        """

    def seed(self) -> dict[str, Any]:
        administrator = accounts.new_account(self.admin_password, superuser=True)
        return {"users": {self.admin_username: administrator}, "repositories": [], "stored": {}}

    def what_exists(self) -> dict[str, Any]:
        """Show accounts with their rights, repositories with their size, and what is stored; no
        password, no token.
        """
        users = {
            name: {
                "authorities": accounts.render_account(name, account)["grantedAuthorities"],
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
        """Take the data layer down, or OpenGDB itself, make it slow for large ones, or bring
        them back: `{"down": true, "proxy_status": 502, "slow_from": 1000}`.
        """
        wanted = await request.json()
        self.storage.down = bool(wanted.get("down"))
        self.local.slow_from = int(wanted.get("slow_from", 0))
        self.proxy_status = int(wanted.get("proxy_status", 0))
        return web.json_response({})

    async def _reset(self, request: web.Request) -> web.Response:
        await self.storage.clear()
        return await super()._reset(request)

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
        if not any(known.fullmatch(call.path) for known in KNOWN):
            return unknown_route()
        try:
            user = accounts.authenticate(self.state["users"], call.headers.get("Authorization"))
            return await self._dispatch(call, user)
        except CallRefusal as refused:
            return refused.reply
        except (Broken, Down):
            return server_error()

    async def _dispatch(self, call: Call, user: User) -> Reply:
        path = call.path
        if path == "api-token-auth/":
            return await self._users.token(call)
        if path == "rest/security/users":
            return await self._users.users(call, user)
        if found := USER.fullmatch(path):
            return await self._users.user(call, user, found[1])
        if path == "rest/repositories":
            return await self._repositories.repositories(call, user)
        if found := REPOSITORY.fullmatch(path):
            return await self._repositories.repository(call, user, found[1])
        if path == "repositories":
            return await self._repositories.data(call, user, "", "")
        found = DATA.fullmatch(path)
        assert found, path
        verb = VERBS[call.method] if found[2] else READ
        return await self._repositories.data(call, user, found[1], verb)


def _allowed_host(host: str) -> bool:
    """Django's ALLOWED_HOSTS as a sandbox needs it: addresses, and names that only exist inside one
    machine or network.
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return "." not in name or name.endswith((".internal", ".local", ".localhost"))
    return True
