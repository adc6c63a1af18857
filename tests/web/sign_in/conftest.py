"""People who signed in at the stand-in of the identity provider, and its own hand to sign with."""

import time
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.utils import timezone

from tests.access.sign_in_setup import CLIENT, MANAGER, SignInSetup, pin_provider
from tests.systems.identity_provider.stand_in_wire import Wire, claims, person
from tests.visitors import Visitor
from workspace_manager.access import tokens
from workspace_manager.records.models import Person, ProviderState, SignIn
from workspace_manager.systems.identity_provider.realm.services import BACKCHANNEL_LOGOUT_PATH
from workspace_manager.web.headers import identity_provider_origin
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn, keys

EVENT = "http://schemas.openid.net/event/backchannel-logout"


class Signing(SignInSetup):
    """The way in, and everything an administrator there may do meanwhile."""

    def __init__(self, stand_in: IdentityProviderStandIn) -> None:
        super().__init__(Wire(stand_in))
        self.stand_in = stand_in

    def visitor(self, name: str = "gina") -> Visitor:
        visitor = Visitor()
        assert self.sign_in(visitor, name).status_code == 302
        return visitor

    def api(self, name: str = "gina") -> Visitor:
        person = Person.objects.get(username=name)
        clear = tokens.create(person, name="t", actor=name, scope=tokens.widest_scope(person))[1]
        return Visitor(headers={"Authorization": f"Bearer {clear}"})

    def sub(self, name: str = "gina") -> str:
        found = self.wire.admin("GET", f"users?username={name}&exact=true").json()
        return str(found[0]["id"])

    def sessions(self, name: str = "gina") -> int:
        return len(self.wire.admin("GET", f"users/{self.sub(name)}/sessions").json())

    def disable(self, name: str = "gina") -> None:
        answer = self.wire.admin("PUT", f"users/{self.sub(name)}", {"enabled": False})
        assert answer.status_code == 204

    def enable(self, name: str = "gina") -> None:
        self.wire.admin("PUT", f"users/{self.sub(name)}", {"enabled": True})

    def calls(self, what: str) -> int:
        found = httpx.get(f"{self.stand_in.url}/_stand_in/calls").json()["items"]
        return sum(what in call["path"] for call in found)

    def fault(self, path: str, fault: str, **more: Any) -> None:
        body = {"method": "", "path": path, "fault": fault, "times": 1000, **more}
        body = {key: value for key, value in body.items() if value != ""}
        answer = httpx.post(f"{self.stand_in.url}/_stand_in/faults", json=body)
        assert answer.status_code < 300, answer.text

    def logout_token(self, *, kind: str = "logout+jwt", **changed: Any) -> str:
        """What the real one sends, with members changed; None leaves one out."""
        said: dict[str, Any] = {
            "exp": int(time.time()) + 120,
            "iat": int(time.time()),
            "jti": str(uuid.uuid4()),
            "iss": f"{self.wire.base}/realms/{self.wire.realm}",
            "aud": MANAGER,
            "sub": self.sub(),
            "typ": "Logout",
            "events": {EVENT: {}},
        }
        kept = {name: value for name, value in {**said, **changed}.items() if value is not None}
        realm = self.stand_in.store.realm(self.wire.realm)
        assert realm
        return keys.sign(realm.keys, kept, kind=kind)

    def told(self, token: str) -> Any:
        """Somebody posts a logout; no cookie, and no proof against forgery."""
        caller = Visitor(enforce_csrf_checks=True)
        return caller.post(BACKCHANNEL_LOGOUT_PATH, {"logout_token": token})


@pytest.fixture
def stand_in() -> Iterator[IdentityProviderStandIn]:
    users = [person("gina"), person("hugo")]
    settings = {"revokeRefreshToken": True, "refreshTokenMaxReuse": 0}
    stand_in = IdentityProviderStandIn(clients=[CLIENT], users=users, realm_settings=settings)
    with running(stand_in):
        yield stand_in


@pytest.fixture
def signing(
    stand_in: IdentityProviderStandIn, monkeypatch: pytest.MonkeyPatch, db: None
) -> Signing:
    made = Signing(stand_in)
    pin_provider(monkeypatch, made)
    identity_provider_origin.until = 0.0
    return made


def minutes_pass(minutes: float) -> None:
    """Nobody was asked for so long."""
    then = timezone.now() - timedelta(minutes=minutes)
    SignIn.objects.update(answered_at=then)
    ProviderState.objects.update(answered_at=then)


__all__ = ["Signing", "claims", "minutes_pass"]
