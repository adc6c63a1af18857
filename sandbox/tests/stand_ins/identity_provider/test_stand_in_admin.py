"""The stand-in's admin interface: who may ask, realms, clients and roles, as recorded of a real
Keycloak 26.7.3.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.systems.identity_provider.stand_in_wire import (
    MANAGER,
    Wire,
    claims,
    clients,
    mapper,
    read_refusal,
)
from workspace_sandbox.routes import NOT_SERVED
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    stand_in = IdentityProviderStandIn(clients=clients())
    with running(stand_in):
        yield Wire(stand_in)


def client_id(wire: Wire, name: str) -> str:
    found = wire.admin("GET", "clients", params={"clientId": name}).json()
    return str(found[0]["id"])


def give(wire: Wire, *roles: str) -> str:
    """A token of a new service account with exactly these administration roles."""
    name = f"with-{len(wire.admin('GET', 'clients').json())}"
    shown = {"clientId": name, "secret": "s", "publicClient": False, "serviceAccountsEnabled": True}
    holder = wire.admin("POST", "clients", shown).headers["location"].rpartition("/")[2]
    management = client_id(wire, "realm-management")
    account = wire.admin("GET", f"clients/{holder}/service-account-user").json()["id"]
    known = wire.admin("GET", f"clients/{management}/roles").json()
    wanted = [role for role in known if role["name"] in roles]
    path = f"users/{account}/role-mappings/clients/{management}"
    assert wire.admin("POST", path, wanted).status_code == 204
    assert {role["name"] for role in wire.admin("GET", path).json()} == set(roles)
    form = {"grant_type": "client_credentials", "client_id": name, "client_secret": "s"}
    return str(wire.token(**form).json()["access_token"])


# --- who asks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer abc.def.ghi"}])
def test_without_a_good_token_nothing_is_told(wire: Wire, headers: dict[str, str]) -> None:
    for path in ("users", "clients"):
        answer = wire.http.get(f"/admin/realms/workspace/{path}", headers=headers)
        assert (answer.status_code, answer.json()) == (401, {"error": "HTTP 401 Unauthorized"})
    assert wire.http.get("/admin/realms/nope/users", headers=headers).status_code == 401


def test_a_token_of_somebody_else_is_no_administrators(wire: Wire) -> None:
    wire.make("plain")
    tokens = wire.password("plain").json()
    assert wire.admin("GET", "users", token=tokens["access_token"]).status_code == 403
    assert wire.admin("GET", "users", token=tokens["id_token"]).status_code == 401
    assert wire.admin("GET", "users", token=tokens["refresh_token"]).status_code == 401


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ((), {"users": 403, "users/nope": 403, "users/profile": 403, "clients": 403, "": 403}),
        (
            ("query-users",),
            {"users": 200, "users/nope": 404, "users/profile": 200, "clients": 403, "": 200},
        ),
        (
            ("manage-users",),
            {"users": 200, "users/nope": 404, "clients": 403, "client-scopes": 403},
        ),
        (
            ("view-clients",),
            {"users": 403, "clients": 200, "clients/nope": 404, "client-scopes": 200},
        ),
        (("view-realm",), {"users/profile": 200, "": 200, "users": 403, "clients": 403}),
        (("view-events",), {"": 200, "users": 403, "users/profile": 403}),
    ],
)
def test_rights_of_a_service_account(wire: Wire, roles: Any, expected: Any) -> None:
    token = give(wire, *roles)
    answered = {path: wire.admin("GET", path, token=token).status_code for path in expected}
    assert answered == expected


def test_managing_users_does_not_mean_writing_their_profile(wire: Wire) -> None:
    token = give(wire, "manage-users", "view-users", "query-users")
    whole = wire.admin("GET", "users/profile").json()
    assert wire.admin("PUT", "users/profile", whole, token=token).status_code == 403
    assert wire.admin("POST", "users", {"username": "byservice"}, token=token).status_code == 201
    assert (
        wire.admin("PUT", "users/profile", whole, token=give(wire, "manage-realm")).status_code
        == 200
    )


def test_a_service_account_has_no_session_and_no_refresh_token(wire: Wire) -> None:
    form = {"grant_type": "client_credentials", "client_id": "provisioner"}
    answer = wire.token(**form, client_secret="prov-secret").json()
    assert (answer["refresh_expires_in"], "refresh_token" in answer, "session_state" in answer) == (
        0,
        False,
        False,
    )
    assert claims(answer["access_token"])["client_id"] == "provisioner"
    assert read_refusal(wire.token(**form | {"client_id": "public"})) == (
        401, "unauthorized_client", "Public client not allowed to retrieve service account",
    )  # fmt: skip


# --- paths ----------------------------------------------------------------------------------------


def test_what_nobody_calls_is_not_imitated(wire: Wire) -> None:
    for method, path in (("GET", "events"), ("PATCH", "users"), ("POST", "/admin/realms")):
        answer = wire.admin(method, path)
        assert (answer.status_code, answer.json()["type"]) == (501, NOT_SERVED)
        assert f"{method} {answer.request.url.path}" in answer.json()["detail"]
        assert "stand-in" in answer.json()["detail"]


def test_an_unknown_realm_and_a_slash_too_many(wire: Wire) -> None:
    answer = wire.admin("GET", "/admin/realms/nope/users")
    assert (answer.status_code, answer.json()) == (404, {"error": "Realm not found."})
    assert wire.admin("POST", "users/", {"username": "trail"}).status_code == 201


def test_a_client_that_prefers_pages_gets_one(wire: Wire) -> None:
    answer = wire.admin("GET", "users/nope", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html;charset=utf-8")


# --- realms ---------------------------------------------------------------------------------------


def test_a_realm_keeps_its_settings_and_its_people_to_itself(wire: Wire) -> None:
    assert wire.admin("PUT", "", {"accessTokenLifespan": 77}).status_code == 204
    assert wire.admin("GET", "").json()["accessTokenLifespan"] == 77
    assert wire.admin("PUT", "", {"nosuch": 1}).status_code == 400
    there = wire.admin("POST", "/admin/realms/master/users", {"username": "only-there"})
    assert there.status_code == 201
    assert wire.admin("GET", "users?username=only-there").json() == []


# --- clients --------------------------------------------------------------------------------------


def test_clients(wire: Wire) -> None:
    answer = wire.admin("POST", "clients", {"clientId": MANAGER})
    assert (answer.status_code, answer.json()) == (
        409,
        {"errorMessage": f"Client {MANAGER} already exists"},
    )
    answer = wire.admin(
        "POST", "clients", {"clientId": "bad", "redirectUris": ["javascript:alert(1)"]}
    )
    assert answer.json()["error_description"] == "A redirect URI uses an illegal scheme"
    made = wire.admin("POST", "clients", {"clientId": "made", "redirectUris": ["http://a/b"]})
    path = "clients/" + made.headers["location"].rpartition("/")[2]
    client = wire.admin("GET", path).json()
    assert (client["publicClient"], client["webOrigins"]) == (False, ["http://a"])
    assert {"basic", "profile", "roles"} <= set(client["defaultClientScopes"])
    assert wire.admin("GET", f"{path}/client-secret").json()["value"] == client["secret"]
    assert wire.admin("POST", f"{path}/client-secret").json()["value"] != client["secret"]
    wire.admin("PUT", path, {"clientId": "made", "attributes": {"x": "y"}})
    assert wire.admin("GET", path).json()["attributes"]["x"] == "y"
    assert wire.admin("GET", path).json()["redirectUris"] == ["http://a/b"]
    assert [wire.admin("DELETE", path).status_code for _ in (1, 2)] == [204, 404]
    assert wire.admin("GET", path).json() == {"error": "Could not find client"}


def test_protocol_mappers_of_clients(wire: Wire) -> None:
    wanted = mapper(
        "aud", "oidc-audience-mapper", included__custom__audience="x", access__token__claim="true"
    )
    models = f"clients/{client_id(wire, MANAGER)}/protocol-mappers/models"
    made = wire.admin("POST", models, wanted)
    assert made.status_code == 201
    again = wire.admin("POST", models, wanted)
    text = "Protocol mapper exists with same name"
    assert (again.status_code, again.json()) == (409, {"errorMessage": text})
    number = made.headers["location"].rpartition("/")[2]
    kept = {one["id"]: one for one in wire.admin("GET", models).json()}
    assert kept[number]["config"]["introspection.token.claim"] == "true"
    assert [wire.admin("DELETE", f"{models}/{number}").status_code for _ in (1, 2)] == [204, 404]
    unknown = wire.admin("POST", models, {**wanted, "protocolMapper": "nosuch"})
    assert unknown.json() == {"error": "ProtocolMapper provider not found"}
