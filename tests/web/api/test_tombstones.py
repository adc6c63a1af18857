"""Names of people who left: listed, in the way of an approval, released."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.core.refusal import Forbidden
from workspace_manager.people import admit as first_login
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import AuditEntry, Tombstone, UnapprovedSignIn

DAY = timedelta(days=1)


@pytest.fixture
def tombstone(db: None) -> Tombstone:
    now = timezone.now()
    Tombstone.objects.create(username="old", expires_at=now - DAY)
    account = {"system": "sql_server", "kind": "sql_server.user", "name": "erin"}
    return Tombstone.objects.create(
        username="erin", sub="erin-sub", accounts=[account], plan=uuid.uuid4(), expires_at=now + DAY
    )


def test_those_that_stand_are_listed(as_administrator: Visitor, tombstone: Tombstone) -> None:
    answer = as_administrator.ask("GET", "/tombstones").json()
    assert answer["count"] == 1
    (shown,) = answer["items"]
    assert (shown["username"], shown["sub"]) == ("erin", "erin-sub")
    assert shown["accounts"] == tombstone.accounts
    assert (shown["plan"], shown["released_at"]) == (str(tombstone.plan), None)


def test_a_name_is_released_once(as_administrator: Visitor, tombstone: Tombstone) -> None:
    done = as_administrator.ask("POST", "/tombstones/erin/release")
    assert (done.status_code, done.json()["released_by"]) == (200, "ada")
    assert as_administrator.ask("GET", "/tombstones").json()["count"] == 0
    assert AuditEntry.objects.get(event="tombstone:released").subject == "erin"
    for name in ("erin", "old", "nobody"):
        problem(as_administrator.ask("POST", f"/tombstones/{name}/release"), 404)


def test_a_kept_name_stands_at_the_door_until_it_is_released(
    as_administrator: Visitor, tombstone: Tombstone
) -> None:
    again = Claims(sub="another", username="erin")
    with pytest.raises(Forbidden):
        first_login.admit(again, admit_unregistered=True)
    stranger = UnapprovedSignIn.objects.get()
    adopt = f"/strangers/{stranger.id}/adopt"
    assert (
        "Release it first if this is the same person"
        in problem(as_administrator.ask("POST", adopt), 409)["reason"]
    )
    as_administrator.ask("POST", "/tombstones/erin/release")
    assert as_administrator.ask("POST", adopt).status_code == 200
    assert first_login.admit(again, admit_unregistered=False) is None
