"""Faults that stop a sign-in at the identity provider, made by somebody else's hand there, and what
the checks of manager, drive and hub say of it: the same on stand-ins and on real parts.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.life.person import Workspace
from tests.life.test_drive import admin

PROVIDER, DRIVE, HUB = "identity_provider", "drive", "notebook_hub"
NAMES = {PROVIDER: "walk of a sign-in", DRIVE: "steps of a sign-in", HUB: "client"}
STANDARD_FLOW = "Standard flow is disabled for the client."


@dataclass(frozen=True)
class Stop:
    """What is made wrong at one system's client, and the words that its check has to say."""

    system: str
    says: str
    remedy: str
    members: dict[str, Any] = field(default_factory=dict)
    scope: str = ""
    """A default scope that is taken from it."""


SETUP = "setup identity-provider"
STOPS = (
    Stop(DRIVE, "Client disabled", SETUP, {"enabled": False}),
    Stop(DRIVE, "invalid_scope", "Add the scopes", scope="profile"),
    Stop(HUB, STANDARD_FLOW, SETUP, {"standardFlowEnabled": False}),
    Stop(HUB, "Invalid parameter: redirect_uri", SETUP, {"redirectUris": ["http://x.example/"]}),
    Stop(HUB, "Client not found", SETUP, {"clientId": "http://elsewhere.example"}),
    Stop(HUB, "invalid_scope", "Add the scopes", scope="email"),
)


def run_check(workspace: Workspace, system: str) -> dict[str, dict[str, Any]]:
    """What a check says, by name; the worst of a name last."""
    answer = workspace.api.post(f"/systems/{system}/check")
    assert answer.status_code == 200, answer.text
    return {
        one["name"]: one
        for one in sorted(answer.json()["findings"], key=lambda one: one["severity"] != "ok")
    }


def client_id(workspace: Workspace, system: str) -> str:
    """Services are clients by their addresses."""
    return workspace.manager if system == PROVIDER else str(workspace.system(system)["url"])


@contextlib.contextmanager
def spoiled(workspace: Workspace, stop: Stop) -> Iterator[None]:
    """As long as it lasts."""
    with contextlib.closing(admin(workspace)) as http:
        asked = {"clientId": client_id(workspace, stop.system)}
        (client,) = http.get("/clients", params=asked).json()
        scopes = {one["name"]: one["id"] for one in http.get("/client-scopes").json()}
        path = f"/clients/{client['id']}"
        scope = f"{path}/default-client-scopes/{scopes.get(stop.scope, '')}"
        kept = {name: client[name] for name in ("clientId", *stop.members)}
        changes = [{**client, **stop.members}, {**client, **kept}]
        try:
            assert http.put(path, json=changes[0]).status_code == 204
            if stop.scope:
                assert http.delete(scope).status_code == 204
            yield
        finally:
            assert http.put(path, json=changes[1]).status_code == 204
            if stop.scope:
                assert http.put(scope, json={}).status_code == 204


def check_walks_come_as_far_as_the_password(workspace: Workspace) -> None:
    for system, name in NAMES.items():
        one = run_check(workspace, system)[name]
        assert one["severity"] == "ok", one


def check_a_stop_is_said(workspace: Workspace, stop: Stop) -> None:
    with spoiled(workspace, stop):
        said = run_check(workspace, stop.system)
    one = said[NAMES[stop.system]]
    assert one["severity"] == "failing", one
    assert stop.says in one["text"], one
    assert stop.remedy in one["remedy"], one
    assert not [one for one in said.values() if "secret" in one["text"].lower()], said


def check_what_the_table_says_of_our_client_is_said_once(workspace: Workspace) -> None:
    with spoiled(workspace, Stop(PROVIDER, "", "", scope="profile")):
        said = run_check(workspace, PROVIDER)
    assert "invalid_scope" in said["own client: scopes"]["text"]
    assert NAMES[PROVIDER] not in said
