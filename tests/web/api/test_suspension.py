"""A suspension by REST: looked at, ordered with a reason and an end, changed."""

from datetime import timedelta, timezone

import pytest
from allauth.socialaccount.models import SocialAccount

from tests.clock import noon
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.access import tokens
from workspace_manager.records.models import Account, ApiToken, Person, Plan, Suspension

LATER, ONE_AHEAD = noon(60), timezone(timedelta(hours=1))


@pytest.fixture
def linked(alice: Person) -> Person:
    SocialAccount.objects.create(user=alice, provider="identity_provider", uid="sub-1")
    for kind in ("sql_server.user", "triplestore.user", "drive.account"):
        system = kind.partition(".")[0]
        name = "sub-1" if system == "drive" else "alice"
        Account.objects.create(system=system, kind=kind, name=name, username="alice", person=alice)
    return alice


def test_it_is_looked_at_first_and_nothing_is_stored(
    linked: Person, as_administrator: Visitor, as_alice: Visitor
) -> None:
    tokens.create(linked, name="laptop", actor="alice")
    answer = as_administrator.ask("GET", "/people/alice/suspension")
    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["person"], shown["state"], shown["kind"]) == ("alice", "active", "suspension")
    assert (shown["since"], shown["until"], shown["reason"], shown["plan"]) == (
        None,
        None,
        "",
        None,
    )
    assert shown["api_tokens"] == 1
    changes = {change["kind"]: change for step in shown["steps"] for change in step["changes"]}
    assert changes["drive.account"]["after"] == {"enabled": False}
    assert changes["triplestore.user"]["after"] == {"shut": True}
    assert len(shown["remarks"]) == len(shown["remarks_messages"]) > 1
    assert not Plan.objects.exists()
    problem(as_alice.ask("GET", "/people/alice/suspension"), 403)
    problem(as_administrator.ask("GET", "/people/nobody/suspension"), 404)


def test_it_is_ordered_with_a_reason_and_an_end(linked: Person, as_administrator: Visitor) -> None:
    body = {"reason": "On leave", "until": LATER.astimezone(ONE_AHEAD).isoformat()}
    answer = as_administrator.ask("POST", "/people/alice/suspend", body)
    assert answer.status_code == 202
    assert any("On leave" in text for text in answer.json()["remarks"])
    shown = as_administrator.ask("GET", "/people/alice/suspension").json()
    assert (shown["kind"], shown["reason"]) == ("resumption", "On leave")
    assert (shown["until"], shown["by"]) == (f"{LATER:%Y-%m-%dT%H:%M:%SZ}", "ada")
    assert shown["plan"] == answer.json()["id"]
    problem(as_administrator.ask("POST", "/people/alice/suspend"), 409)
    problem(as_administrator.ask("POST", "/people/alice/suspend", {}), 409)
    again = as_administrator.ask("POST", "/people/alice/suspend", {"until": None})
    assert again.status_code == 202
    row = Suspension.objects.get()
    assert (row.until, row.reason) == (None, "On leave")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"until": "tomorrow"}, "until"),
        ({"until": "2020-01-01"}, "until"),
        ({"until": "2999-01-01"}, "until"),
        ({"until": 5}, "until"),
        ({"reason": "x" * 2001}, "reason"),
        ({"untl": "2031-01-31"}, "untl"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(
    linked: Person, as_administrator: Visitor, body: dict[str, object], field: str
) -> None:
    document = problem(as_administrator.ask("POST", "/people/alice/suspend", body), 422)
    assert field in str(document["errors"])
    linked.refresh_from_db()
    assert linked.state == "active"


def test_tokens_end_for_good(linked: Person, as_administrator: Visitor) -> None:
    _, clear = tokens.create(linked, name="laptop", actor="alice")
    assert getattr(tokens.find_token(clear), "person", None) == linked
    as_administrator.ask("POST", "/people/alice/suspend")
    as_administrator.ask("POST", "/people/alice/resume")
    assert tokens.find_token(clear) is None
    assert not ApiToken.objects.filter(person=linked).exists()
