"""Places of the identity provider: its stand-in, and Keycloak."""

import contextlib
import time
from dataclasses import replace
from typing import Any

import httpx

from tests.systems.identity_provider import provider_under_test as others
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.connector import IdentityProvider, connect
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_sandbox.conformance.case import Place
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

REALM = {
    "realm": "conformance",
    "enabled": True,
    "internationalizationEnabled": True,
    "supportedLocales": ["en", "de"],
    "defaultLocale": "en",
    "accessTokenLifespan": 900,
}
PASSWORD = "the same for everybody"
TOKEN_S = 40
"""Seconds for which a token of ours is used again; the master realm's live for 60."""


class IdentityProviderPlace(Place):
    """A realm that was set up, an administrator, and accounts that may see less."""

    system = "identity_provider"
    reads = r"(GET|HEAD) |POST /realms/\S+/token"
    poor = ("no roles", "query-users alone")

    def __init__(self, settings: Settings, door: StandIn, own: Settings) -> None:
        """`own`: the way past the door, for looking and for other hands."""
        super().__init__()
        self.door = door
        self.settings = settings
        self.hands = others.ProviderUnderTest(own)
        self.vault.standing.append(_text(settings.admin_password))
        self._admin: httpx.Client | None = None
        self._admin_until = 0.0
        self.set_up()

    def set_up(self) -> None:
        system = connect(self.hands.settings, self.vault.resolve, RealmWants(self.settings.realm))
        with self.hands.admin() as admin:
            admin.post("/clients", json=others.PROBE).raise_for_status()
        for change in system.realm_changes():
            system.connectors[change.kind].apply(change)

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> IdentityProvider:
        return connect(replace(self.settings, **changes), self.vault.resolve, calls=calls)

    def moved(self) -> IdentityProvider:
        return self.connect(url="http://127.0.0.1:9")

    def wrong_password(self) -> IdentityProvider:
        return self.connect(admin_password=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> IdentityProvider:
        roles = {"query-users"} if name == "query-users alone" else set[str]()
        client = f"poor-{self.poor.index(name)}"
        made = others.service_account(self.admin, self.settings, client, roles)
        self.vault.stand(_text(made.admin_password))
        return connect(made, self.vault.resolve)

    def came_back(self) -> None:
        """Whoever was signed in need not be any more."""
        self._admin_until = 0.0

    @property
    def admin(self) -> httpx.Client:
        """The admin API without our connectors."""
        if self._admin is None or time.monotonic() > self._admin_until:
            with self.hands.admin() as fresh:
                headers = fresh.headers["Authorization"]
            self._admin = self._admin or httpx.Client(
                base_url=f"{self.hands.settings.url}/admin/realms/{self.settings.realm}"
            )
            self._admin.headers["Authorization"] = headers
            self._admin_until = time.monotonic() + TOKEN_S
        return self._admin


def _text(secret: Secret | None) -> str:
    return secret.reveal() if secret else ""


class StandInPlace(IdentityProviderPlace):
    """Its stand-in."""

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "StandInPlace":
        password = "canary-of-the-administrator"
        stand_in = IdentityProviderStandIn(
            realm=str(REALM["realm"]),
            admin_password=password,
            declared_attributes=(),
            realm_settings=REALM,
        )
        stack.enter_context(running(stand_in))
        settings = _settings(stand_in.url, "admin", Secret(password))
        return cls(settings, stand_in, settings)


class KeycloakPlace(IdentityProviderPlace):
    """A real Keycloak behind a door."""

    part = "Keycloak"
    real = "Keycloak"

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "KeycloakPlace":
        real.create_realm(REALM)
        door = FaultProxy(real.address.url)
        stack.enter_context(running(door))
        admin = (real.address.admin_username, real.address.admin_password)
        return cls(_settings(door.url, *admin), door, _settings(real.address.url, *admin))


def _settings(url: str, username: str, password: Secret) -> Settings:
    return Settings(
        url=url,
        realm=str(REALM["realm"]),
        admin_username=username,
        admin_password=password,
        client_id=others.MANAGER,
        client_secret=Secret("canary-of-the-manager"),
    )
