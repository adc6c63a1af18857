"""The stand-in's tokens: grants, refusals, hashes, what is said about whom, and what ends them; as
a real Keycloak 26.7.3 answered.
"""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from tests.systems.identity_provider.stand_in_wire import (
    DRIVE,
    HUB,
    MANAGER,
    PASSWORD,
    Wire,
    claims,
    clients,
    read_refusal,
)
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn, sessions

BAD_CLIENT = "Invalid client or Invalid client credentials"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    stand_in = IdentityProviderStandIn(clients=clients(), access_token_seconds=300)
    with running(stand_in):
        yield Wire(stand_in)


# --- refusals -------------------------------------------------------------------------------------

MASTER = {
    "grant_type": "password",
    "client_id": "admin-cli",
    "username": "admin",
    "password": "admin",
}
REFUSED = [
    ({"password": "nope"}, 400, "invalid_grant", "Invalid user credentials"),
    ({"username": "nobody"}, 400, "invalid_grant", "Invalid user credentials"),
    ({"username": None}, 401, "invalid_request", "Missing parameter: username"),
    ({"client_id": None}, 401, "invalid_client", BAD_CLIENT),
    ({"client_id": "nobody"}, 401, "invalid_client", BAD_CLIENT),
    ({"grant_type": None}, 400, "invalid_request", "Missing form parameter: grant_type"),
    ({"grant_type": "zzz"}, 400, "unsupported_grant_type", "Unsupported grant_type"),
    ({"grant_type": "refresh_token"}, 400, "invalid_request", "No refresh token"),
    ({"grant_type": "refresh_token", "refresh_token": "abc"}, 400, "invalid_grant",
    "Invalid refresh token"),
    ({"scope": "openid nosuch"}, 400, "invalid_scope", "Invalid scopes: openid nosuch"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "status", "error", "description"), REFUSED)
def test_the_administrators_token_is_refused_in_the_recorded_words(
    wire: Wire, change: dict[str, str | None], status: int, error: str, description: str
) -> None:
    form = {name: value for name, value in (MASTER | change).items() if value is not None}
    answer = wire.http.post("/realms/master/protocol/openid-connect/token", data=form)
    assert read_refusal(answer) == (status, error, description)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("form", "status", "error", "description"),
    [
        ({"client_secret": "wrong"}, 401, "unauthorized_client", BAD_CLIENT),
        (
            {"client_id": "public"},
            400,
            "unauthorized_client",
            "Client not allowed for direct access grants",
        ),
        (
            {"client_id": "provisioner", "client_secret": "prov-secret"},
            400,
            "unauthorized_client",
            "Client not allowed for direct access grants",
        ),
    ],
)
def test_a_client_is_held_to_what_it_may_do(
    wire: Wire, form: dict[str, str], status: int, error: str, description: str
) -> None:
    assert read_refusal(wire.password("anybody", **form)) == (status, error, description)


def test_the_administrators_token_is_short_and_says_nothing_about_the_person(wire: Wire) -> None:
    answer = wire.http.post("/realms/master/protocol/openid-connect/token", data=MASTER).json()
    assert (answer["expires_in"], answer["refresh_expires_in"], answer["token_type"]) == (
        60,
        1800,
        "Bearer",
    )
    assert set(claims(answer["access_token"])) == {
        "exp",
        "iat",
        "jti",
        "iss",
        "typ",
        "azp",
        "sid",
        "scope",
    }


def test_people_who_cannot_sign_in_yet(wire: Wire) -> None:
    wire.make("off", enabled=False)
    wire.make("tempo", credentials=[{"type": "password", "value": PASSWORD, "temporary": True}])
    wire.admin(
        "POST",
        "users",
        {"username": "noprof", "enabled": True, "credentials": [{"value": PASSWORD}]},
    )
    for name, sentence in (
        ("off", "Account disabled"),
        ("tempo", "Account is not fully set up"),
        ("noprof", "Account is not fully set up"),
    ):
        assert read_refusal(wire.password(name)) == (400, "invalid_grant", sentence)
    assert read_refusal(wire.password("off", "wrong"))[2] == "Invalid user credentials"


# --- what tokens say ------------------------------------------------------------------------------


def test_signatures_can_be_checked_with_the_published_keys(wire: Wire) -> None:
    wire.make("signer")
    tokens = wire.password("signer").json()
    published = wire.oidc("GET", "certs").json()
    assert {key["use"] for key in published["keys"]} == {"sig", "enc"}
    for token in (tokens["access_token"], tokens["id_token"]):
        decoded = jwt.decode(token, KeySet.import_key_set(published), algorithms=["RS256"])
        assert decoded.claims["iss"] == f"{wire.base}/realms/workspace"
    assert (
        wire.http.get("/realms/workspace/.well-known/openid-configuration").json()["issuer"]
        == decoded.claims["iss"]
    )


def test_audiences_and_claims(wire: Wire) -> None:
    user = wire.make("claimant", attributes={"filesvc_login_name": ["claimant"]})
    tokens = wire.password("claimant").json()
    access, identity = claims(tokens["access_token"]), claims(tokens["id_token"])
    assert (access["aud"], access["azp"], access["typ"]) == (
        [DRIVE, MANAGER, "account"],
        MANAGER,
        "Bearer",
    )
    assert (access["sub"], identity["sub"], identity["aud"], identity["typ"]) == (
        user,
        user,
        MANAGER,
        "ID",
    )
    assert access["sid"] == identity["sid"] == tokens["session_state"]
    assert access["preferred_username"] == "claimant"
    assert (
        claims(
            wire.password("claimant", client_id=DRIVE, client_secret="drive-secret").json()[
                "access_token"
            ]
        )["aud"]
        == "account"
    )
    hub = wire.password("claimant", client_id=HUB, client_secret="hub-secret").json()
    assert "filesvc_login_name" not in claims(hub["access_token"])
    assert wire.userinfo(hub["access_token"]).json()["filesvc_login_name"] == "claimant"


def test_userinfo_follows_the_attributes_and_tokens_do_not(wire: Wire) -> None:
    user = wire.make("changer", attributes={"filesvc_login_name": ["before"]})
    hub = wire.password("changer", client_id=HUB, client_secret="hub-secret").json()["access_token"]
    whole = wire.user(user)
    whole["attributes"]["filesvc_login_name"] = ["after"]
    wire.admin("PUT", f"users/{user}", whole)
    assert wire.userinfo(hub).json()["filesvc_login_name"] == "after"
    del whole["attributes"]["filesvc_login_name"]
    wire.admin("PUT", f"users/{user}", whole)
    assert "filesvc_login_name" not in wire.userinfo(hub).json()


def test_userinfo_refuses_with_an_empty_body_and_a_header(wire: Wire) -> None:
    wire.make("reader")
    access = wire.password("reader").json()["access_token"]
    plain = wire.password("reader", scope="profile").json()["access_token"]
    for headers, status, reason in (
        ({}, 401, None),
        ({"Authorization": "Bearer garbage"}, 401,
        'error="invalid_token", error_description="Token verification failed"'),
        ({"Authorization": f"Bearer {access[:-4]}AAAA"}, 401,
        'error="invalid_token", error_description="Token verification failed"'),
        ({"Authorization": f"Bearer {plain}"}, 403,
        'error="insufficient_scope", error_description="Missing openid scope"'),
    ):  # fmt: skip
        answer = wire.oidc("GET", "userinfo", headers=headers)
        wanted = 'Bearer realm="workspace"' + (f", {reason}" if reason else "")
        assert (answer.status_code, answer.content, answer.headers["www-authenticate"]) == (
            status,
            b"",
            wanted,
        )


# --- what ends them -------------------------------------------------------------------------------


def test_a_refresh_token_belongs_to_its_client_and_may_be_used_again(wire: Wire) -> None:
    wire.make("refresher")
    token = wire.password("refresher").json()["refresh_token"]
    assert [wire.refresh(token).status_code for _ in (1, 2)] == [200, 200]
    answer = wire.refresh(token, client_id=DRIVE, client_secret="drive-secret")
    assert (
        read_refusal(answer)[2]
        == "Invalid refresh token. Token client and authorized client don't match"
    )


def test_rotation_ends_the_client_session_of_a_token_used_twice(wire: Wire) -> None:
    wire.make("rotator")
    wire.admin("PUT", "", {"revokeRefreshToken": True, "refreshTokenMaxReuse": 0})
    try:
        first = wire.password("rotator").json()["refresh_token"]
        second = wire.refresh(first).json()["refresh_token"]
        assert (
            read_refusal(wire.refresh(first))[2] == "Maximum allowed refresh token reuse exceeded"
        )
        assert read_refusal(wire.refresh(second))[2] == "Session doesn't have required client"
    finally:
        wire.admin("PUT", "", {"revokeRefreshToken": False})


def test_disabling_keeps_the_sessions_and_logging_out_ends_them(wire: Wire) -> None:
    user = wire.make("fenced")
    tokens = wire.password("fenced").json()
    offline = wire.password("fenced", scope="openid offline_access").json()
    assert offline["refresh_expires_in"] == 0
    wire.admin("PUT", f"users/{user}", {"enabled": False})
    for token in (tokens, offline):
        assert read_refusal(wire.refresh(token["refresh_token"])) == (
            400,
            "invalid_grant",
            "User disabled",
        )
    assert (
        'error_description="User disabled"'
        in wire.userinfo(tokens["access_token"]).headers["www-authenticate"]
    )
    sessions = wire.admin("GET", f"users/{user}/sessions").json()
    assert [list(session["clients"].values()) for session in sessions] == [[MANAGER]]
    wire.admin("PUT", f"users/{user}", {"enabled": True})
    assert wire.refresh(tokens["refresh_token"]).status_code == 200
    assert wire.admin("POST", f"users/{user}/logout").status_code == 204
    assert wire.admin("GET", f"users/{user}/sessions").json() == []
    assert read_refusal(wire.refresh(tokens["refresh_token"]))[2] == "Session not active"
    consents = f"users/{user}/consents"
    assert [one["clientId"] for one in wire.admin("GET", consents).json()] == [MANAGER]
    path = f"{consents}/{quote(MANAGER, safe='')}"
    assert wire.admin("DELETE", path).status_code == 204
    assert (
        read_refusal(wire.refresh(offline["refresh_token"]))[2] == "Offline user session not found"
    )
    assert wire.admin("GET", consents).json() == []
    assert wire.admin("DELETE", path).json() == {"error": "Consent nor offline token not found"}
    assert wire.admin("DELETE", f"{consents}/nosuch").json() == {"error": "Client not found"}
    assert (
        "user_session_not_found"
        in wire.userinfo(tokens["access_token"]).headers["www-authenticate"]
    )


def test_deleting_ends_everything(wire: Wire) -> None:
    user = wire.make("deleted")
    tokens = wire.password("deleted").json()
    wire.admin("DELETE", f"users/{user}")
    assert read_refusal(wire.refresh(tokens["refresh_token"]))[2] == "Session not active"
    assert (
        "user_session_not_found"
        in wire.userinfo(tokens["access_token"]).headers["www-authenticate"]
    )
    assert read_refusal(wire.password("deleted"))[2] == "Invalid user credentials"


@pytest.mark.parametrize(("later", "status"), [(0, 200), (1, 400)])
def test_a_logout_makes_stale_what_an_earlier_second_issued(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, later: int, status: int
) -> None:
    user = wire.make(f"quick{later}")
    offline = wire.password(f"quick{later}", scope="openid offline_access").json()
    issued = claims(offline["access_token"])["iat"]
    monkeypatch.setattr(sessions, "seconds", lambda: issued + later)
    assert wire.admin("POST", f"users/{user}/logout").status_code == 204
    assert wire.refresh(offline["refresh_token"]).status_code == status
