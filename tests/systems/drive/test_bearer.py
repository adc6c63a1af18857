"""The tokens that the stand-in accepts, in which version, and which account they sign in.

See docs/systems/drive.md#bearer-tokens and docs/systems/drive.md#account-ids.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from joserfc.jwk import RSAKey

from tests.systems.drive.conftest import Exists, Issuer, Switch
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn

OCS = {"OCS-APIRequest": "true", "Accept": "application/json"}
Ask = Callable[..., httpx.Response]
SUB = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def ask(stand_in: DriveStandIn) -> Ask:
    """Ask with a token; each time without cookies."""

    def send(
        token: str,
        path: str = "/ocs/v2.php/cloud/user",
        scheme: str = "Bearer",
        method: str = "GET",
    ) -> httpx.Response:
        headers = {**OCS, "Authorization": f"{scheme} {token}"}
        return httpx.request(method, stand_in.url + path, headers=headers)

    return send


def meta(answer: httpx.Response) -> Any:
    return answer.json()["ocs"]["meta"]


def account(answer: httpx.Response) -> Any:
    return answer.json()["ocs"]["data"]["id"]


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({}, 200),
        ({"aud": "https://drive.example.org"}, 200),
        ({"aud": None}, 200),
        ({"preferred_username": None, "email": None}, 200),
        ({"aud": "https://manager.example.org"}, 401),
        ({"aud": ["https://manager.example.org"]}, 401),
        ({"exp": 1_000_000}, 401),
        ({"exp": None}, 401),
        ({"exp": "soon"}, 401),
        ({"nbf": 9_999_999_999}, 401),
        ({"iss": "https://other.example.org"}, 401),
        ({"sub": None}, 401),
    ],
)
def test_claims(
    ask: Ask, issuer: Issuer, stand_in: DriveStandIn, claims: dict[str, Any], status: int
) -> None:
    answer = ask(issuer.mint(**claims))
    assert answer.status_code == status
    assert "www-authenticate" not in answer.headers
    if status == 401:
        assert meta(answer)["message"] == "Current user is not logged in"
    assert stand_in.state["attempts"] == []


def test_a_forged_signature_and_garbage(ask: Ask, issuer: Issuer) -> None:
    forged = issuer.mint()[:-20] + "A" * 20
    for token in (forged, "abc", "abc.def.ghi", issuer.mint() + "x"):
        assert ask(token).status_code == 401


@pytest.mark.parametrize(
    ("version", "scheme", "status"),
    [
        ("8.6.1", "bearer", 200),
        ("8.6.1", "BEARER", 200),
        ("8.10.1", "bearer", 200),
        ("8.10.1", "BEARER", 401),
    ],
)
def test_the_scheme(
    ask: Ask, issuer: Issuer, switch: Switch, version: str, scheme: str, status: int
) -> None:
    switch(version=version)
    assert ask(issuer.mint(), scheme=scheme).status_code == status


@pytest.mark.parametrize(
    ("version", "who", "app_password"),
    [
        ("6.0.0", 401, 401),
        ("6.1.2", 401, 401),
        ("7.2.0", 200, 200),
        ("7.5.0", 200, 200),
        ("8.6.1", 200, 200),
        ("8.7.0", 401, 401),
        ("8.10.1", 200, 403),
        ("HEAD", 200, 200),
    ],
)
def test_versions(
    ask: Ask,
    issuer: Issuer,
    switch: Switch,
    exists: Exists,
    version: str,
    who: int,
    app_password: int,
) -> None:
    switch(version=version)
    first = ask(issuer.mint(), "/ocs/v2.php/core/getapppassword")
    assert first.status_code == app_password
    assert (SUB in exists()) is (who == 200)
    assert ask(issuer.mint()).status_code == who
    if app_password == 403:
        assert meta(first) == {"status": "failure", "statuscode": 403, "message": ""}


def test_the_old_switch_for_azp(ask: Ask, issuer: Issuer, switch: Switch) -> None:
    switch(version="6.1.2", selfencoded_bearer_validation_azp_check=False)
    assert ask(issuer.mint()).status_code == 200


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        ({}, SUB),
        ({"providerBasedId": True}, f"keycloak-{SUB}"),
        ({"uniqueUid": True}, hashlib.sha256(f"1_0_{SUB}".encode()).hexdigest()),
    ],
)
def test_account_ids(
    ask: Ask, issuer: Issuer, switch: Switch, provider: dict[str, Any], expected: str
) -> None:
    switch(provider=provider)
    assert account(ask(issuer.mint())) == expected


def test_a_long_subject_is_hashed_and_an_odd_one_taken(ask: Ask, issuer: Issuer) -> None:
    long = "y" * 65
    assert account(ask(issuer.mint(sub=long))) == hashlib.sha256(long.encode()).hexdigest()
    odd = "Has Space And/Slash+Ümlaut"
    assert account(ask(issuer.mint(sub=odd))) == odd


def test_a_subject_like_a_local_id_signs_in_the_local_account(
    ask: Ask, issuer: Issuer, exists: Exists
) -> None:
    assert account(ask(issuer.mint(sub="alice"))) == "alice"
    assert exists()["alice"]["backend"] == "Database"


@pytest.mark.parametrize(
    "options",
    [
        {"app_enabled": False},
        {"provider": {"checkBearer": False}},
        {"identity_provider_reachable": False},
        {"auto_provision": False},
    ],
)
def test_what_stops_a_good_token(
    ask: Ask, issuer: Issuer, switch: Switch, exists: Exists, options: dict[str, Any]
) -> None:
    switch(**options)
    assert ask(issuer.mint()).status_code == 401
    assert SUB not in exists()


def test_bearer_provisioning_off_makes_the_account_all_the_same(
    ask: Ask, issuer: Issuer, switch: Switch
) -> None:
    switch(provider={"bearerProvisioning": False})
    data = ask(issuer.mint()).json()["ocs"]["data"]
    assert (data["id"], data["email"], data["displayname"]) == (SUB, None, SUB)


def test_a_disabled_account_and_a_deleted_one(
    ask: Ask, issuer: Issuer, stand_in: DriveStandIn, exists: Exists
) -> None:
    ask(issuer.mint())
    stand_in.world.accounts.all[SUB]["enabled"] = False
    assert ask(issuer.mint()).status_code == 401
    stand_in.world.accounts.delete(stand_in.world.accounts.all[SUB])
    assert ask(issuer.mint()).status_code == 200
    assert exists()[SUB]["app_passwords"] == 0


def test_an_app_password_of_a_disabled_account(
    ask: Ask, issuer: Issuer, stand_in: DriveStandIn, wire: httpx.Client
) -> None:
    """As bearer it is refused in the words for a wrong password, and nothing is counted; WebDAV
    falls over it.
    """
    ask(issuer.mint())
    app_password = stand_in.world.accounts.mint(SUB, SUB, "kept")
    stand_in.world.accounts.all[SUB]["enabled"] = False
    refused = ask(app_password)
    assert (refused.status_code, refused.headers["Content-Type"][:8]) == (401, "text/xml")
    assert "Unauthorised" in refused.text
    home = f"/remote.php/dav/files/{SUB}/"
    shown = {"Authorization": f"Bearer {app_password}"}
    assert wire.request("PROPFIND", home, headers=shown).status_code == 500
    assert wire.request("PROPFIND", home, auth=(SUB, app_password)).status_code == 503
    assert stand_in.state["attempts"] == []


def test_a_token_is_no_app_password(ask: Ask, issuer: Issuer) -> None:
    refused = ask(issuer.mint(), "/ocs/v2.php/core/apppassword", method="DELETE")
    assert (refused.status_code, meta(refused)["message"]) == (403, "no app password in use")


def test_a_rotated_key(ask: Ask, issuer: Issuer, switch: Switch) -> None:
    ask(issuer.mint())
    old, issuer.key = (
        issuer.key,
        RSAKey.generate_key(2048, parameters={"kid": "k1", "use": "sig", "alg": "RS256"}),
    )
    try:
        switch(refetch_unknown_key=False)
        assert ask(issuer.mint()).status_code == 401
        switch(refetch_unknown_key=True)
        assert ask(issuer.mint()).status_code == 200
    finally:
        issuer.key = old


def test_state_is_kept_from_one_run_to_the_next(tmp_path: Path, issuer: Issuer) -> None:
    def make(data_dir: Path = tmp_path) -> DriveStandIn:
        return DriveStandIn(data_dir=data_dir, issuer_url=issuer.url, client_id="c")

    with running(first := make()):
        token = first.world.accounts.mint("admin", "admin", "x")
    with running(second := make()):
        headers = {**OCS, "Authorization": f"Bearer {token}"}
        answer = httpx.get(f"{second.url}/ocs/v2.php/cloud/user", headers=headers)
        assert account(answer) == "admin"
        assert second.state["providers"][0]["postLogoutUri"] == f"{second.url}/"
    assert token not in (tmp_path / "drive.json").read_text()
