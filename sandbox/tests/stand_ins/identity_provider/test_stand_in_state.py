"""The stand-in between its requests: what survives a restart, what tests may see, which calls count as effects."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.systems.identity_provider.stand_in_wire import MANAGER, Wire, claims, clients, person
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn, tokens

CANARY = "canary-4711"


@pytest.fixture
def stand_in() -> Iterator[IdentityProviderStandIn]:
    one = IdentityProviderStandIn(
        clients=clients(), users=[person("seeded", id="11111111-2222-4333-8444-555555555555")]
    )
    with running(one):
        yield one


def test_what_exists_shows_people_and_no_secret(stand_in: IdentityProviderStandIn) -> None:
    wire = Wire(stand_in)
    wire.make(
        "shown",
        attributes={
            "filesvc_login_name": ["shown"],
            "filesvc_app_password": [CANARY],
            "sql_password": [CANARY],
        },
        credentials=[{"type": "password", "value": CANARY}],
    )
    wire.password("shown", CANARY)
    text = httpx.get(f"{stand_in.control_url}/state").text
    state = json.loads(text)
    realm = state["realms"][state["realm"]]
    people = {user["username"]: user for user in realm["users"]}
    assert people["seeded"]["id"] == "11111111-2222-4333-8444-555555555555"
    assert people["shown"]["attributes"] == {
        "filesvc_login_name": ["shown"], "filesvc_app_password": ["set"], "sql_password": ["set"],
    }  # fmt: skip
    assert (people["shown"]["sessions"], people["seeded"]["sessions"]) == (1, 0)
    assert MANAGER in {client["clientId"] for client in realm["clients"]}
    assert CANARY not in text
    assert "manager-secret" not in text
    assert "PRIVATE KEY" not in text


def test_the_control_route_sets_how_long_tokens_live(stand_in: IdentityProviderStandIn) -> None:
    wire = Wire(stand_in)
    assert wire.password("seeded").json()["expires_in"] == 60
    answer = httpx.post(f"{stand_in.control_url}/settings", json={"access_token_seconds": 7})
    assert answer.json() == {"access_token_seconds": 7}
    assert wire.password("seeded").json()["expires_in"] == 7
    assert wire.admin("GET", "").json()["accessTokenLifespan"] == 7
    wrong: Any
    for wrong in ({}, {"access_token_seconds": "x"}, {"access_token_seconds": 0}, []):
        assert httpx.post(f"{stand_in.control_url}/settings", json=wrong).status_code == 400
    httpx.post(f"{stand_in.control_url}/reset")
    assert wire.password("seeded").json()["expires_in"] == 60


def test_an_expired_token_is_refused(
    stand_in: IdentityProviderStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(stand_in)
    access = wire.password("seeded").json()["access_token"]
    assert wire.userinfo(access).status_code == 200
    expiry = claims(access)["exp"]
    monkeypatch.setattr(tokens, "seconds", lambda: expiry)
    assert wire.userinfo(access).status_code == 401


def test_tokens_and_looks_are_no_effects(stand_in: IdentityProviderStandIn) -> None:
    wire = Wire(stand_in)
    wire.password("seeded")
    wire.admin("GET", "users")
    user = wire.make("counted")
    wire.admin("DELETE", f"users/{user}")
    items = httpx.get(f"{stand_in.control_url}/calls").json()["items"]
    effects = [(item["method"], item["path"]) for item in items if item["effect"]]
    assert effects == [
        ("POST", "/admin/realms/workspace/users"),
        ("DELETE", f"/admin/realms/workspace/users/{user}"),
    ]


def test_a_fault_hits_the_call_it_names(stand_in: IdentityProviderStandIn) -> None:
    wire = Wire(stand_in)
    fault = {"method": "POST", "path": "/users$", "fault": "timeout_after_effect", "seconds": 0.01}
    httpx.post(f"{stand_in.control_url}/faults", json=fault)
    with pytest.raises(httpx.HTTPError):
        wire.admin("POST", "users", {"username": "halfway"})
    found = wire.admin("GET", "users?username=halfway&exact=true").json()
    assert [user["username"] for user in found] == ["halfway"]


def test_everything_survives_a_kill(tmp_path: Path) -> None:
    first = IdentityProviderStandIn(data_dir=tmp_path, clients=clients(), users=[person("keeper")])
    with running(first):
        wire = Wire(first)
        user = wire.make("kept", attributes={"sql_password": [CANARY]})
        answer = wire.password("kept").json()
        port = int(first.url.rpartition(":")[2])
        wire.http.close()
    stored = (tmp_path / "identity_provider.json").read_text()
    assert "correct horse" not in stored
    second = IdentityProviderStandIn(data_dir=tmp_path, clients=[], users=[])
    assert second.state == first.state
    second.url = f"http://127.0.0.1:{port}"
    realm = second.store.realm("workspace")
    assert realm is not None
    assert realm.users[user]["attributes"] == {"sql_password": [CANARY]}
    assert answer["session_state"] in realm.sessions


def test_it_says_what_it_is(stand_in: IdentityProviderStandIn) -> None:
    page = httpx.get(stand_in.url)
    assert "stand-in" in page.text
    assert page.headers["content-type"].startswith("text/html")
