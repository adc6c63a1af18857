"""Asking to join, and deciding about it."""

from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import Mail, Person, Plan, Registration, SystemStatus
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

PASSWORD = " Correct horse, battery staple! "
FORM = {
    "username": "dora",
    "email": "dora@example.org",
    "first_name": "Dora",
    "last_name": "Özdemir-Λ",
    "password": PASSWORD,
    "locale": "de",
    "timezone": "Europe/Berlin",
}


def form(**other: Any) -> dict[str, Any]:
    return {**FORM, **other}


@pytest.fixture
def pending(as_nobody: Visitor) -> str:
    as_nobody.ask("POST", "/registrations", FORM)
    return str(Registration.objects.get().id)


def test_nobody_approves_themselves_by_a_member_more(as_nobody: Visitor) -> None:
    body = form(status="approved", role="administrator", id="x")
    refused = problem(as_nobody.ask("POST", "/registrations", body), 422)
    named = {error["field"] for error in refused["errors"]}
    assert {"status", "role", "id"} == named
    assert not Registration.objects.exists()


def test_anybody_may_ask(as_nobody: Visitor) -> None:
    answer = as_nobody.ask("POST", "/registrations", FORM)
    assert (answer.status_code, answer.json()) == (202, {"status": "pending"})
    row = Registration.objects.get()
    assert (row.username, row.status, row.email_confirmed) == ("dora", "pending", False)
    assert row.password_hash is not None
    assert PASSWORD.strip() not in repr(row.__dict__)


def test_locale_and_timezone_may_be_left_out(as_nobody: Visitor) -> None:
    body = {k: v for k, v in FORM.items() if k not in {"locale", "timezone"}}
    assert as_nobody.ask("POST", "/registrations", body).status_code == 202


def test_a_taken_name_takes_as_much_work_as_a_free_one(as_nobody: Visitor, bob: Person) -> None:
    def asked(**other: Any) -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            assert as_nobody.ask("POST", "/registrations", form(**other)).status_code == 202
        return [query["sql"].split()[0] for query in queries]

    asked(username="first", email="first@example.org")
    free = asked()
    assert asked(username="bob", email="other@example.org") == free
    assert asked(username="erin", email="bob@example.org") == free


def test_a_taken_name_is_answered_like_a_free_one(as_nobody: Visitor, bob: Person) -> None:
    free = as_nobody.ask("POST", "/registrations", FORM)
    for body in (FORM, form(username="bob"), form(username="erin", email="BOB@example.org")):
        taken = as_nobody.ask("POST", "/registrations", body)
        assert (taken.status_code, taken.content) == (free.status_code, free.content)
        assert taken.headers.keys() == free.headers.keys()
    duplicates = list(Registration.objects.values_list("duplicate_of", flat=True))
    assert duplicates == ["", "dora", "bob", "bob"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", "root"),
        ("username", "a"),
        ("username", "x" * 33),
        ("username", "x" * 300),
        ("username", " dora"),
        ("username", "do ra"),
        ("username", "-dora-"),
        ("username", "dora\x00"),
        ("username", 1),
        ("email", "nothing"),
        ("email", "a@b.c" + "d" * 300),
        ("email", "dora@example.org\nBcc: all@example.org"),
        ("first_name", ""),
        ("first_name", "<script>"),
        ("last_name", "x" * 101),
        ("last_name", "\udc00"),
        ("first_name", "\u202eabA"),
        ("first_name", "Dora\u2066x"),
        ("first_name", "\u200b"),
        ("first_name", "\u200d\u200c"),
        ("first_name", "\u3164"),
        ("last_name", "A\u2028B"),
        ("last_name", "A\x85B"),
        ("last_name", "A\ue000"),
        ("password", "short"),
        ("password", "dora@example.org"),
        ("password", "x" * 2000),
        ("password", "canary\x00canary-4711"),
        ("password", None),
        ("locale", "../etc"),
        ("locale", "en\n"),
        ("locale", "de-DE\n"),
        ("locale", "de-" + "x" * 30),
        ("timezone", "Mars/Phobos"),
        ("timezone", "../../etc/passwd"),
    ],
)
def test_what_cannot_be_names_its_field(as_nobody: Visitor, field: str, value: Any) -> None:
    response = as_nobody.ask("POST", "/registrations", form(**{field: value}))
    assert [error["field"] for error in problem(response, 422)["errors"]] == [field]
    assert "canary" not in response.content.decode()
    assert not Registration.objects.exists()


@pytest.mark.parametrize("name", ["رضا\u200cپور", "क्\u200dष", "Ludwig van", "O’Brien-Łęcki", "李"])
def test_names_of_every_script_are_taken(as_nobody: Visitor, name: str) -> None:
    answer = as_nobody.ask("POST", "/registrations", form(last_name=name))
    assert answer.status_code == 202


def test_every_wrong_field_is_named_at_once(as_nobody: Visitor) -> None:
    document = problem(as_nobody.ask("POST", "/registrations", {}), 422)
    names = {error["field"] for error in document["errors"]}
    assert names == {"username", "email", "first_name", "last_name", "password"}


def test_one_address_may_not_ask_without_end(as_nobody: Visitor, settings: LazySettings) -> None:
    settings.REGISTRATION_RATE = 2
    for _ in range(2):
        assert as_nobody.ask("POST", "/registrations", FORM).status_code == 202
    response = as_nobody.ask("POST", "/registrations", FORM)
    problem(response, 429)
    assert 0 < int(response.headers["Retry-After"]) <= 3600
    other = as_nobody.ask("POST", "/registrations", FORM, REMOTE_ADDR="192.0.2.7")
    assert other.status_code == 202
    spoofed = as_nobody.ask(
        "POST", "/registrations", FORM, headers={"X-Forwarded-For": "192.0.2.8"}
    )
    problem(spoofed, 429)


def test_an_administrator_sees_who_asks_and_no_password(
    as_administrator: Visitor, pending: str
) -> None:
    answer = as_administrator.ask("GET", "/registrations?status=pending")
    (item,) = answer.json()["items"]
    assert answer.json()["count"] == 1
    assert item == as_administrator.ask("GET", f"/registrations/{pending}").json()
    assert item["username"] == "dora"
    assert item["duplicate_of"] is None
    assert item["created_at"].endswith("Z")
    assert {"password", "password_hash", "mark"}.isdisjoint(item)
    assert as_administrator.ask("GET", "/registrations?status=approved").json()["items"] == []


def test_lists_come_in_parts(as_administrator: Visitor, as_nobody: Visitor) -> None:
    for n in range(5):
        as_nobody.ask(
            "POST", "/registrations", form(username=f"dora{n}", email=f"d{n}@example.org")
        )
    seen = []
    for offset in (0, 2, 4):
        answer = as_administrator.ask("GET", f"/registrations?limit=2&offset={offset}").json()
        assert answer["count"] == 5
        seen += [item["username"] for item in answer["items"]]
    assert seen == [f"dora{n}" for n in range(5)]


def test_approving_makes_one_user_and_a_letter(
    as_administrator: Visitor, pending: str, identity_provider: IdentityProviderStandIn
) -> None:
    answer = as_administrator.ask("POST", f"/registrations/{pending}/approve")
    assert answer.status_code == 200, answer.content
    assert answer.json()["status"] == "approved"
    assert answer.json()["sub"] == Registration.objects.get().sub
    assert Registration.objects.get().password_hash is None
    assert Mail.objects.filter(to="dora@example.org").count() == 2  # confirm the address; approved
    problem(as_administrator.ask("POST", f"/registrations/{pending}/approve"), 409)


def test_an_account_that_stands_there_already_is_not_taken_over(
    as_administrator: Visitor,
    as_nobody: Visitor,
    pending: str,
    identity_provider: IdentityProviderStandIn,
) -> None:
    assert as_administrator.ask("POST", f"/registrations/{pending}/approve").status_code == 200
    Registration.objects.update(status="rejected", sub="")
    as_nobody.ask("POST", "/registrations", FORM)
    again = Registration.objects.get(status="pending")
    document = problem(as_administrator.ask("POST", f"/registrations/{again.id}/approve"), 409)
    assert "does not have our mark. Find out" in document["reason"]
    again.refresh_from_db()
    assert again.status == "pending"


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ({"fault": "status", "status": 503}, 503),
        ({"fault": "reset"}, 503),
        ({"fault": "status", "status": 403}, 502),
        ({"fault": "html"}, 502),
    ],
)
def test_a_silent_or_strange_identity_provider_leaves_it_pending(
    as_administrator: Visitor,
    pending: str,
    identity_provider: IdentityProviderStandIn,
    fault: dict[str, Any],
    status: int,
) -> None:
    identity_provider.faults.add({"method": "POST", "path": "/users$", "times": 9, **fault})
    document = problem(as_administrator.ask("POST", f"/registrations/{pending}/approve"), status)
    assert document["system"] == "identity_provider"
    assert Registration.objects.get().status == "pending"
    identity_provider.faults.waiting.clear()
    SystemStatus.objects.all().delete()  # a refusal pauses the system
    assert as_administrator.ask("POST", f"/registrations/{pending}/approve").status_code == 200


def test_without_an_identity_provider_it_stays_pending(
    as_administrator: Visitor, pending: str
) -> None:
    document = problem(as_administrator.ask("POST", f"/registrations/{pending}/approve"), 503)
    assert "not configured" in document["detail"]
    assert document["advice"]


def test_rejecting_erases_the_hash_and_tells_why(as_administrator: Visitor, pending: str) -> None:
    for reason in ("", " ", "x" * 1001, None, 5, "\x00"):
        problem(
            as_administrator.ask("POST", f"/registrations/{pending}/reject", {"reason": reason}),
            422,
        )
    answer = as_administrator.ask("POST", f"/registrations/{pending}/reject", {"reason": "Full."})
    assert answer.json() == {"status": "rejected", "sub": None}
    row = Registration.objects.get()
    assert (row.reason, row.password_hash) == ("Full.", None)
    problem(as_administrator.ask("POST", f"/registrations/{pending}/reject", {"reason": "x"}), 409)


@pytest.mark.parametrize("linked", [False, True])
def test_withdrawing_answers_with_a_plan_also_once_linked(
    as_administrator: Visitor,
    pending: str,
    identity_provider: IdentityProviderStandIn,
    bob: Person,
    linked: bool,
) -> None:
    where = f"/registrations/{pending}/withdraw"
    problem(as_administrator.ask("POST", where), 409)
    sub = as_administrator.ask("POST", f"/registrations/{pending}/approve").json()["sub"]
    if linked:
        SocialAccount.objects.create(user=bob, provider="identity_provider", uid=sub, extra_data={})
    answer = as_administrator.ask("POST", where)
    assert answer.status_code == 202
    plan = Plan.objects.get(id=answer.json()["plan"])
    assert answer.json() == {"plan": str(plan.id)}
    assert (plan.kind, plan.state) == ("removal", "running")
    assert plan.person == ("bob" if linked else Registration.objects.get().username)
    assert Registration.objects.get().status == "withdrawn"
    problem(as_administrator.ask("POST", where), 409)
