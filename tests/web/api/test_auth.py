"""The caller of the API: a token, a session with its proof, or nobody."""

import pytest
from django.middleware.csrf import _get_new_csrf_string

from tests.visitors import BACKEND, Visitor
from tests.web.api.documents import problem
from workspace_manager.access import tokens
from workspace_manager.records.models import ApiToken, Person

NEW = {"name": "laptop"}


@pytest.fixture
def token(alice: Person) -> str:
    return tokens.create(alice, name="laptop", actor="alice")[1]


@pytest.fixture
def strict(alice: Person) -> Visitor:
    """A session whose requests are checked as a server checks them."""
    visitor = Visitor(alice, enforce_csrf_checks=True)
    visitor.force_login(alice, backend=BACKEND)
    return visitor


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": text}


def test_a_token_needs_no_session_and_no_proof(token: str, db: None) -> None:
    program = Visitor(enforce_csrf_checks=True)
    for text in (f"Bearer {token}", f"bearer {token}", f"Bearer  {token} "):
        answer = program.ask("GET", "/me", headers=bearer(text))
        assert answer.json()["username"] == "alice"
    made = program.ask("POST", "/projects", {"label": "Mine"}, headers=bearer(f"Bearer {token}"))
    assert made.status_code == 201
    assert ApiToken.objects.get(name="laptop", last_used_at__isnull=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wsm_nothing",
        "Bearer " + "x" * 5000,
        "Basic YWxpY2U6cHc=",
        "Bearer ü",
        "Token wsm",
        "Bearer \x00",
    ],
)
def test_a_token_that_is_not_good_is_refused_even_with_a_session(
    as_alice: Visitor, text: str
) -> None:
    for method, path in (("GET", "/me"), ("POST", "/registrations"), ("GET", "/systems")):
        response = as_alice.ask(method, path, headers=bearer(text))
        problem(response, 401)
        assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_ends_with_its_revocation(
    token: str, as_alice: Visitor, as_nobody: Visitor
) -> None:
    (row,) = as_alice.ask("GET", "/me/tokens").json()["items"]
    assert as_alice.ask("DELETE", f"/me/tokens/{row['id']}").status_code == 204
    problem(as_nobody.ask("GET", "/me", headers=bearer(f"Bearer {token}")), 401)
    problem(as_alice.ask("DELETE", f"/me/tokens/{row['id']}"), 404)


@pytest.mark.parametrize("state", [Person.State.SUSPENDED, Person.State.LEAVING])
def test_whoever_is_not_active_is_nobody(
    token: str, alice: Person, as_alice: Visitor, as_nobody: Visitor, state: str
) -> None:
    Person.objects.filter(id=alice.id).update(state=state)
    problem(as_alice.ask("GET", "/me"), 401)
    problem(as_nobody.ask("GET", "/me", headers=bearer(f"Bearer {token}")), 401)


def test_a_session_needs_its_proof_to_change_something(strict: Visitor) -> None:
    assert strict.ask("GET", "/me").status_code == 200  # gives the cookie
    proof = strict.cookies["csrftoken"].value
    assert "X-CSRFToken" in problem(strict.ask("POST", "/me/tokens", NEW), 403)["detail"]
    wrong = {"X-CSRFToken": _get_new_csrf_string()}
    problem(strict.ask("POST", "/me/tokens", NEW, headers=wrong), 403)
    right = {"X-CSRFToken": proof}
    assert strict.ask("POST", "/me/tokens", NEW, headers=right).status_code == 201
    foreign = {**right, "Origin": "https://evil.example"}
    problem(strict.ask("POST", "/me/tokens", NEW, headers=foreign), 403)


def test_every_unsafe_method_needs_the_proof(strict: Visitor) -> None:
    for method, path in (
        ("POST", "/projects"),
        ("PATCH", "/components/x"),
        ("DELETE", "/stacks/x"),
    ):
        problem(strict.ask(method, path), 403)


def test_a_session_needs_its_proof_to_register_somebody_and_a_program_without_one_does_not(
    strict: Visitor,
) -> None:
    problem(strict.ask("POST", "/registrations", {}), 403)
    problem(Visitor(enforce_csrf_checks=True).ask("POST", "/registrations", {}), 422)


def test_nobody_is_told_to_sign_in_before_anything_else(db: None) -> None:
    stranger = Visitor(enforce_csrf_checks=True)
    problem(stranger.ask("POST", "/me/tokens", "{"), 401)
    problem(stranger.ask("PATCH", "/components/not-an-id", {}), 401)
    stranger.cookies["sessionid"] = "x" * 32
    problem(stranger.ask("GET", "/me"), 401)


def test_a_role_that_is_lacking_is_said_before_anything_is_looked_up(as_alice: Visitor) -> None:
    for path in ("/registrations", "/registrations/x", "/systems", "/systems/x"):
        assert "administrators" in problem(as_alice.ask("GET", path), 403)["detail"]


def test_an_administrator_who_lost_the_role_lost_it_at_once(
    ada: Person, as_administrator: Visitor
) -> None:
    assert as_administrator.ask("GET", "/systems").status_code == 200
    Person.objects.filter(id=ada.id).update(role=Person.Role.USER)
    problem(as_administrator.ask("GET", "/systems"), 403)
