"""A hub with its container manager and a small identity provider beside it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from aiohttp import web

from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager import connector as container_manager
from workspace_manager.systems.container_manager.settings import Settings as ContainerSettings
from workspace_manager.systems.notebook_hub.connector import NotebookHub, connect
from workspace_manager.systems.notebook_hub.settings import Settings
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn
from workspace_sandbox.stand_ins.notebook_hub import NotebookHubStandIn

KEY, TOKEN = "ptr_canary-8b1c", "canary-token-77"


class Provider(StandIn):
    """An OpenID Connect provider that signs in whoever it is told, until that person is removed."""

    name: ClassVar[str] = "provider"
    product: ClassVar[str] = "an identity provider"

    def seed(self) -> dict[str, Any]:
        return {"user": "john.doe", "removed": False, "codes": {}}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/.well-known/openid-configuration", self._discovery)
        app.router.add_get("/authorize", self._authorize)
        app.router.add_post("/token", self._token)
        app.router.add_get("/userinfo", self._userinfo)

    async def _discovery(self, _request: web.Request) -> web.Response:
        names = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        return web.json_response({f"{k}_endpoint": f"{self.url}/{v}" for k, v in names.items()})

    async def _authorize(self, request: web.Request) -> web.Response:
        asked = request.query
        self.state["codes"]["code-1"] = asked["redirect_uri"]
        assert asked["code_challenge_method"] == "S256"
        raise web.HTTPFound(f"{asked['redirect_uri']}?state={asked['state']}&code=code-1")

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.post()
        known = form["grant_type"] == "refresh_token" or (
            self.state["codes"].pop(form.get("code"), None) == form.get("redirect_uri")
        )
        if self.state["removed"] or not known or form["client_secret"] != "hub-secret":
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response({"access_token": "a1", "refresh_token": "r1"})

    async def _userinfo(self, _request: web.Request) -> web.Response:
        return web.json_response(
            {"sub": "1", "preferred_username": self.state["user"], "filesvc_login_name": "1"}
        )


@dataclass
class World:
    """Everything that runs, and the system connected to it."""

    provider: Provider
    manager: ContainerManagerStandIn
    hub: NotebookHubStandIn
    connected: Callable[..., NotebookHub]

    def status(self, name: str) -> str | None:
        found = [c for c in self.manager.what_exists()["containers"] if c["name"] == name]
        return found[0]["status"] if found else None


@pytest.fixture
def world() -> Iterator[World]:
    provider, manager = Provider(), ContainerManagerStandIn(api_key=KEY)
    with running(provider, manager):
        hub = NotebookHubStandIn(
            issuer_url=provider.url,
            client_id="",
            client_secret="hub-secret",
            container_url=manager.url,
            api_key=KEY,
            environment_id=1,
            api_token=TOKEN,
            slow_stop_s=300,
        )
        with running(hub):
            yield World(provider, manager, hub, connecting(manager, hub))


def connecting(
    manager: ContainerManagerStandIn, hub: NotebookHubStandIn
) -> Callable[..., NotebookHub]:
    def secrets(reference: str) -> Secret:
        raise AssertionError(f"asked for {reference}")

    def connect_to(
        *,
        with_api: bool = True,
        with_engine: bool = True,
        engine_url: str = "",
        people: Sequence[KnownPerson] = (),
        **changes: Any,
    ) -> NotebookHub:
        token = Secret(TOKEN) if with_api else None
        settings = Settings(**{"url": hub.url, "api_token": token, **changes})
        containers = container_manager.connect(
            ContainerSettings(url=engine_url or manager.url, api_key=Secret(KEY)), secrets
        )
        engine = containers.containers if with_engine else None
        return connect(settings, secrets, engine, lambda: people)

    return connect_to
