"""Deciding about several at once: everybody who was ticked, one confirmation, one result; and the
counts of the page follow.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.web.pages import scenes
from workspace_manager.contract.errors import Conflict, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.people import approve as stories
from workspace_manager.records.models import Registration
from workspace_manager.web.pages.manage import bulk_decision

ADDRESS = "/manage/registrations/several"
LIVE = {"HX-Request": "true"}


@pytest.fixture
def approvals(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Approvals that work; `errors`: by user name."""
    told: dict[str, Any] = {"names": [], "errors": {}}

    def approve(which: Any, *, actor: str, systems: Any) -> Registration:
        row = Registration.objects.get(id=which)
        told["names"].append(row.username)
        if row.username in told["errors"]:
            raise told["errors"][row.username]
        row.status, row.sub, row.decided_by = "approved", "s", actor
        row.save()
        return row

    monkeypatch.setattr(stories, "approve", approve)
    return told


def waiting(count: int) -> list[Registration]:
    return [
        scenes.registration(f"carla{n:02}", f"Carla {n}", age=timedelta(days=1, minutes=-n))
        for n in range(count)
    ]


def form(rows: list[Registration], decision: str = "approve", **more: str) -> dict[str, Any]:
    return {"decision": decision, "chosen": [str(row.id) for row in rows], **more}


def test_nothing_is_decided_before_it_was_confirmed(
    as_ada: Client, approvals: dict[str, Any]
) -> None:
    rows = waiting(3)
    response = as_ada.post(ADDRESS, form(rows[:2]))
    page = response.content.decode()
    assert response.status_code == 200
    assert "Approve 2 people?" in page
    assert "carla00" in page
    assert "carla02" not in page
    assert 'name="confirmed"' in page
    assert not approvals["names"]


def test_all_that_were_ticked_are_decided_and_said_once(
    as_ada: Client, approvals: dict[str, Any]
) -> None:
    """Ticking all ticks a page of fifty; twenty were decided, with a notice each."""
    rows = waiting(50)
    queue = as_ada.get("/manage/registrations").content.decode()
    assert queue.count('name="chosen"') == 50
    response = as_ada.post(ADDRESS, form(rows, confirmed="yes"), follow=True)
    page = response.content.decode()
    assert len(approvals["names"]) == 50
    assert "50 people were approved." in page
    assert page.count('class="notice look-') == 1


def test_what_failed_is_said_in_one_notice(as_ada: Client, approvals: dict[str, Any]) -> None:
    taken = Conflict(
        quote_words("the name is taken"), kind="identity_provider.user", doing=quote_words("x")
    )
    approvals["errors"] = dict.fromkeys(("carla01", "carla03"), taken)
    page = as_ada.post(ADDRESS, form(waiting(5), confirmed="yes"), follow=True).content.decode()
    assert "3 people were approved." in page
    assert "2 were not: carla01, carla03 (the name is taken" in page
    # Their entries in the queue say it too; above it there are two notices, not five.
    assert page.count('class="notice look-') == 2


def test_a_system_that_is_down_is_asked_once(as_ada: Client, approvals: dict[str, Any]) -> None:
    down = Unavailable(
        quote_words("no answer"), kind="identity_provider.user", doing=quote_words("creating")
    )
    approvals["errors"] = dict.fromkeys((f"carla{n:02}" for n in range(1, 9)), down)
    page = as_ada.post(ADDRESS, form(waiting(9), confirmed="yes"), follow=True).content.decode()
    assert approvals["names"] == ["carla00", "carla01"]
    assert "1 person was approved." in page
    assert "7 were not processed and are still pending." in page


def test_who_was_not_reached_in_time_is_ticked_again(
    as_ada: Client, approvals: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each approval is a call: a browser does not wait for fifty slow ones."""
    monkeypatch.setattr(bulk_decision, "LONGEST_S", 0)
    page = as_ada.post(ADDRESS, form(waiting(3), confirmed="yes")).content.decode()
    assert approvals["names"] == ["carla00"]
    assert "1 person was approved." in page
    assert "Approve 2 people?" in page
    assert "carla02" in page


def test_a_reason_is_asked_for_once_and_kept(as_ada: Client) -> None:
    rows = waiting(2)
    asked = as_ada.post(ADDRESS, form(rows, "reject"))
    assert "Reject 2 people?" in asked.content.decode()
    empty = as_ada.post(ADDRESS, form(rows, "reject", confirmed="yes", reason=" "))
    assert empty.status_code == 422
    assert "Write a reason" in empty.content.decode()
    assert Registration.objects.filter(status="pending").count() == 2
    done = as_ada.post(
        ADDRESS, form(rows, "reject", confirmed="yes", reason="Unknown here"), follow=True
    )
    assert "2 people were rejected." in done.content.decode()


@pytest.mark.parametrize("chosen", [["x"], ["00000000-0000-0000-0000-000000000000"], []])
def test_odd_ones_are_left_out(as_ada: Client, chosen: list[str]) -> None:
    body = {"decision": "approve", "chosen": chosen, "confirmed": "yes"}
    page = as_ada.post(ADDRESS, body, follow=True).content.decode()
    assert "Nobody is selected." in page


def test_counts_follow_a_decision(as_ada: Client, approvals: dict[str, Any]) -> None:
    rows = waiting(3)
    page = as_ada.post(f"/manage/registrations/{rows[0].id}/approve", headers=LIVE).content.decode()
    assert """hx-swap-oob="innerHTML:[data-count='registrations']">2<""" in page
    tabs = page.partition('id="tabs"')[2]
    assert "hx-swap-oob" in tabs[:80]
    assert '<span class="count">2</span>' in tabs
    assert '<span class="count">1</span>' in tabs
