"""A drive and an issuer of tokens that answer over HTTP, the attributes in memory, and one person
between them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.drive_credentials.both import KEPT, NAME, Both
from tests.fake_world.people import make_person
from tests.pinned_settings import pin
from tests.systems.drive.conftest import (
    SUB,
    FakeEngine,
    Issuer,
    accounts,
    bearer,
    client,
    drive,
    engine,
    exists,
    issuer,
    make_drive,
    servers,
    stand_in,
    switch,
    vault,
    wire,
)
from tests.visitors import Visitor
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import Person
from workspace_manager.systems import registry
from workspace_manager.systems.drive.connector import Drive
from workspace_manager.web.api import my_drive
from workspace_manager.web.pages import my_drive as pages
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

__all__ = [
    "accounts",
    "bearer",
    "client",
    "drive",
    "engine",
    "exists",
    "issuer",
    "make_drive",
    "servers",
    "stand_in",
    "switch",
    "vault",
    "wire",
]
LEGACY = f"keycloak-{SUB}"


@dataclass
class DriveScenario:
    """One person's way to the drive. `both` keeps the attributes."""

    person: Person
    stand_in: DriveStandIn
    issuer: Issuer
    engine: FakeEngine
    make: Callable[..., Drive]
    switch: Callable[..., None]
    both: Both = field(default_factory=Both)
    settings: dict[str, Any] = field(default_factory=dict)

    def systems(self) -> ConnectedSystems:
        drive = self.make(**self.settings)
        ready: dict[str, Any] = {"drive": drive, "identity_provider": self.both}
        settings = {name: spec.settings() for name, spec in registry().specs.items()}
        return ConnectedSystems(by_name=ready, settings={**settings, "drive": drive._settings})

    def token(self, **claims: Any) -> Secret:
        return Secret(self.issuer.mint(**claims), name="token")

    @property
    def stored(self) -> tuple[str, str] | None:
        """The two attributes, as the identity provider keeps them."""
        kept = self.both.attributes
        return (kept[NAME], kept[KEPT]) if NAME in kept and KEPT in kept else None

    def store(self, name: str, app_password: str) -> None:
        self.both.attributes |= {NAME: name, KEPT: app_password}

    def app_password_of(self, account: str) -> str:
        """One more, as the drive would make it."""
        accounts_there = self.stand_in.world.accounts
        if accounts_there.find(account) is None:
            accounts_there.add(account, "user_oidc")
        return accounts_there.mint(account, account, "workspace-manager")

    def opens(self, login_name: str, app_password: str) -> str | None:
        """Whose account a pair opens, as software would show it."""
        answer = httpx.get(
            f"{self.stand_in.url}/ocs/v2.php/cloud/user",
            headers={"OCS-APIRequest": "true", "Accept": "application/json"},
            auth=(login_name, app_password),
        )
        return str(answer.json()["ocs"]["data"]["id"]) if answer.status_code == 200 else None

    def grant(self, address: str, *, user: str = "", password: str = "") -> None:
        """Open the address in a browser, sign in, and allow what is asked: through the identity
        provider, or with a local password.
        """
        with httpx.Client(base_url=self.stand_in.url, follow_redirects=True) as browser:
            page = browser.get(urlsplit(address).path)
            link = _found(r'href="(/login/v2/grant[^"]*)"', page.text).replace("&amp;", "&")
            if user:
                form = {"user": user, "password": password, "redirect_url": link}
                page = browser.post("/login", data={**form, "requesttoken": "a:b"})
            page = browser.get(link)
            token = _found(r'name="stateToken" value="([^"]+)"', page.text)
            browser.post("/login/v2/grant", data={"stateToken": token, "requesttoken": "a:b"})

    def signs_in_at_the_drive(self) -> None:
        """In the browser, as people do."""
        with httpx.Client(base_url=self.stand_in.url, follow_redirects=True) as browser:
            assert browser.get("/login").status_code == 200

    @property
    def exists(self) -> dict[str, Any]:
        return accounts(self.stand_in)


def _found(pattern: str, text: str) -> str:
    hit = re.search(pattern, text)
    assert hit, text
    return str(hit[1])


@pytest.fixture
def scenario(
    db: None,
    stand_in: DriveStandIn,
    issuer: Issuer,
    engine: FakeEngine,
    make_drive: Callable[..., Drive],
    switch: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> DriveScenario:
    """Whoever asks through the doors finds the same systems."""
    found = DriveScenario(
        make_person("maria", sub=SUB), stand_in, issuer, engine, make_drive, switch
    )
    for door in (my_drive, pages):
        monkeypatch.setattr(door, "connected_systems", found.systems)
        monkeypatch.setattr(door.tokens, "access_token", lambda *_: found.token())
    return found


@pytest.fixture
def visitor(scenario: DriveScenario, visitor_for: Callable[[Person], Visitor]) -> Visitor:
    return visitor_for(scenario.person)


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch) -> Iterator[OntologyEditorStandIn]:
    found = OntologyEditorStandIn()
    with running(found):
        pin(monkeypatch, "ontology_editor", {"host": found.url, "api_key": found.api_key})
        yield found
