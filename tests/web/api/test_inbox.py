"""The inbox over REST: what waits for whoever asks."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import MembershipRequest, Person, Project, Registration


@pytest.fixture
def dora(db: None) -> str:
    row = Registration.objects.create(username="dora", email="dora@example.org")
    return f"registration:{row.id}"


def test_an_item_says_what_why_and_where(as_administrator: Visitor, dora: str) -> None:
    answer = as_administrator.ask("GET", "/inbox").json()
    (item,) = answer["items"]
    assert answer["count"] == 1
    assert (item["key"], item["kind"]) == (dora, "registration")
    assert item["what"] == "dora wants to join."
    assert item["what_message"]["code"] == "inbox.registration"
    assert item["why"] == "The e-mail address is not confirmed yet."
    assert item["action"]["address"] == "/manage/registrations"
    german = as_administrator.ask("GET", "/inbox", headers={"Accept-Language": "de"}).json()
    assert german["items"][0]["what"] == "dora möchte beitreten."


def test_words_kinds_and_orders(as_administrator: Visitor, ada: Person, dora: str) -> None:
    project = Project.objects.create(owner=ada, label="Herbarium")
    eva = Person.objects.create_user("eva")
    MembershipRequest.objects.create(project=project, person=eva)
    ask = as_administrator.ask
    kinds = [one["kind"] for one in ask("GET", "/inbox?sort=-since").json()["items"]]
    assert kinds == ["request", "registration"]
    assert ask("GET", "/inbox?q=herba%20eva").json()["items"][0]["kind"] == "request"
    assert ask("GET", "/inbox?q=dora&kind=request").json()["count"] == 0
    assert ask("GET", "/inbox/counts").json() == {
        "total": 2,
        "counts": {"registration": 1, "request": 1},
    }
    problem(ask("GET", "/inbox?kind=nothing"), 422)
    problem(ask("GET", "/inbox?colour=red"), 422)


def test_putting_off_and_taking_up(as_administrator: Visitor, dora: str) -> None:
    ask, until = as_administrator.ask, (timezone.now() + timedelta(days=9)).date().isoformat()
    done = ask("POST", f"/inbox/{dora}/snooze", {"until": until}).json()
    assert done["put_off_until"] == f"{until}T00:00:00Z"
    assert ask("GET", "/inbox").json()["count"] == 0
    assert [one["key"] for one in ask("GET", "/inbox/put-off").json()["put_off"]] == [dora]
    wrong = problem(ask("POST", f"/inbox/{dora}/snooze", {"until": "yesterday"}), 422)
    assert [error["field"] for error in wrong["errors"]] == ["until"]
    assert ask("DELETE", f"/inbox/{dora}/snooze").status_code == 204
    assert ask("GET", "/inbox").json()["count"] == 1
    problem(ask("DELETE", f"/inbox/{dora}/snooze"), 404)


def test_nobody_reads_or_puts_off_what_waits_for_somebody_else(as_bob: Visitor, dora: str) -> None:
    assert as_bob.ask("GET", "/inbox").json() == {"items": [], "count": 0}
    until = (timezone.now() + timedelta(days=9)).date().isoformat()
    problem(as_bob.ask("POST", f"/inbox/{dora}/snooze", {"until": until}), 404)
