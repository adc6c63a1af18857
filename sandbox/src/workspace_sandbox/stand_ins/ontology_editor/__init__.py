"""A stand-in of WebProtégé: the interface under /data, upstream or patched, and sign-in through an
identity provider.

It answers as the real one does, with Tomcat's pages and Jackson's sentences, and keeps its defects:
creation is not idempotent, owners are plain strings, and trouble is a page that says the editor did
not start.
"""

import asyncio
import copy
import hashlib
import html
import re
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

from aiohttp import web

from workspace_sandbox.server import CONTROL, StandIn
from workspace_sandbox.stand_ins.ontology_editor import addresses
from workspace_sandbox.stand_ins.ontology_editor.bodies import BadBody
from workspace_sandbox.stand_ins.ontology_editor.oidc import SignIn
from workspace_sandbox.stand_ins.ontology_editor.pages import (
    container_page,
    not_available,
    unforeseen,
)
from workspace_sandbox.stand_ins.ontology_editor.projects import Projects, is_guest

KEY = re.compile(r"apikey\s+(.+)", re.IGNORECASE | re.DOTALL)
SERVICE_ACCOUNT = "svc-manager"


class OntologyEditorStandIn(StandIn):
    """WebProtégé on loopback. `flavour`: "patched" or "upstream". With `issuer_url` people can sign
    in.
    """

    name: ClassVar[str] = "ontology_editor"
    service_account: ClassVar[str] = SERVICE_ACCOUNT
    product: ClassVar[str] = "WebProtégé"
    routes = addresses.SERVED

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        api_key: str = "6b0c8a5e-6f0e-4a55-9a0e-4d7a0e6f1c11",
        flavour: str = "patched",
        issuer_url: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
    ) -> None:
        self.api_key = api_key
        self.flavour = flavour
        self.database = "up"
        """"up"; "down": calls with a key answer 500; "gone": everything does, as after a start
        without it.
        """
        self.database_wait_s = 0.0
        super().__init__(data_dir=data_dir)
        # Whoever starts it again with kept data may have made up a new key; real keys, too, live
        # side by side.
        self.state["keys"][_digest(api_key)] = SERVICE_ACCOUNT
        self.projects = Projects(self, lambda: self.flavour == "patched")
        self.sign_in: SignIn | None = None
        if issuer_url is not None:
            self.sign_in = SignIn(self, issuer_url, client_id or "", client_secret or "")

    def seed(self) -> dict[str, Any]:
        return {
            "projects": {},
            "users": {
                "admin": {"email": "admin@example.org"},
                SERVICE_ACCOUNT: {"email": "svc-manager@example.org"},
            },
            "roles": {SERVICE_ACCOUNT: ["ProjectCreator"], "admin": ["SystemAdmin"]},
            "keys": {_digest(self.api_key): SERVICE_ACCOUNT},
        }

    def add_key(self, key: str, user: str, *roles: str) -> None:
        """Give a user a key, and application roles, as the command line of the real one does."""
        self.state["keys"][_digest(key)] = user
        self.state["roles"].setdefault(user, []).extend(roles)
        self.changed()

    def what_exists(self) -> dict[str, Any]:
        """Show projects with their members, and accounts; keys are left out."""
        return copy.deepcopy({name: self.state[name] for name in ("projects", "users", "roles")})

    def add_control_routes(self, app: web.Application) -> None:
        app.router.add_post(f"{CONTROL}/database", self._set_database)

    async def _set_database(self, request: web.Request) -> web.Response:
        """Take the database away, or bring it back: `{"state": "up"|"down"|"gone",
        "wait_s": 0}`.
        """
        wanted = await request.json()
        self.database = str(wanted.get("state", "up"))
        self.database_wait_s = float(wanted.get("wait_s", 0))
        return web.json_response({})

    def add_routes(self, app: web.Application) -> None:
        app.router.add_route("*", "/{tail:.*}", self._respond)

    # --- answering --------------------------------------------------------------------------------

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        raw = request.raw_path.partition("?")[0]
        if self.database == "gone":
            return unforeseen("com.mongodb.MongoTimeoutException")
        if "%2f" in raw.lower():
            said = "Invalid URI: [The encoded slash character is not allowed]"
            return container_page(400, said, headers={"Connection": "close"})
        # Tomcat cuts path parameters off before anything is matched: `eve;x=1` is `eve`.
        path = unquote(re.sub(r";[^/]*", "", raw))
        if path == "/data" or path.startswith("/data/"):
            return await self._data(request, path[6:])
        return await self._page(request, path)

    async def _data(self, request: web.Request, path: str) -> web.StreamResponse:
        """Match the address, then the method, then what is accepted and sent, then the key, then
        the body.
        """
        match = addresses.match(path, patched=self.flavour == "patched")
        if match is None:
            return container_page(404)
        refusal = addresses.refusal(request, match)
        if refusal is not None:
            return refusal
        body = await request.read()
        user = await self._user(request, match)
        if isinstance(user, web.Response):
            return user
        try:
            found = addresses.answer(self.projects, user, request, match, body)
        except BadBody as bad:
            return bad.response
        if found is not None:
            return found
        link = f'<{_base(request)}{request.raw_path}>; rel="self"'
        return container_page(404, headers={"Link": link})

    async def _user(self, request: web.Request, match: addresses.Match) -> str | web.Response:
        """Find who calls: by key, else by session; a creation takes a key alone."""
        header = KEY.fullmatch(request.headers.get("Authorization", ""))
        if header is not None and self.database == "down":
            await asyncio.sleep(self.database_wait_s)
            return unforeseen("com.mongodb.MongoTimeoutException")
        user: str | None = None
        if header is not None:
            user = self.state["keys"].get(_digest(header[1]))
        elif self.sign_in is not None and not addresses.needs_key(request, match):
            user = self.sign_in.user(request)
        return container_page(401) if user is None or is_guest(user) else user

    async def _page(self, request: web.Request, path: str) -> web.StreamResponse:
        if path in {"/", "/WebProtege.jsp"}:
            return self._front(request)
        if self.sign_in is not None and path == "/webprotege/oidc/login":
            return await self.sign_in.login(request, _base(request))
        if self.sign_in is not None and path == "/webprotege/oidc/callback":
            return await self.sign_in.callback(request, _base(request))
        return not_available(path)

    def _front(self, request: web.Request) -> web.Response:
        """Answer a browser with a page: that this is a stand-in, who is signed in, and the projects
        of that person.
        """
        page = self.front_page()
        user = self.sign_in.user(request) if self.sign_in else None
        lines = ['<p><a href="/webprotege/oidc/login">Sign in</a></p>' if self.sign_in else ""]
        if user is not None:
            mine = [
                one["displayName"]
                for key, one in self.state["projects"].items()
                if not one["inTrash"] and (one["owner"] == user or self.projects.roles(key, user))
            ]
            items = "".join(f"<li>{html.escape(title)}</li>" for title in mine)
            lines = [f"<p>Signed in as {html.escape(user)}.</p><ul>{items}</ul>"]
        page.text = (page.text or "") + "".join(lines)
        return page


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _base(request: web.Request) -> str:
    """The address of the caller's own Host header; forwarded ones are ignored."""
    return f"http://{request.headers.get('Host', request.host)}"
