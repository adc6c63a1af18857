"""The stand-in itself: what it is made with, its routes, its control route."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from aiohttp import web

from workspace_sandbox.routes import Route
from workspace_sandbox.server import CONTROL, StandIn
from workspace_sandbox.stand_ins.drive import (
    controls,
    dav,
    home,
    login_flow,
    occ,
    ocs_core,
    ocs_oidc,
    ocs_users,
    pages,
    web_login,
    web_logout,
)
from workspace_sandbox.stand_ins.drive.accounts import (
    LOCAL,
    PERMANENT,
    TEMPORARY,
    hash_password,
    new_account,
)
from workspace_sandbox.stand_ins.drive.ocs import Ocs, php_json
from workspace_sandbox.stand_ins.drive.options import OPTIONS, as_deployed
from workspace_sandbox.stand_ins.drive.world import World

Page: TypeAlias = Callable[..., Awaitable[web.Response]]
PROVIDER = "keycloak"


CHECKS = "workspace_manager.systems.drive.client.calls:DriveClient.page"
FLOWS = "workspace_manager.systems.drive.client.login_flow:LoginFlows"
WAY = "workspace_manager.systems.drive.client.sign_in:SignIn"
TOLD = "workspace_sandbox.stand_ins.identity_provider.sessions:end"
_CODE, _FLOW = "/apps/user_oidc/code", "/login/v2/flow/{token}"
_BACKCHANNEL = "/apps/user_oidc/backchannel-logout/{provider}"
PERSON = ("demo person",)
ENDS = "workspace_manager.systems.drive.client.token_session:TokenSession.end"
PAGES: tuple[tuple[str, str, Page, tuple[str, ...]], ...] = (
    ("GET", "/", home.show_front_page, PERSON),
    ("GET", "/apps/dashboard/", home.dashboard, PERSON),
    ("GET", "/login", web_login.login_page, (*PERSON, CHECKS)),
    ("POST", "/login", web_login.login_post, PERSON),
    ("GET", "/logout", web_logout.logout, PERSON),
    ("POST", "/index.php/login/v2", login_flow.start, (f"{FLOWS}.start",)),
    ("POST", "/login/v2/poll", login_flow.poll, (f"{FLOWS}.poll",)),
    ("GET", "/login/v2/flow", login_flow.pick, PERSON),
    ("GET", _FLOW, login_flow.landing, PERSON),
    ("GET", "/login/v2/grant", login_flow.grant_page, PERSON),
    ("POST", "/login/v2/grant", login_flow.grant, PERSON),
    ("GET", "/apps/user_oidc/login/{number}", web_login.oidc_login, (*PERSON, f"{WAY}.begin")),
    ("GET", _CODE, web_login.oidc_code, (*PERSON, f"{WAY}.return_with")),
    ("GET", "/apps/user_oidc/sls", web_logout.single_logout, (*PERSON, CHECKS, ENDS)),
    ("POST", _BACKCHANNEL, web_logout.backchannel_logout, (TOLD,)),
)
OCS = (*ocs_core.ROUTES, *ocs_users.ROUTES, *ocs_oidc.ROUTES)
FILE = "workspace_sandbox.sample_stack.inside.notes:File"
LOOK = "workspace_manager.systems.drive.client.look:look"
STATUS = "workspace_manager.systems.drive.client.calls:DriveClient.status"
ROUTES = (
    Route("GET", "/status.php", (STATUS, LOOK)),
    Route("PROPFIND", "/remote.php/dav/files/{home...}", ("outsider", f"{FILE}.reach")),
    Route("GET", "/remote.php/dav/files/{home...}", (f"{FILE}.read",)),
    Route("PUT", "/remote.php/dav/files/{home...}", (f"{FILE}.write",)),
    Route("MKCOL", "/remote.php/dav/files/{home...}", (f"{FILE}.write",)),
    *(route.shown for route in OCS),
    *(Route(method, path, callers) for method, path, _, callers in PAGES),
)


class DriveStandIn(StandIn):
    """Nextcloud 29 with user_oidc, single sign-on only.

    `issuer_url`: of the identity provider, whose discovery and keys are fetched over HTTP.
    `client_id`, `client_secret`: the drive's client there. `users`: local accounts besides the
    administrator, id to password. `admin_app_password`: one of the administrator's that is there
    from the beginning. `options`: switches (see `options.OPTIONS`).
    """

    name: ClassVar[str] = "drive"
    product: ClassVar[str] = "Nextcloud"
    routes = ROUTES

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        issuer_url: str,
        client_id: str,
        client_secret: str = "",
        admin_username: str = "admin",
        admin_password: str = "drive-admin",
        admin_app_password: str = "",
        users: Mapping[str, str] | None = None,
        version: str = "8.6.1",
        **options: Any,
    ) -> None:
        self.issuer_url = issuer_url.rstrip("/")
        self.client_id = client_id
        self.client_secret = client_secret
        self._people = {admin_username: admin_password, **(users or {})}
        self._admin = admin_username
        self._app_password = admin_app_password
        self._options = {"version": version, **options}
        unknown = set(options) - set(OPTIONS)
        if unknown:
            raise ValueError(f"no such option: {', '.join(sorted(unknown))}")
        super().__init__(data_dir=data_dir)
        # Kept state may come from an older stand-in that did not know every option yet.
        self.state["options"] = {**OPTIONS, **self.state["options"]}
        self.world = World(lambda: self.state, self.changed, lambda: self.url)
        self._ocs = Ocs(self.world, OCS)

    def seed(self) -> dict[str, Any]:
        accounts = {
            uid: new_account(
                uid,
                LOCAL,
                password=hash_password(password),
                display_name=uid,
                groups=["admin"] if uid == self._admin else [],
            )
            for uid, password in self._people.items()
        }
        provider = {"id": 1, "identifier": PROVIDER, "endSessionEndpoint": None}
        provider |= {"scope": "openid email profile", "settings": as_deployed()}
        state = {
            "accounts": accounts,
            "tokens": [],
            "files": {},
            "attempts": [],
            "providers": [provider],
            "options": {**OPTIONS, **self._options},
            "next_token": 0,
            "next_provider": 1,
        }
        self._configure(provider)
        return state

    def _configure(self, provider: dict[str, Any]) -> None:
        """Point the first provider to the identity provider of this run: ports differ from one run
        to the next.
        """
        provider |= {
            "clientId": self.client_id,
            "clientSecret": self.client_secret,
            "discoveryEndpoint": f"{self.issuer_url}/.well-known/openid-configuration",
            "postLogoutUri": f"{self.url}/" if getattr(self, "url", "") else None,
        }

    async def started(self) -> None:
        for provider in self.state["providers"]:
            if provider["id"] == 1 and provider["identifier"] == PROVIDER:
                self._configure(provider)
        self._with_app_password()

    def _with_app_password(self) -> None:
        text, accounts = self._app_password, self.world.accounts
        if text and accounts.token(text) is None:
            accounts.mint(self._admin, self._admin, "workspace-manager", text=text)

    def what_exists(self) -> dict[str, Any]:
        """Accounts and how many app passwords and sessions each has; no secrets."""
        tokens = self.state["tokens"]
        accounts = [
            {
                "id": account["id"],
                "backend": account["backend"],
                "enabled": account["enabled"],
                "app_passwords": sum(_is(t, account, PERMANENT) for t in tokens),
                "temporary_tokens": sum(_is(t, account, TEMPORARY) for t in tokens),
                "files": sorted(self.state["files"].get(account["id"], {})),
            }
            for account in self.state["accounts"].values()
        ]
        return {"accounts": accounts, "options": dict(self.state["options"])}

    def occ(
        self,
        argv: Sequence[str],
        *,
        user: str = "www-data",
        environment: Mapping[str, str] | None = None,
    ) -> tuple[int, str]:
        """Run the command-line tool as the application container would: exit code and output."""
        return occ.run(self.world, argv, user=user, environment=environment or {})

    async def _reset(self, request: web.Request) -> web.Response:
        self.world.sessions.clear()
        self.world.flows.clear()
        self.world.oidc.forget_keys()
        self.world.shift = 0.0
        answer = await super()._reset(request)
        self._with_app_password()
        return answer

    # --- control ----------------------------------------------------------------------------------

    def add_control_routes(self, app: web.Application) -> None:
        app.router.add_post(f"{CONTROL}/settings", self._settings)
        app.router.add_post(f"{CONTROL}/occ", self._run_occ)

    async def _run_occ(self, request: web.Request) -> web.Response:
        """Run the command-line tool, for a container on a real engine: `{"argv", "user",
        "environment"}`.
        """
        asked = await request.json()
        code, output = self.occ(asked["argv"], user=asked["user"], environment=asked["environment"])
        return web.json_response({"exit_code": code, "output": output})

    async def _settings(self, request: web.Request) -> web.Response:
        """Change what an administrator of the drive could have changed (`controls.py`)."""
        try:
            wanted = dict(await request.json())
        except (ValueError, TypeError):
            return web.json_response({"message": "not a JSON object"}, status=400)
        unknown = controls.change(self.world, self.state, wanted, request.remote or "127.0.0.1")
        if unknown:
            text = f"no such option: {', '.join(sorted(unknown))}"
            return web.json_response({"message": text}, status=400)
        self.changed()
        return web.json_response(self.state["options"])

    # --- routes -----------------------------------------------------------------------------------

    def add_routes(self, app: web.Application) -> None:
        app.router.add_route("*", "/status.php", self._status)
        app.router.add_route("*", "/ocs/v2.php/{tail:.*}", self._answer_ocs)
        app.router.add_route("*", "/remote.php/dav/files/{tail:.*}", self._answer_dav)
        app.router.add_route("*", "/{tail:.*}", self._answer_page)

    async def _status(self, request: web.Request) -> web.Response:
        if not self._trusted(request):
            return web.json_response({"error": "Trusted domain error.", "code": 15}, status=400)
        text = str(self.world.options["server_version"])
        status = {
            "installed": True,
            "maintenance": bool(self.world.options["maintenance"]),
            "needsDbUpgrade": False,
            "version": f"{text}.1",
            "versionstring": text,
            "edition": "",
            "productname": self.product,
            "extendedSupport": False,
        }
        headers = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}
        return web.Response(body=php_json(status), headers=headers)

    async def _answer_ocs(self, request: web.Request) -> web.Response:
        if not self._trusted(request):
            return pages.untrusted()
        if self.world.options["proxy_404"] and request.path.endswith("/core/getapppassword"):
            return web.Response(
                status=404, text="<html><h1>404 Not Found</h1></html>", content_type="text/html"
            )
        return await self._ocs.answer(request)

    async def _answer_dav(self, request: web.Request) -> web.Response:
        return (
            pages.untrusted()
            if not self._trusted(request)
            else await dav.answer(self.world, request)
        )

    async def _answer_page(self, request: web.Request) -> web.Response:
        if not self._trusted(request):
            return pages.untrusted()
        if self.world.options["maintenance"]:
            return pages.maintenance()
        response = await self._page(request)
        return self.world.with_cookies(request, response)

    async def _page(self, request: web.Request) -> web.Response:
        path = request.path.rstrip("/") or "/"
        if path.startswith("/apps/user_oidc/") and not self.world.oidc.running:
            return pages.not_found()
        for method, pattern, handler, _ in PAGES:
            wanted = re.sub(r"\{\w+\}", "([^/]+)", pattern.rstrip("/") or "/")
            if method == request.method and (found := re.fullmatch(wanted, path)):
                return await handler(self.world, request, *found.groups())
        return pages.not_found()

    def _trusted(self, request: web.Request) -> bool:
        host = request.host.rpartition("]")[0].lstrip("[") or request.host.partition(":")[0]
        if host == "localhost" or {host, "*"} & set(self.world.options["trusted_domains"]):
            return True
        try:
            ip_address(host)
        except ValueError:
            return False
        return True


def _is(token: Mapping[str, Any], account: Mapping[str, Any], kind: int) -> bool:
    return bool(token["uid"] == account["id"] and token["type"] == kind)
