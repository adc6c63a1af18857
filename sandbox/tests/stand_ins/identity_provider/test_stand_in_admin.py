"""The stand-in's admin interface: who may ask, paths, groups, clients, roles, events, as recorded of a real Keycloak 26.7.3."""

import pytest

from tests.systems.identity_provider.stand_in_wire import (
    MANAGER,
    Wire,
    claims,
    clients,
    mapper,
    told,
)
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

GONE = "Could not find group by id"


@pytest.fixture(scope="module")
def wire():
    stand_in = IdentityProviderStandIn(
        clients=clients(), realm_settings={"adminEventsEnabled": True}
    )
    with running(stand_in):
        yield Wire(stand_in)


def client_id(wire: Wire, name: str) -> str:
    found = wire.admin("GET", "clients", params={"clientId": name}).json()
    return str(found[0]["id"])


def give(wire: Wire, *roles: str) -> str:
    """A token of the service account with exactly these administration roles."""
    holder, management = client_id(wire, "provisioner"), client_id(wire, "realm-management")
    account = wire.admin("GET", f"clients/{holder}/service-account-user").json()["id"]
    path = f"users/{account}/role-mappings/clients/{management}"
    wire.admin("DELETE", path)
    wanted = [wire.admin("GET", f"clients/{management}/roles/{role}").json() for role in roles]
    assert wire.admin("POST", path, wanted).status_code == 204
    form = {
        "grant_type": "client_credentials",
        "client_id": "provisioner",
        "client_secret": "prov-secret",
    }
    return str(wire.token(**form).json()["access_token"])


# --- who asks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer abc.def.ghi"}])
def test_without_a_good_token_nothing_is_told(wire, headers):
    for path in ("users", "nosuch"):
        answer = wire.http.get(f"/admin/realms/workspace/{path}", headers=headers)
        assert (answer.status_code, answer.json()) == (401, {"error": "HTTP 401 Unauthorized"})
    assert wire.http.get("/admin/realms/nope/users", headers=headers).status_code == 401


def test_a_token_of_somebody_else_is_no_administrators(wire):
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
            {"users": 200, "users/nope": 404, "groups": 200, "keys": 403, "roles": 403},
        ),
        (
            ("view-clients",),
            {"users": 403, "clients": 200, "clients/nope": 404, "client-scopes": 200},
        ),
        (("view-realm",), {"users/profile": 200, "roles": 200, "keys": 200, "admin-events": 403}),
        (("view-events",), {"admin-events": 200, "events/config": 200, "users": 403}),
    ],
)
def test_rights_of_a_service_account(wire, roles, expected):
    token = give(wire, *roles)
    answered = {path: wire.admin("GET", path, token=token).status_code for path in expected}
    assert answered == expected


def test_managing_users_does_not_mean_writing_their_profile(wire):
    token = give(wire, "manage-users", "view-users", "query-users")
    whole = wire.admin("GET", "users/profile").json()
    assert wire.admin("PUT", "users/profile", whole, token=token).status_code == 403
    assert wire.admin("POST", "users", {"username": "byservice"}, token=token).status_code == 201
    assert (
        wire.admin("PUT", "users/profile", whole, token=give(wire, "manage-realm")).status_code
        == 200
    )


def test_a_service_account_has_no_session_and_no_refresh_token(wire):
    form = {"grant_type": "client_credentials", "client_id": "provisioner"}
    answer = wire.token(**form, client_secret="prov-secret").json()
    assert (answer["refresh_expires_in"], "refresh_token" in answer, "session_state" in answer) == (
        0,
        False,
        False,
    )
    assert claims(answer["access_token"])["client_id"] == "provisioner"
    assert told(wire.token(**form | {"client_id": "public"})) == (
        401, "unauthorized_client", "Public client not allowed to retrieve service account",
    )  # fmt: skip


# --- paths -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/admin/realms/workspace//users", "missingNormalization"),
        ("/realms//workspace/protocol/openid-connect/certs", "missingNormalization"),
        ("/admin/realms/workspace/users/%2e%2e/users", "missingNormalization"),
        ("/admin/realms/workspace/users;x=1", "invalidCharacter"),
    ],
)
def test_unclean_paths_are_refused_before_the_token(wire, path, error):
    answer = wire.http.get(path)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert answer.headers["content-type"] == "application/json; charset=UTF-8"


def test_routes_that_are_none(wire):
    for method, path, status, text in (
        ("GET", "nosuch", 404, "HTTP 404 Not Found"),
        ("PATCH", "users", 405, "HTTP 405 Method Not Allowed"),
        ("POST", "users/nope/nothing", 404, "User not found"),
        ("GET", "/admin/realms/nope/users", 404, "Realm not found."),
    ):
        answer = wire.admin(method, path)
        assert (answer.status_code, answer.json()) == (status, {"error": text})
    assert wire.admin("POST", "users/", {"username": "trail"}).status_code == 201


def test_a_client_that_prefers_pages_gets_one(wire):
    answer = wire.admin("GET", "users/nope", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html;charset=utf-8")


# --- realms ------------------------------------------------------------------------------------------------------------


def test_realms_come_and_go(wire):
    assert (
        wire.admin("POST", "/admin/realms", {"realm": "second", "enabled": True}).status_code == 201
    )
    answer = wire.admin("POST", "/admin/realms", {"realm": "second"})
    assert (answer.status_code, answer.json()) == (
        409,
        {"errorMessage": "Realm second already exists"},
    )
    assert wire.admin("GET", "/admin/realms/second").json()["accessTokenLifespan"] == 300
    assert wire.admin("PUT", "/admin/realms/second", {"accessTokenLifespan": 77}).status_code == 204
    assert wire.admin("GET", "/admin/realms/second").json()["accessTokenLifespan"] == 77
    assert wire.admin("PUT", "/admin/realms/second", {"nosuch": 1}).status_code == 400
    assert (
        wire.admin("POST", "/admin/realms/second/users", {"username": "only-there"}).status_code
        == 201
    )
    assert wire.admin("GET", "users?username=only-there").json() == []
    assert wire.admin("DELETE", "/admin/realms/second").status_code == 204
    assert wire.admin("GET", "/admin/realms/second").json() == {"error": "Realm not found."}


# --- groups ------------------------------------------------------------------------------------------------------------


def test_groups_and_their_members(wire):
    group = wire.admin("POST", "groups", {"name": "lab"}).headers["location"].rpartition("/")[2]
    answer = wire.admin("POST", "groups", {"name": "lab"})
    text = "Top level group named 'lab' already exists."
    assert (answer.status_code, answer.json()) == (409, {"errorMessage": text})
    child = wire.admin("POST", f"groups/{group}/children", {"name": "members"})
    assert (child.status_code, child.json()["path"]) == (201, "/lab/members")
    member = wire.make("grouped")
    path = f"users/{member}/groups/{child.json()['id']}"
    assert [wire.admin(m, path).status_code for m in ("PUT", "PUT")] == [204, 204]
    assert [g["path"] for g in wire.admin("GET", f"users/{member}/groups").json()] == [
        "/lab/members"
    ]
    assert wire.admin("GET", "group-by-path/lab/members").json()["id"] == child.json()["id"]
    found = wire.admin("GET", f"groups/{child.json()['id']}/members").json()
    assert [user["username"] for user in found] == ["grouped"]
    assert [wire.admin(m, path).status_code for m in ("DELETE", "DELETE")] == [204, 204]
    unknown = wire.admin("PUT", f"users/{member}/groups/nosuch")
    assert (unknown.status_code, unknown.json()) == (404, {"error": "Group not found"})
    assert wire.admin("GET", "group-by-path/nosuch").json() == {
        "error": "Group path does not exist"
    }
    assert wire.admin("DELETE", f"groups/{group}").status_code == 204
    assert wire.admin("GET", f"groups/{child.json()['id']}").json() == {"error": GONE}


# --- clients -----------------------------------------------------------------------------------------------------------


def test_clients(wire):
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


def test_protocol_mappers_of_clients_and_scopes(wire):
    scopes = {scope["name"]: scope["id"] for scope in wire.admin("GET", "client-scopes").json()}
    wanted = mapper(
        "aud", "oidc-audience-mapper", included__custom__audience="x", access__token__claim="true"
    )
    for holder in (f"clients/{client_id(wire, MANAGER)}", f"client-scopes/{scopes['profile']}"):
        models = f"{holder}/protocol-mappers/models"
        made = wire.admin("POST", models, wanted)
        assert made.status_code == 201
        again = wire.admin("POST", models, wanted)
        text = "Protocol mapper exists with same name"
        assert (again.status_code, again.json()) == (409, {"errorMessage": text})
        one = f"{models}/{made.headers['location'].rpartition('/')[2]}"
        assert wire.admin("GET", one).json()["config"]["introspection.token.claim"] == "true"
        assert [wire.admin("DELETE", one).status_code for _ in (1, 2)] == [204, 404]
    unknown = wire.admin(
        "POST",
        f"client-scopes/{scopes['profile']}/protocol-mappers/models",
        {**wanted, "protocolMapper": "nosuch"},
    )
    assert unknown.json() == {"error": "ProtocolMapper provider not found"}


def test_what_happened_is_told_where_the_realm_keeps_it(wire):
    user = wire.make("eventful")
    wire.admin("DELETE", f"users/{user}")
    query = "operationTypes=DELETE&resourceTypes=USER&max=1"
    event = wire.admin("GET", f"admin-events?{query}").json()[0]
    assert (event["operationType"], event["resourcePath"]) == ("DELETE", f"users/{user}")
    assert set(event["authDetails"]) == {"realmId", "clientId", "userId", "ipAddress"}
    bad = wire.admin("GET", "admin-events?dateFrom=zzz")
    text = "Invalid value for 'dateFrom', expected format is yyyy-MM-dd or an Epoch timestamp"
    assert (bad.status_code, bad.json()) == (400, {"error": text})
    assert wire.admin("GET", "admin-events?dateTo=2020-01-01").json() == []
