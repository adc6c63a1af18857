"""`/manage/take-over`: looked at, confirmed together with one question, and taken back."""

import re

import pytest

from tests.reconcile.found_accounts import ended_run, user
from tests.visitors import Visitor
from workspace_manager.reconcile import proposals
from workspace_manager.records.models import Person, TakeOver

pytestmark = pytest.mark.django_db


def test_all_that_is_proposed_is_confirmed_with_one_question(as_administrator: Visitor) -> None:
    ended_run()
    user("grace")
    user("heidi")
    page = as_administrator.get("/manage/take-over").content.decode()
    assert "grace@example.org" in page
    digest = re.search(r'name="digest" value="([0-9a-f]{64})"', page)
    assert digest
    form = {"digest": digest[1], "which": "all"}
    asked = as_administrator.post("/manage/take-over/confirm", form)
    assert asked.status_code == 200
    assert "2 people are created with the role of a user." in asked.content.decode()
    assert not Person.objects.filter(username="grace").exists()
    done = as_administrator.post("/manage/take-over/confirm", {**form, "sure": "yes"}, follow=True)
    assert "2 accounts were taken over." in done.content.decode()
    assert Person.objects.filter(username__in=["grace", "heidi"]).count() == 2
    row = TakeOver.objects.get()
    back = as_administrator.post(f"/manage/take-over/{row.id}/undo", follow=True)
    assert "2 accounts no longer belong to anybody." in back.content.decode()
    assert not Person.objects.filter(username="grace").exists()


def test_nothing_is_taken_over_that_was_not_shown(as_administrator: Visitor) -> None:
    ended_run()
    mine = user("grace")
    form = {"digest": "0" * 64, "which": "ticked", "chosen": str(mine.n), "sure": "yes"}
    told = as_administrator.post("/manage/take-over/confirm", form, follow=True)
    assert "The proposals have changed since you saw them." in told.content.decode()
    assert not Person.objects.filter(username="grace").exists()


def test_of_somebody_with_accounts_from_before_a_removal_asks_about_them(
    as_administrator: Visitor,
) -> None:
    ended_run()
    user("grace")
    page = as_administrator.get("/manage/take-over").content.decode()
    digest = re.search(r'name="digest" value="([0-9a-f]{64})"', page)
    assert digest
    form = {"digest": digest[1], "which": "all", "sure": "yes"}
    as_administrator.post("/manage/take-over/confirm", form)
    person = as_administrator.get("/manage/people/grace").content.decode()
    assert 'name="remove_adopted"' in person


def test_a_list_that_is_cut_says_so(
    as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_run()
    for name in ("grace", "heidi", "judy"):
        user(name)
    monkeypatch.setattr(proposals, "MOST", 1)
    assert "2 more." in as_administrator.get("/manage/take-over").content.decode()
