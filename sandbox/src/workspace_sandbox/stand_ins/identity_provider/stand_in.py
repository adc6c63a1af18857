"""The stand-in itself: what it starts with, which requests go where, and what tests may see
of it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

from aiohttp import web

from workspace_sandbox.routes import Route
from workspace_sandbox.server import CONTROL, StandIn
from workspace_sandbox.stand_ins.identity_provider import (
    admin,
    answers,
    pages,
    public,
    realms,
    sessions,
)
from workspace_sandbox.stand_ins.identity_provider.answers import Doc, Refusal
from workspace_sandbox.stand_ins.identity_provider.default_settings import admin_only
from workspace_sandbox.stand_ins.identity_provider.realm import MASTER, Realm, Store

DECLARED = (
    "workspace_registration", "filesvc_login_name", "filesvc_app_password", "sql_password",
    "locale", "timezone",
)  # fmt: skip
ACCESS_TOKEN_SECONDS = 60


class IdentityProviderStandIn(StandIn):
    """Answers as a Keycloak 26.7 does: real signatures, real password hashes, the same statuses,
    codes and texts.

    The seed is the realm as `setup identity-provider` leaves it: `declared_attributes` are in the
    user profile, visible to administrators alone. `clients` and `users` are full representations,
    as in a realm import; a user may carry a fixed `id`, `realmRoles`, `clientRoles` and
    credentials, plain or hashed. `realm_settings` are laid over the realm's defaults.
    """

    name: ClassVar[str] = "identity_provider"
    product: ClassVar[str] = "Keycloak"
    routes = (Route("GET", "/", ("demo person",)), *public.ROUTES, *admin.ROUTES)

    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        realm: str = "workspace",
        admin_username: str = "admin",
        admin_password: str = "admin",
        clients: Sequence[Doc] = (),
        users: Sequence[Doc] = (),
        declared_attributes: Sequence[str] = DECLARED,
        realm_settings: Doc | None = None,
        access_token_seconds: int = ACCESS_TOKEN_SECONDS,
    ) -> None:
        self.realm = realm
        self.admin_username = admin_username
        self._admin_password = admin_password
        self._clients = list(clients)
        self._users = list(users)
        self._declared = list(declared_attributes)
        self._settings = {"enabled": True, "accessTokenLifespan": access_token_seconds} | (
            realm_settings or {}
        )
        super().__init__(data_dir=data_dir)
        self.store = Store(self)
        if self.file and not self.file.exists():
            # A stand-in that is killed before anything changed must come back with the same people,
            # ids and keys.
            self.keep()

    def seed(self) -> Doc:
        made: dict[str, Doc] = {}
        realms.create(made, {"realm": MASTER})
        administrator = {
            "username": self.admin_username,
            "enabled": True,
            "realmRoles": ["admin"],
            "credentials": [{"type": "password", "value": self._admin_password}],
        }
        workspace = realms.create(made, {**self._settings, "realm": self.realm})
        realms.take_user(Realm(made[MASTER]), administrator)
        declared = [admin_only(name) for name in self._declared]
        workspace.data["profile"]["attributes"].extend(declared)
        for client in self._clients:
            realms.take_client(workspace, client)
        for user in self._users:
            realms.take_user(workspace, {"enabled": True, **user})
        return {"realms": made}

    # --- requests ---------------------------------------------------------------------------------

    def add_routes(self, app: web.Application) -> None:
        app.on_response_prepare.append(answers.finish)
        app.router.add_route("*", "/{path:.*}", self._everything)

    async def _everything(self, request: web.Request) -> web.Response:
        raw = request.raw_path.partition("?")[0]
        segments = [unquote(segment) for segment in raw.strip("/").split("/")]
        body = await request.read()
        try:
            if raw == "/":
                return self.front_page()
            if segments[0] == "realms":
                return await public.answer(self.store, request, body, segments[1:])
            return _acceptable(request, await admin.answer(self.store, request, body, segments[2:]))
        except Refusal as refusal:
            return _refused(request, refusal)

    # --- control ----------------------------------------------------------------------------------

    def add_control_routes(self, app: web.Application) -> None:
        app.router.add_post(f"{CONTROL}/settings", self._change_settings)

    async def _change_settings(self, request: web.Request) -> web.Response:
        """`{"access_token_seconds": n}`: how long access tokens of the seeded realm are good from
        now on.
        """
        try:
            given = await request.json()
            lifespan = int(given["access_token_seconds"])
        except (ValueError, KeyError, TypeError):
            text = 'expected {"access_token_seconds": seconds}'
            return web.json_response({"message": text}, status=400)
        realm = self.store.realm(self.realm)
        if realm is None or lifespan < 1:
            return web.json_response(
                {"message": "no such realm, or no positive number"}, status=400
            )
        realm.settings["accessTokenLifespan"] = lifespan
        self.keep()
        return web.json_response({"access_token_seconds": lifespan})

    def what_exists(self) -> Doc:
        """Every realm's people and clients. No password, hash, key or token; of password attributes
        only `set`.
        """
        return {
            "realm": self.realm,
            "realms": {name: _exists(Realm(data)) for name, data in self.state["realms"].items()},
        }


def _wants_page(request: web.Request) -> bool:
    return "text/html" in request.headers.get("Accept", "")


def _acceptable(request: web.Request, response: web.Response) -> web.Response:
    accepted = request.headers.get("Accept", "*/*")
    if response.body and "json" not in accepted and "*/*" not in accepted:
        return answers.as_json({"error": "HTTP 406 Not Acceptable"}, 406)
    return response


def _refused(request: web.Request, refusal: Refusal) -> web.Response:
    """JSON, or a page where a browser asks: a client that forgets `Accept` must be seen to stumble
    over it.
    """
    if not _wants_page(request):
        return answers.answer_refusal(refusal)
    message = "Page not found" if refusal.status == 404 else "An internal server error has occurred"
    return pages.answer(pages.error("Keycloak", message), refusal.status)


def _exists(realm: Realm) -> Doc:
    open_sessions: dict[str, int] = {}
    for session in realm.sessions.values():
        if sessions.alive(realm, session):
            open_sessions[session["user"]] = open_sessions.get(session["user"], 0) + 1
    return {
        "enabled": realm.setting("enabled"),
        "access_token_seconds": realm.setting("accessTokenLifespan"),
        "users": [_person(realm, user, open_sessions) for user in realm.users.values()],
        "clients": [
            {"id": client["id"], "clientId": client["clientId"], "enabled": client["enabled"]}
            for client in realm.clients.values()
        ],
        "groups": [
            {"name": group["name"], "members": [*group["members"]]}
            for group in realm.groups.values()
        ],
    }


def _person(realm: Realm, user: Doc, open_sessions: dict[str, int]) -> Doc:
    shown: dict[str, Any] = {
        name: user.get(name) for name in ("id", "username", "email", "enabled", "emailVerified")
    }
    return shown | {
        "attributes": {
            name: ["set"] if "password" in name else values
            for name, values in user["attributes"].items()
        },
        "requiredActions": user["requiredActions"],
        "has_password": bool(user["credentials"]),
        "sessions": open_sessions.get(user["id"], 0),
        "offline_sessions": sum(s["user"] == user["id"] for s in realm.offline.values()),
    }
