"""The wire: what each answer means, which paths are used, and that no value shows."""

import json

import httpx
import pytest

from tests.systems.identity_provider.wire import (
    CANARY,
    HTML,
    SUB,
    USERS,
    Server,
    says,
)
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client.sign_ins import SignInClient

# --- what answers mean ----------------------------------------------------------------------------

MEANINGS: list[tuple[httpx.Response, type[ConnectorError], str]] = [
    (says(404, error="User not found"), NotFound, "does not have this"),
    (says(404, error="Realm not found."), Invalid, "does not know the address"),
    (says(404, error="HTTP 404 Not Found"), Invalid, "does not know the address"),
    (httpx.Response(404, html="<h1>Not Found</h1>"), Invalid, "does not know the address"),
    (httpx.Response(404, text='{"error":"User not found"}'), Invalid, "does not know the address"),
    (httpx.Response(404), Invalid, "does not know the address"),
    (says(401, error="HTTP 401 Unauthorized"), Denied, "not even a new one"),
    (says(403, error="HTTP 403 Forbidden"), Denied, "may not do this"),
    (says(409, errorMessage="User exists with same username"), Conflict, "with this name"),
    (says(409, errorMessage="User exists with same email"), Conflict, "e-mail"),
    (says(409, errorMessage="Client x already exists"), Conflict, "something with this name"),
    (says(400, errorMessage="error-invalid-length", field="username"), Invalid, "username: error-"),
    (says(400, error="missingNormalization"), Invalid, "missingNormalization"),
    (says(415, error="The content-type header value did not match"), Invalid, "HTTP 415"),
    (says(500, error="unknown_error"), Unavailable, "HTTP 500"),
    (httpx.Response(502, html="<h1>Bad Gateway</h1>"), Unavailable, "HTTP 502"),
    (httpx.Response(503), Unavailable, "HTTP 503"),
    (httpx.Response(302, headers={"location": "/login"}), Invalid, "redirect"),
    (HTML, Invalid, "expected JSON"),
    (httpx.Response(200), Invalid, "expected JSON"),
    (says(200, id=SUB), Invalid, "expected a user"),
    (httpx.Response(200, json=[]), Invalid, "expected a user"),
    (httpx.Response(200, json={"id": 1, "username": "x"}), Invalid, "expected a user"),
    (
        httpx.Response(200, content=b'{"id": "tr', headers={"content-type": "application/json"}),
        Invalid,
        "does not parse",
    ),
]


@pytest.mark.parametrize(("answer", "error", "text"), MEANINGS)
def test_an_answer_to_a_look_means(
    answer: httpx.Response, error: type[ConnectorError], text: str
) -> None:
    with pytest.raises(ConnectorError, match=text) as caught:
        Server(answer).users.get_user(SUB)
    assert type(caught.value) is error
    assert caught.value.kind == "identity_provider.user"
    assert caught.value.advice


def test_a_429_keeps_how_long_to_wait() -> None:
    server = Server(httpx.Response(429, headers={"retry-after": "120"}))
    with pytest.raises(Unavailable) as caught:
        server.users.delete_user(SUB)
    assert caught.value.retry_after == 120


def test_no_answer_is_unavailable() -> None:
    def late(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("late", request=request)

    with pytest.raises(Unavailable, match="no answer"):
        Server(late).users.log_out(SUB)


@pytest.mark.parametrize("answer", [HTML, says(200), httpx.Response(202), httpx.Response(201)])
def test_another_success_than_the_one_expected_is_none(answer: httpx.Response) -> None:
    users = Server(answer).users
    for call in (users.delete_user, users.log_out):
        with pytest.raises(Invalid):
            call(SUB)
    with pytest.raises(Invalid):
        users.put_user(SUB, {"enabled": False})


@pytest.mark.parametrize("answer", [HTML, says(200), httpx.Response(200, json=[1])])
def test_a_list_must_be_a_list(answer: httpx.Response) -> None:
    server = Server(answer)
    for call in (server.users.some_user, lambda: server.users.find_user("ada")):
        with pytest.raises(Invalid):
            call()
    with pytest.raises(Invalid):
        SignInClient(server.users).count(SUB)


def test_reasons_name_fields_and_codes_and_no_values() -> None:
    errors = [
        {"field": "email", "errorMessage": "error-invalid-email", "params": ["email", CANARY]},
        {"field": CANARY * 9, "errorMessage": "error-invalid-length"},
        {"field": "x", "errorMessage": f"Unrecognized field {CANARY}"},
        {"field": "x", "errorMessage": f"No {CANARY}", "params": ["x", CANARY]},
        {"field": "x", "errorMessage": "Lower case.", "params": ["x", CANARY]},
    ]
    named = r"\(email: error-invalid-email, error-invalid-length, x: “Lower case.”\)"
    with pytest.raises(Invalid, match=named):
        Server(says(400, errors=errors)).users.put_user(SUB, {})


# --- single calls ---------------------------------------------------------------------------------


def test_a_new_user_is_known_by_the_end_of_its_location() -> None:
    location = f"http://other.host:1/auth{USERS}/{SUB}"
    server = Server(httpx.Response(201, headers={"location": location}))
    assert server.users.create_user({"username": "ada"}) == SUB
    assert server.calls[0].url.raw_path.decode() == USERS


@pytest.mark.parametrize("headers", [{}, {"location": f"{USERS}/"}, {"location": f"{USERS}/a b"}])
def test_a_new_user_without_an_id_is_invalid(headers: dict[str, str]) -> None:
    with pytest.raises(Invalid, match="did not return its id"):
        Server(httpx.Response(201, headers=headers)).users.create_user({"username": "ada"})


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"credentialData": "x", "secretData": "{}"}', '{"secretData": {}}']
)
def test_a_broken_hash_is_never_sent(text: str) -> None:
    server = Server(httpx.Response(500))
    with pytest.raises(Invalid, match="does not have the format"):
        server.users.create_user({"username": "ada"}, Secret(text))
    assert not server.calls


def test_a_hash_is_sent_as_a_credential() -> None:
    server = Server(httpx.Response(201, headers={"location": f"{USERS}/{SUB}"}))
    pair = {"credentialData": '{"algorithm":"argon2"}', "secretData": '{"value":"v","salt":"s"}'}
    server.users.create_user({"username": "ada"}, Secret(json.dumps(pair)))
    body = json.loads(server.calls[0].content)
    assert body["credentials"] == [{"type": "password", **pair}]


def test_a_search_trusts_the_exact_name_alone() -> None:
    near = [{"id": "1", "username": "ada2"}, {"id": "2", "username": "xada"}]
    server = Server(httpx.Response(200, json=near))
    assert server.users.find_user("ada") is None
    server.answer = httpx.Response(200, json=[*near, {"id": "3", "username": "ada"}])
    assert (server.users.find_user("ADA") or {})["id"] == "3"
    assert server.calls[-1].url.params["exact"] == "true"


def test_ids_are_quoted_and_unsafe_ones_never_sent() -> None:
    server = Server(httpx.Response(204))
    server.users.delete_user("f:1:a b;c")
    assert server.calls[0].url.raw_path.decode() == f"{USERS}/f%3A1%3Aa%20b%3Bc"
    for unsafe in ("", "..", "a/b", "a\n"):
        with pytest.raises(Conflict):
            server.users.delete_user(unsafe)
    assert len(server.calls) == 1


@pytest.mark.parametrize(
    ("settings", "create", "delete"),
    [
        ({}, USERS, f"{USERS}/{SUB}"),
        ({"users_create_url": "/"}, USERS, f"{USERS}/{SUB}"),
        ({"users_url": "admin/realms/{realm}/users/"}, USERS, f"{USERS}/{SUB}"),
        ({"users_url": "https://id.example/api//u"}, "/api/u", f"/api/u/{SUB}"),
        ({"users_delete_url": "{userId}/"}, USERS, f"{USERS}/{SUB}"),
        (
            {"users_create_url": "new", "users_delete_url": "/x/{userId}"},
            f"{USERS}/new",
            f"{USERS}/x/{SUB}",
        ),
    ],
)
def test_paths_come_from_the_settings(settings: dict[str, str], create: str, delete: str) -> None:
    server = Server(httpx.Response(201, headers={"location": f"/{SUB}"}))
    users = server.with_settings(**settings)
    users.create_user({"username": "ada"})
    server.answer = httpx.Response(204)
    users.delete_user(SUB)
    assert [call.url.raw_path.decode() for call in server.calls] == [create, delete]


def test_a_delete_path_without_an_id_would_hit_everybody() -> None:
    server = Server(httpx.Response(204))
    with pytest.raises(Invalid, match="where the user's id goes"):
        server.with_settings(users_delete_url="/").delete_user(SUB)
    assert not server.calls


def test_reading_an_attribute_gives_a_secret_or_not_found() -> None:
    user = {
        "id": SUB,
        "username": "ada",
        "attributes": {"app": [CANARY], "none": [], "empty": [""]},
    }
    users = Server(httpx.Response(200, json=user)).users
    assert users.read_attribute(SUB, "app") == Secret(CANARY)
    for name in ("none", "empty", "absent"):
        with pytest.raises(NotFound, match="not set"):
            users.read_attribute(SUB, name)


def test_users_that_are_not_shown_are_no_empty_realm() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=count if request.url.path.endswith("/count") else [])

    count: object = 0
    assert Server(answer).users.some_user() is None
    count = 7
    with pytest.raises(Denied, match="none of them"):
        Server(answer).users.some_user()
    count = "many"
    with pytest.raises(Invalid, match="expected a number"):
        Server(answer).users.some_user()


def test_clients_are_read_page_by_page() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        first = int(request.url.params["first"])
        return httpx.Response(200, json=everybody[first : first + int(request.url.params["max"])])

    everybody: list[dict[str, str]] = [{"clientId": str(n)} for n in range(200)]
    assert Server(answer).realm.all_clients() == everybody
    everybody = []
    with pytest.raises(Denied, match="none of them"):
        Server(answer).realm.all_clients()


def test_a_profile_without_attributes_is_neither_believed_nor_sent() -> None:
    server = Server(says(200, groups=[]))
    with pytest.raises(Invalid, match="expected a user profile"):
        server.realm.get_profile()
    with pytest.raises(Invalid, match="would erase the existing one"):
        server.realm.put_profile({"attributes": []})
    assert len(server.calls) == 1
