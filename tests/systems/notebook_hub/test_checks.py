"""Checks of a hub that would start a server for a refused identity, or keep
what a stopped one held.
"""

from typing import Any

import httpx
import pytest

from tests.systems.notebook_hub.documents import undecided
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.systems.notebook_hub.client.calls import Client

TOKEN = {"Authorization": "token canary-token-77"}


def find_finding(world: Any, name: str, **changes: Any) -> Finding:
    one: Finding
    (one,) = [finding for finding in world.connected(**changes).check() if finding.name == name]
    return one


def test_a_hub_that_asks_before_each_start_is_fine(world: Any) -> None:
    assert find_finding(world, "refused identities").severity is Severity.OK


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("enable_auth_state", False),
        ("refresh_pre_spawn", False),
        ("auth_refresh_strict", False),
        ("auth_refresh_strict", None),
        ("auth_refresh_age", 0),
        ("userdata_from_id_token", True),
    ],
)
def test_each_setting_that_lets_a_refused_identity_in_is_named(
    world: Any, setting: str, value: Any
) -> None:
    world.hub.api.info["asked_afresh"][setting] = value
    finding = find_finding(world, "refused identities")
    assert finding.severity is Severity.FAILING
    assert f"{setting} is" in finding.text
    assert "docs/howto/notebook-hub.md" in finding.remedy


@pytest.mark.parametrize(
    ("name", "version", "said"),
    [
        ("oauthenticator.generic.GenericOAuthenticator", "16.3.1", "oauthenticator 16.3.1"),
        ("jupyterhub.auth.PAMAuthenticator", "6.1.1", "PAMAuthenticator"),
        ("", "", "unknown authenticator"),
    ],
)
def test_an_authenticator_that_cannot_ask_again_is_seen(
    world: Any, name: str, version: str, said: str
) -> None:
    world.hub.api.authenticator = {"class": name, "version": version}
    finding = find_finding(world, "refused identities")
    assert finding.severity is Severity.FAILING
    assert said in finding.text


@pytest.mark.parametrize("scopes", [("read:hub",), ("read:services",), ()])
def test_a_hub_that_tells_nothing_is_not_called_fine(world: Any, scopes: tuple[str, ...]) -> None:
    world.hub.scopes = ("delete:servers", *scopes)
    finding = find_finding(world, "refused identities")
    assert finding.severity is Severity.WARNING
    assert "read:services" in finding.remedy


def test_without_a_token_nothing_is_said_of_it(world: Any) -> None:
    names = {finding.name for finding in world.connected(with_api=False).check()}
    assert "refused identities" not in names
    assert "stopped containers" in names


def test_stopped_containers_that_are_kept_are_seen(world: Any) -> None:
    with httpx.Client(base_url=world.hub.url, follow_redirects=True) as browser:
        browser.get("/")
    assert find_finding(world, "stopped containers").severity is Severity.OK
    httpx.delete(f"{world.hub.url}/hub/api/users/john.doe/server", headers=TOKEN)
    finding = find_finding(world, "stopped containers")
    assert finding.severity is Severity.WARNING
    assert "jupyter-john-2edoe" in finding.text
    assert "remove = True" in finding.remedy


def test_each_member_that_the_stand_in_shows_is_decided_about(world: Any) -> None:
    with httpx.Client(base_url=world.hub.url, follow_redirects=True) as browser:
        browser.get("/")
    assert not any(undecided(world.connected()).values())


@pytest.mark.parametrize(
    ("member", "value", "name", "said"),
    [
        ("kind", "user", "owner of the token", "belongs to a person"),
        ("admin", True, "rights of the token", "administrator of the hub"),
    ],
)
def test_a_token_of_another_owner_is_said(
    world: Any, monkeypatch: pytest.MonkeyPatch, member: str, value: Any, name: str, said: str
) -> None:
    shown = world.connected().client().me()
    assert name not in {one.name for one in world.connected().check()}
    monkeypatch.setattr(Client, "me", lambda _: {**shown, member: value})
    finding = find_finding(world, name)
    assert finding.severity is Severity.WARNING
    assert said in finding.text


def test_a_spawner_without_containers_is_said(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = world.connected().client().info()
    assert "spawner" not in {one.name for one in world.connected().check()}
    other = {"class": "jupyterhub.spawner.LocalProcessSpawner", "version": "6.1.1"}
    monkeypatch.setattr(Client, "info", lambda _: {**shown, "spawner": other})
    finding = find_finding(world, "spawner")
    assert finding.severity is Severity.WARNING
    assert "LocalProcessSpawner" in finding.text
