"""An identity provider to test against, real or stand-in, and what the tests of its life need."""

import base64
import contextlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import httpx
import pytest
from argon2.low_level import Type, hash_secret_raw

from workspace_manager.contract.connector import Change, Facts
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.systems.drive.realm import drive_client
from workspace_manager.systems.identity_provider.connector import IdentityProvider, connect
from workspace_manager.systems.identity_provider.names import new_user_target
from workspace_manager.systems.identity_provider.realm.services import manager_client
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.systems.notebook_hub.realm import hub_client
from workspace_manager.systems.sql_server.realm import sql_tool_client

USER, ATTRIBUTES, REALM = (f"identity_provider.{kind}" for kind in ("user", "attributes", "realm"))
CANARY = "canary-4711-secret"
FENCE: Facts = {"enabled": False, "sessions": 0}
MANAGER, DRIVE = "https://manager.example", "https://drive.example"
HUB, TOOL = "https://hub.example", "https://sql.example"
SECRETS = {
    "hash": "",
    "vault/client": f"{CANARY}-client",
    "vault/app": f"{CANARY}-app",
    "vault/sql": f"{CANARY}-sql",
}


def resolve(ref: SecretRef) -> Secret:
    if ref == "hash":
        return password_hash(CANARY)
    return Secret(SECRETS[ref], name=ref)


def password_hash(password: str) -> Secret:
    """What a registration keeps: argon2 with Keycloak's own parameters."""
    salt = b"0123456789abcdef"
    key = hash_secret_raw(password.encode(), salt, 5, 7168, 1, 32, Type.ID)
    data = {
        "hashIterations": 5,
        "algorithm": "argon2",
        "additionalParameters": {
            "hashLength": ["32"],
            "memory": ["7168"],
            "type": ["id"],
            "version": ["1.3"],
            "parallelism": ["1"],
        },
    }
    hidden = {"value": base64.b64encode(key).decode(), "salt": base64.b64encode(salt).decode()}
    text = {"credentialData": json.dumps(data), "secretData": json.dumps(hidden)}
    return Secret(json.dumps(text), name="password hash")


def wants(realm: str) -> RealmWants:
    return RealmWants(
        realm,
        clients=(
            manager_client(MANAGER, audiences={"drive": DRIVE}, secret_ref="vault/client"),
            drive_client(DRIVE, provider_name="keycloak"),
            hub_client(HUB),
            sql_tool_client(TOOL),
        ),
    )


@dataclass
class ProviderUnderTest:
    """An identity provider with a realm that nobody set up yet, and who may administer it."""

    settings: Settings

    @cached_property
    def system(self) -> IdentityProvider:
        return connect(self.settings, resolve)

    @contextlib.contextmanager
    def admin(self) -> Iterator[httpx.Client]:
        """Somebody else's hands: the admin API without our connectors."""
        base = f"{self.settings.url}/admin/realms/{self.settings.realm}"
        form = {"grant_type": "password", "client_id": "admin-cli"}
        form["username"] = self.settings.admin_username
        form["password"] = (self.settings.admin_password or Secret("")).reveal()
        url = f"{self.settings.url}/realms/master/protocol/openid-connect/token"
        token = httpx.post(url, data=form).json()["access_token"]
        with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}) as client:
            yield client

    def sign_in(self, username: str, password: str = CANARY, **form: str) -> dict[str, Any]:
        """Sign in without a browser, at a client that allows it."""
        form = {"grant_type": "password", "client_id": "probe", "scope": "openid"} | form
        return self.token(username=username, password=password, **form)

    def token(self, **form: str) -> dict[str, Any]:
        url = f"{self.settings.url}/realms/{self.settings.realm}/protocol/openid-connect/token"
        answer = httpx.post(url, data=form)
        return {"status": answer.status_code, **answer.json()}

    def make(self, name: str) -> str:
        """Make a user through our connector; gives its id."""
        return self.system.connectors[USER].apply(creation(name, f"mark-{name}")).facts["sub"]

    def set_up(self) -> None:
        """Make the realm fit for the workspace, and a client to sign in at without a browser."""
        with self.admin() as admin:
            admin.post("/clients", json=PROBE)
        for change in self.system.realm_changes(wants(self.settings.realm)):
            self.system.connectors[REALM].apply(change)


PROBE = {
    "clientId": "probe",
    "enabled": True,
    "publicClient": True,
    "directAccessGrantsEnabled": True,
    "standardFlowEnabled": False,
}


def person(username: str, **more: Any) -> dict[str, Any]:
    return {
        "enabled": True,
        "email": f"{username}@Example.org",
        "first_name": "Ada",
        "last_name": "Example",
        "locale": "de",
        "timezone": "Europe/Berlin",
        "email_verified": True,
        **more,
    }


def creation(username: str, mark: str, **more: Any) -> Change:
    return Change(
        kind=USER,
        subject="",
        target=new_user_target(username, mark),
        before=None,
        after=person(username, **more),
        secrets={"password_hash": "hash"},
    )


def claims(token: str) -> dict[str, Any]:
    middle = token.split(".")[1]
    return dict(json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4))))


def service_account(
    admin: httpx.Client, settings: Settings, client_id: str, roles: set[str]
) -> Settings:
    """Make a client whose service account has these roles of realm-management, and settings that
    use it.
    """
    body = {
        "clientId": client_id,
        "publicClient": False,
        "secret": CANARY,
        "serviceAccountsEnabled": True,
        "standardFlowEnabled": False,
    }
    made = admin.post("/clients", json=body).headers["location"].rpartition("/")[2]
    user = admin.get(f"/clients/{made}/service-account-user").json()["id"]
    owner = admin.get("/clients", params={"clientId": "realm-management"}).json()[0]["id"]
    chosen = [r for r in admin.get(f"/clients/{owner}/roles").json() if r["name"] in roles]
    admin.post(f"/users/{user}/role-mappings/clients/{owner}", json=chosen)
    token_url = f"{settings.url}/realms/{settings.realm}/protocol/openid-connect/token"
    return replace(
        settings,
        admin_username=f"service-account-{client_id}",
        admin_password=Secret(CANARY),
        token_url=token_url,
    )


@pytest.fixture
def name() -> str:
    return f"ada-{uuid.uuid4().hex[:12]}"
