"""A stand-in of JupyterHub 6.1 with DockerSpawner: sign-in by OpenID Connect, one container per
person, the hub's REST API.

Signing in starts the person's notebook: a container named `<prefix><escaped name>` with image
`sandbox/notebook`, made through the container manager. Before every start the identity provider is
asked again; a refused identity starts no server. The container does nothing; its page says that it
runs.
"""

import html
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

from workspace_sandbox.routes import called
from workspace_sandbox.stand_ins.notebook_hub.hub_api import SCOPES, HubApi
from workspace_sandbox.stand_ins.notebook_hub.servers import Servers
from workspace_sandbox.stand_ins.notebook_hub.sign_in import CALLBACK, SignIn, Tokens
from workspace_sandbox.stand_ins.notebook_hub.spawner import Spawner, SpawnFailed
from workspace_sandbox.stand_ins.openid import ProviderRefusal, ProviderUnavailable

__all__ = ["NotebookHubStandIn"]

COOKIE = "jupyterhub-session-id"
POLL_S = 30.0
"""Seconds for which the hub believes a server alive that somebody else stopped."""
STANDS_IN = (
    "This is a stand-in of the workspace manager's sandbox, not a real JupyterHub. Nothing "
    "here is kept safe."
)


_LOOK = "workspace_manager.systems.notebook_hub.client.look:look"
_SIGN_IN = "workspace_manager.systems.notebook_hub.client.sign_in:begin_sign_in"
_CLIENT = "workspace_manager.systems.notebook_hub.client.calls:Client"
_BY_HAND = ("DELETE /hub/api/users/{name}",)
_PAGES = ("/", "/hub/login", CALLBACK, "/hub/spawn", "/hub/logout", "/user/{name}/{tail...}")
ROUTES = (
    *called("demo person", routes=[*(f"GET {path}" for path in _PAGES), *_BY_HAND]),
    *called(
        _SIGN_IN, "workspace_manager.contract.sign_in_walk:visit", routes=["GET /hub/oauth_login"]
    ),
    *called(f"{_CLIENT}.version", _LOOK, routes=["GET /hub/api"]),
    *called(f"{_CLIENT}.me", routes=["GET /hub/api/user"]),
    *called(f"{_CLIENT}.info", routes=["GET /hub/api/info"]),
    *called(f"{_CLIENT}.servers", routes=["GET /hub/api/users/{name}"]),
    *called(f"{_CLIENT}.users", routes=["GET /hub/api/users"]),
    *called(
        f"{_CLIENT}.stop_server",
        routes=[
            "DELETE /hub/api/users/{name}/server",
            "DELETE /hub/api/users/{name}/servers/{server}",
        ],
    ),
)


class NotebookHubStandIn(Servers):
    """The hub at one address. `container_url`, `api_key`, `environment_id`: the container
    manager's, as the manager's settings.

    `client_id` "": the hub's own address, as it is set up. `scopes`: what the API token may.
    `slow_stop_s`: seconds after which a stop is answered with 202.
    """

    name: ClassVar[str] = "notebook_hub"
    product: ClassVar[str] = "JupyterHub"
    routes = ROUTES

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        issuer_url: str,
        client_id: str,
        client_secret: str,
        container_url: str,
        api_key: str,
        environment_id: int = 1,
        prefix: str = "jupyter-",
        escape: str = "dockerspawner",
        api_token: str = "",
        scopes: Sequence[str] = SCOPES,
        slow_stop_s: float = 10.0,
        poll_s: float = POLL_S,
    ) -> None:
        super().__init__(data_dir=data_dir)
        self.api_token = api_token
        self.administrator = secrets.token_hex(16)
        """The token of the hub's administrator, who may delete users."""
        self.scopes = scopes
        self.api = HubApi(self)
        self.slow_stop_s = slow_stop_s
        self.poll_s = poll_s
        self.prefix, self.escape = prefix, escape
        self._sign_in = SignIn(issuer_url, client_id, client_secret)
        self.spawner = Spawner(container_url, api_key, environment_id)

    def seed(self) -> dict[str, Any]:
        return {"users": {}, "sessions": {}}

    def what_exists(self) -> dict[str, Any]:
        """Users, whether the hub believes their servers to run, and how many are signed in."""
        users = {
            name: {"running": row["running"], "container": self.container(name)}
            for name, row in self.users().items()
        }
        return {"users": users, "sessions": len(self.state["sessions"])}

    # --- running ----------------------------------------------------------------------------------

    def add_routes(self, app: web.Application) -> None:
        self.api.add_routes(app)
        app.router.add_get("/", self._home)
        app.router.add_get("/hub/login", self._login)
        app.router.add_get("/hub/oauth_login", self._login)
        app.router.add_get(CALLBACK, self._callback)
        app.router.add_get("/hub/spawn", self._spawn)
        app.router.add_get("/hub/logout", self._logout)
        app.router.add_get("/user/{name}/{tail:.*}", self._notebook)

    async def started(self) -> None:
        self._sign_in.known_as(self.url)
        await self.spawner.open()

    async def stop(self) -> None:
        await super().stop()
        await self.spawner.close()

    # --- pages ------------------------------------------------------------------------------------

    async def _home(self, request: web.Request) -> web.StreamResponse:
        session = self._session(request)
        if session is None:
            return web.HTTPFound("/hub/login")
        user = session["user"]
        state = "runs" if self.users()[user]["running"] else "does not run"
        return page(
            "JupyterHub",
            f"<p>Signed in as {html.escape(user)}. Your notebook {state}.</p>"
            '<p><a id="start" href="/hub/spawn">Start my server</a> · <a id="logout" '
            'href="/hub/logout">Sign out</a></p>',
        )

    async def _login(self, _request: web.Request) -> web.StreamResponse:
        try:
            return web.HTTPFound(await self._sign_in.begin(self.url))
        except (ProviderUnavailable, ProviderRefusal) as gone:
            return page(
                "Sign in",
                f"<p>The identity provider does not answer: {html.escape(str(gone))}.</p>",
                503,
            )

    async def _callback(self, request: web.Request) -> web.StreamResponse:
        given = request.query
        if given.get("error") or not given.get("code"):
            why = html.escape(given.get("error", "no code came back"))
            return page("Sign in", f"<p>The identity provider refused the sign-in: {why}.</p>", 400)
        try:
            tokens, person = await self._sign_in.finish(
                self.url, given.get("state", ""), given["code"]
            )
        except ProviderRefusal as refused:
            return page("Sign in", f"<p>Sign-in refused: {html.escape(str(refused))}.</p>", 403)
        except ProviderUnavailable as gone:
            return page(
                "Sign in",
                f"<p>The identity provider does not answer: {html.escape(str(gone))}.</p>",
                503,
            )
        user = str(person.get("preferred_username", "")).lower()
        if not user or "/" in user or user != user.strip():
            return page("Sign in", "<p>This name cannot be a user of the hub.</p>", 403)
        self.add_user(user)
        cookie = secrets.token_urlsafe(24)
        self.state["sessions"][cookie] = {
            "user": user,
            "access": tokens.access,
            "refresh": tokens.refresh,
        }
        self.keep()
        response = web.HTTPFound("/hub/spawn")
        response.set_cookie(COOKIE, cookie, httponly=True, samesite="Lax", path="/")
        return response

    async def _spawn(self, request: web.Request) -> web.StreamResponse:
        """Start the server, after the identity provider vouched for the person once more."""
        session = self._session(request)
        if session is None:
            return web.HTTPFound("/hub/login")
        try:
            tokens, person = await self._sign_in.again(
                Tokens(session["access"], session["refresh"])
            )
        except ProviderRefusal:
            self.state["sessions"].pop(request.cookies[COOKIE], None)
            self.keep()
            return page(
                "Sign in again",
                "<p>The identity provider does not know you any more. No server was started.</p>",
                403,
            )
        except ProviderUnavailable as gone:
            return page(
                "Start",
                f"<p>The identity provider does not answer: {html.escape(str(gone))}.</p>",
                503,
            )
        session.update(access=tokens.access, refresh=tokens.refresh)
        login_name = str(person.get("filesvc_login_name") or "")
        environment = {"NC_LOGIN_NAME": login_name} if login_name else {}
        session["drive"] = bool(login_name and person.get("filesvc_app_password"))
        try:
            await self.start_server(session["user"], environment)
        except SpawnFailed as failed:
            return page(
                "Spawn failed",
                f"<p>Your server did not start: {html.escape(str(failed))}.</p>",
                500,
            )
        return web.HTTPFound(f"/user/{session['user']}/")

    async def _notebook(self, request: web.Request) -> web.StreamResponse:
        session = self._session(request)
        name = request.match_info["name"]
        if session is None:
            return web.HTTPFound("/hub/login")
        if session["user"] != name:
            return page("Not yours", "<p>This is somebody else's notebook.</p>", 403)
        try:
            alive = await self.spawner.runs(self.container(name))
        except SpawnFailed as failed:
            return page(
                "No answer",
                f"<p>The notebook cannot be reached: {html.escape(str(failed))}.</p>",
                503,
            )
        if not alive:
            return page(
                "Not running",
                '<p>Your notebook does not run. <a href="/hub/spawn">Start it</a>.</p>',
                503,
            )
        drive = "Its drive is connected." if session.get("drive") else "Its drive is not connected."
        return page(
            "Your notebook runs",
            f"<p id=running>The notebook of {html.escape(name)} runs in container "
            f"<code>{html.escape(self.container(name))}</code>. {drive}</p><p><a "
            f"href='/hub/logout'>Sign out</a></p>",
        )

    async def _logout(self, request: web.Request) -> web.StreamResponse:
        """End the hub's session; the server runs on, as a hub's does."""
        if self.state["sessions"].pop(request.cookies.get(COOKIE, ""), None) is not None:
            self.keep()
        response = page(
            "Signed out", '<p>You are signed out of the hub. <a href="/hub/login">Sign in</a></p>'
        )
        response.del_cookie(COOKIE, path="/")
        return response

    def _session(self, request: web.Request) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.state["sessions"].get(request.cookies.get(COOKIE, ""))
        return found if found and found["user"] in self.users() else None


def page(title: str, body: str, status: int = 200) -> web.Response:
    text = (
        f"<!doctype html><html lang=en><title>{title} (stand-in)</title><h1>{title}</h1>{body}"
        f"<footer><small>{STANDS_IN}</small></footer>"
    )
    return web.Response(status=status, content_type="text/html", text=text)
