"""The stand-in's users: what is accepted, dropped, refused and shown, as recorded of a real
Keycloak 26.7.3.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.systems.identity_provider.stand_in_wire import Wire, clients, read_refusal
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

UNKNOWN = "00000000-0000-0000-0000-000000000000"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    stand_in = IdentityProviderStandIn(
        clients=clients(),
        declared_attributes=["filesvc_login_name", "filesvc_app_password", "sql_password"],
        realm_settings={"passwordPolicy": "length(8) and notUsername(undefined)"},
    )
    with running(stand_in):
        yield Wire(stand_in)


def create(wire: Wire, document: Any) -> Any:
    return wire.admin("POST", "users", document)


def test_a_created_user_is_off_lower_case_and_known_by_location_alone(wire: Wire) -> None:
    answer = create(wire, {"id": UNKNOWN, "username": "Alice", "email": "Alice@Example.org"})
    assert (answer.status_code, answer.content) == (201, b"")
    assert "content-type" not in answer.headers
    user = wire.user(answer.headers["location"].rpartition("/")[2])
    assert user["id"] != UNKNOWN
    assert (user["username"], user["email"], user["enabled"]) == (
        "alice",
        "alice@example.org",
        False,
    )
    assert "attributes" not in user
    assert set(user["access"]) == {
        "manageGroupMembership", "resetPassword", "view", "mapRoles", "impersonate", "manage",
    }  # fmt: skip


def test_a_taken_email_wins_over_a_taken_name(wire: Wire) -> None:
    wire.make("taken")
    for document, text in (
        ({"username": "TAKEN", "email": "free@example.org"}, "User exists with same username"),
        ({"username": "free", "email": "TAKEN@example.org"}, "User exists with same email"),
        ({"username": "taken", "email": "taken@example.org"}, "User exists with same email"),
    ):
        answer = create(wire, document)
        assert (answer.status_code, answer.json()) == (409, {"errorMessage": text})


@pytest.mark.parametrize(
    "name", ["john.doe", "john_doe", "a@b.example", "-dash", "ümlaut", "a+b", "x" * 64, "emo😀ji"]
)
def test_accepted_names(wire: Wire, name: str) -> None:
    assert create(wire, {"username": name}).status_code == 201


@pytest.mark.parametrize(
    "name",
    [
        "o'neil",
        "with space",
        "a/b",
        "a%b",
        'a"b',
        "a;b",
        "日本語",
        "İstanbul",
        "e\u0301abc",
        " lead",
        "a\tb",
        "αβγ",
    ],
)
def test_refused_names(wire: Wire, name: str) -> None:
    refused = {
        "field": "username",
        "errorMessage": "error-username-invalid-character",
        "params": ["username"],
    }
    answer = create(wire, {"username": name})
    assert (answer.status_code, answer.json()) == (400, refused)


@pytest.mark.parametrize("name", ["ab", "x" * 256])
def test_names_have_a_length(wire: Wire, name: str) -> None:
    refused = {
        "field": "username",
        "errorMessage": "error-invalid-length",
        "params": ["username", 3, 255],
    }
    assert create(wire, {"username": name}).json() == refused


def test_several_violations_are_told_together(wire: Wire) -> None:
    answer = create(wire, {"username": "ab", "email": "nope", "firstName": "<b>"})
    assert [error["errorMessage"] for error in answer.json()["errors"]] == [
        "error-invalid-length", "error-invalid-email", "error-person-name-invalid-character",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "status", "document"),
    [
        (b"{", 400, {"error": "invalid_request", "error_description": "Cannot parse the JSON"}),
        (b"[]", 400, {"error": "unknown_error", "error_description": "Cannot parse the JSON"}),
        (
            b'{"username":"unk","nosuch":1}',
            400,
            {
                "error": "Invalid json representation for UserRepresentation."
                ' Unrecognized field "nosuch" at line 1 column 29.'
            },
        ),
        (b'{"email":"n@example.org"}', 400, {"errorMessage": "User name is missing"}),
        (b'{"username":"e","enabled":"maybe"}', 400, {"error": "unknown_error",
        "error_description": "Cannot parse the JSON"}),
    ],
)  # fmt: skip
def test_bodies_that_are_not_understood(wire: Wire, body: Any, status: int, document: Any) -> None:
    answer = wire.admin("POST", "users", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()) == (status, document)


def test_another_content_type_is_refused(wire: Wire) -> None:
    answer = wire.admin("POST", "users", content=b"{}", headers={"Content-Type": "text/plain"})
    text = "The content-type header value did not match the value in @Consumes"
    assert (answer.status_code, answer.json()) == (415, {"error": text})


def test_a_policy_is_applied_to_a_password_and_nothing_is_left_behind(wire: Wire) -> None:
    document = {"username": "shortpw", "credentials": [{"type": "password", "value": "abc"}]}
    text = "Invalid password: minimum length 8."
    assert read_refusal(create(wire, document)) == (400, "invalidPasswordMinLengthMessage", text)
    assert wire.admin("GET", "users?username=shortpw&exact=true").json() == []


@pytest.mark.parametrize(
    ("credential", "error"),
    [
        ({"type": "password"}, "unknown_error"),
        ({"type": "password", "credentialData": "{", "secretData": "{"}, "invalid_request"),
        ({"credentialData": "{}", "secretData": "{}"}, "unknown_error"),
    ],
)
def test_a_broken_credential_breaks_the_creation(wire: Wire, credential: Any, error: str) -> None:
    answer = create(wire, {"username": "broken", "credentials": [credential]})
    assert (answer.status_code, answer.json()["error"]) == (500, error)
    assert wire.admin("GET", "users/count?username=broken").json() == 0


def test_an_unknown_group_breaks_the_creation(wire: Wire) -> None:
    answer = create(wire, {"username": "grp", "groups": ["/nosuch"]})
    assert (answer.status_code, answer.json()["error"]) == (500, "unknown_error")


# --- attributes -----------------------------------------------------------------------------------


def test_an_undeclared_attribute_is_dropped_without_a_word(wire: Wire) -> None:
    given = {"filesvc_login_name": ["x"], "undeclared": ["y"]}
    user = wire.make("dropper", attributes=given)
    assert wire.user(user)["attributes"] == {"filesvc_login_name": ["x"]}
    whole = wire.user(user)
    whole["attributes"] = {**whole["attributes"], "undeclared": ["z"]}
    assert wire.admin("PUT", f"users/{user}", whole).status_code == 204
    assert "undeclared" not in wire.user(user)["attributes"]


def test_put_without_attributes_merges_and_with_them_replaces_all(wire: Wire) -> None:
    user = wire.make("putter", attributes={"filesvc_login_name": ["x"], "sql_password": ["y"]})
    wire.admin("PUT", f"users/{user}", {"firstName": "Bobby"})
    assert wire.user(user)["firstName"] == "Bobby"
    assert wire.user(user)["email"] == "putter@example.org"
    wire.admin("PUT", f"users/{user}", {"attributes": {"sql_password": ["z"]}})
    after = wire.user(user)
    assert after["attributes"] == {"sql_password": ["z"]}
    assert not {"email", "firstName", "lastName"} & set(after)
    assert after["emailVerified"] is True


@pytest.mark.parametrize("empty", [[], [""], ["  "], None])
def test_an_empty_value_removes_the_attribute(wire: Wire, empty: Any) -> None:
    user = wire.make(
        f"empty-{len(repr(empty)):03}-{type(empty).__name__.lower()}",
        attributes={"filesvc_login_name": ["x"], "sql_password": ["y"]},
    )
    whole = wire.user(user)
    whole["attributes"]["sql_password"] = empty
    assert wire.admin("PUT", f"users/{user}", whole).status_code == 204
    assert wire.user(user)["attributes"] == {"filesvc_login_name": ["x"]}


def test_a_whole_user_may_be_sent_back_and_a_rename_is_refused(wire: Wire) -> None:
    user = wire.make("same")
    assert wire.admin("PUT", f"users/{user}", wire.user(user)).status_code == 204
    answer = wire.admin("PUT", f"users/{user}", {"username": "other"})
    refused = {
        "field": "username",
        "errorMessage": "error-user-attribute-read-only",
        "params": ["username"],
    }
    assert (answer.status_code, answer.json()) == (400, refused)


def test_an_attribute_that_is_too_long_changes_nothing(wire: Wire) -> None:
    user = wire.make("longer", attributes={"sql_password": ["y"]})
    answer = wire.admin(
        "PUT", f"users/{user}", {"enabled": False, "attributes": {"sql_password": ["x" * 256]}}
    )
    assert answer.json() == {
        "field": "sql_password", "errorMessage": "error-invalid-length-too-long",
        "params": ["sql_password", None, 255],
    }  # fmt: skip
    assert wire.user(user)["enabled"] is True
    assert wire.user(user)["attributes"] == {"sql_password": ["y"]}


def test_a_profile_without_attributes_is_taken_and_loses_them(wire: Wire) -> None:
    whole = wire.admin("GET", "users/profile").json()
    user = wire.make("profiled", attributes={"sql_password": ["y"]})
    answer = wire.admin("PUT", "users/profile", {"unmanagedAttributePolicy": "ADMIN_EDIT"})
    assert (answer.status_code, answer.json()) == (
        200,
        {"groups": [], "unmanagedAttributePolicy": "ADMIN_EDIT"},
    )
    assert "firstName" not in wire.user(user)
    assert wire.admin("PUT", "users/profile", whole).json() == whole
    assert wire.user(user)["attributes"] == {"sql_password": ["y"]}


def test_a_profile_that_makes_no_sense_is_refused(wire: Wire) -> None:
    whole = wire.admin("GET", "users/profile").json()
    twice = {**whole, "attributes": [*whole["attributes"], {"name": "z"}, {"name": "z"}]}
    text = "[Attribute configuration already exists with 'name':'z']"
    assert wire.admin("PUT", "users/profile", twice).json() == {"errorMessage": text}
    fewer = {**whole, "attributes": whole["attributes"][1:]}
    text = "[The attribute 'username' can not be removed]"
    assert wire.admin("PUT", "users/profile", fewer).json() == {"errorMessage": text}


# --- looking --------------------------------------------------------------------------------------


def names(wire: Wire, query: str) -> list[str]:
    return [user["username"] for user in wire.admin("GET", f"users?{query}").json()]


def test_searching(wire: Wire) -> None:
    wire.make("searchable", attributes={"filesvc_login_name": ["Needle"]})
    assert names(wire, "username=EARCHAB") == ["searchable"]
    assert names(wire, "username=earchab&exact=true") == []
    assert names(wire, "username=SEARCHABLE&exact=true") == ["searchable"]
    assert names(wire, "username=_earchable") == ["searchable"]
    assert names(wire, "username=_earchable&exact=true") == []
    assert names(wire, "search=search") == ["searchable"]
    assert names(wire, "search=archable") == []
    assert names(wire, "search=*archable") == ["searchable"]
    assert names(wire, "q=filesvc_login_name:needle") == ["searchable"]
    everybody = names(wire, "username=%25&max=-1")
    assert everybody == sorted(everybody)
    assert len(names(wire, "first=1&max=2")) == 2
    assert wire.admin("GET", "users?first=abc").status_code == 404
    brief = wire.admin("GET", "users?username=searchable&briefRepresentation=true").json()[0]
    assert set(brief) == {
        "id", "username", "firstName", "lastName", "email", "emailVerified", "enabled",
        "createdTimestamp", "access",
    }  # fmt: skip


def test_a_service_account_shows_up_only_by_name(wire: Wire) -> None:
    assert "service-account-provisioner" not in names(wire, "max=-1")
    assert names(wire, "username=service-account-pro") == ["service-account-provisioner"]


def test_a_deleted_user_is_gone(wire: Wire) -> None:
    user = wire.make("leaver")
    assert wire.admin("DELETE", f"users/{user}").status_code == 204
    for method in ("GET", "DELETE"):
        answer = wire.admin(method, f"users/{user}")
        assert (answer.status_code, answer.json()) == (404, {"error": "User not found"})
    assert wire.admin("POST", f"users/{user}/logout").json() == {"error": "User not found"}


def test_passwords_are_never_shown(wire: Wire) -> None:
    user = wire.make("keeper")
    stored = wire.admin("GET", f"users/{user}/credentials").json()[0]
    assert "secretData" not in stored
    assert json.loads(stored["credentialData"])["algorithm"] == "argon2"
