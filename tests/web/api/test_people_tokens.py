"""Administrators see the tokens of others, never their text, and end them."""

from datetime import timedelta

from django.utils import timezone

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.access import tokens
from workspace_manager.records.models import ApiToken, AuditEntry, Person


def test_the_tokens_of_somebody_are_seen_and_ended(
    as_administrator: Visitor, as_nobody: Visitor, alice: Person, bob: Person
) -> None:
    token, clear = tokens.create(alice, name="laptop", actor="alice")
    other, _ = tokens.create(bob, name="bob's", actor="bob")
    answer = as_administrator.ask("GET", "/people/alice/tokens")
    (shown,) = answer.json()["items"]
    assert (shown["label"], shown["scope"], shown["expired"]) == ("laptop", "own", False)
    assert shown["last_used_at"] is None
    assert clear not in answer.content.decode()
    assert token.digest not in answer.content.decode()
    one = f"/people/alice/tokens/{token.id}"
    assert as_administrator.ask("GET", one).json() == shown
    problem(as_administrator.ask("DELETE", f"/people/alice/tokens/{other.id}"), 404)
    problem(as_administrator.ask("GET", "/people/nobody/tokens"), 404)
    problem(as_administrator.ask("DELETE", "/people/nobody/tokens"), 404)
    assert as_administrator.ask("DELETE", one).status_code == 204
    sent = {"Authorization": f"Bearer {clear}"}
    problem(as_nobody.ask("GET", "/me", headers=sent), 401)
    ended = AuditEntry.objects.get(event="token:revoked")
    assert (ended.actor, ended.subject) == ("ada", "alice")
    assert list(ApiToken.objects.all()) == [other]


def test_all_of_them_end_at_once(as_administrator: Visitor, alice: Person, bob: Person) -> None:
    for name in ("a", "b"):
        tokens.create(alice, name=name, actor="alice")
    kept, _ = tokens.create(bob, name="c", actor="bob")
    assert as_administrator.ask("DELETE", "/people/alice/tokens").status_code == 204
    assert list(ApiToken.objects.all()) == [kept]
    assert AuditEntry.objects.filter(event="token:revoked", actor="ada").count() == 2


def test_a_body_says_scope_and_end(as_alice: Visitor) -> None:
    day = (timezone.now() + timedelta(days=9)).date().isoformat()
    body = {"label": "Import", "scope": "read", "expires_at": f"{day}T08:00:00+01:00"}
    made = as_alice.ask("POST", "/me/tokens", body).json()
    assert (made["label"], made["name"], made["scope"]) == ("Import", "Import", "read")
    assert made["expires_at"] == f"{day}T07:00:00Z"
    for member, value in (
        ("scope", "operation"),
        ("scope", "everything"),
        ("scope", "administration"),
        ("scope", None),
        ("expires_at", "never"),
        ("expires_at", "2020-01-01"),
        ("expires_at", "2999-01-01"),
        ("expires_at", 5),
    ):
        told = problem(as_alice.ask("POST", "/me/tokens", body | {member: value}), 422)
        assert told["errors"][0]["field"] == member, (member, value)


def test_a_token_makes_none(as_nobody: Visitor, ada: Person) -> None:
    for scope in tokens.Scope:
        _, clear = tokens.create(ada, name="t", actor="ada", scope=scope)
        sent = {"Authorization": f"Bearer {clear}"}
        told = problem(as_nobody.ask("POST", "/me/tokens", {"label": "t"}, headers=sent), 403)
        assert told["detail"] == "An API token cannot do this. Sign in with a browser."
    assert ApiToken.objects.count() == len(tokens.Scope)


def test_a_scope_that_does_not_reach_says_which_does(as_nobody: Visitor, ada: Person) -> None:
    _, clear = tokens.create(ada, name="t", actor="ada", scope="read")
    sent = {"Authorization": f"Bearer {clear}"}
    told = problem(as_nobody.ask("POST", "/projects", {"label": "x"}, headers=sent), 403)
    assert "“read”" in told["detail"]
    assert "own, administration" in told["detail"]
    assert "operation" not in told["detail"]


def test_a_token_for_own_things_has_no_role(
    as_nobody: Visitor, as_alice: Visitor, ada: Person, alice: Person
) -> None:
    """Not by a list, nor by another's thing, nor when something is written back."""
    project = as_alice.ask("POST", "/projects", {"label": "Hers"}).json()
    _, clear = tokens.create(ada, name="t", actor="ada")
    sent = {"Authorization": f"Bearer {clear}"}
    assert as_nobody.ask("GET", "/projects", headers=sent).json()["count"] == 0
    listed = as_nobody.ask("GET", "/people", headers=sent).json()["items"]
    assert [one["username"] for one in listed] == ["ada"]
    problem(as_nobody.ask("DELETE", f"/projects/{project['id']}", headers=sent), 404)
    assert Person.objects.get(username="ada").role == Person.Role.ADMINISTRATOR
