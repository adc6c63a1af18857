"""The queue of registrations: decided in place, several at once, and what fails stays with its
reason.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.web.pages import scenes
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.letters import emails
from workspace_manager.people import approve as stories
from workspace_manager.people import confirm_email
from workspace_manager.records.models import Mail, Person, Plan, Registration

LIVE = {"HX-Request": "true"}


@pytest.fixture
def identity_provider(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """An approval that works without an identity provider, or fails as told by `error`."""
    told: dict[str, Any] = {"error": None, "asked": []}

    def approve(which: Any, *, actor: str, systems: Any) -> Registration:
        told["asked"].append(which)
        if told["error"]:
            Registration.objects.filter(id=which).update(last_failure=told["error"].message)
            raise told["error"]
        Registration.objects.filter(id=which).update(
            status="approved", sub="s", decided_by=actor, reason=""
        )
        registration = Registration.objects.get(id=which)
        emails.write_approval(registration)
        return registration

    monkeypatch.setattr(stories, "approve", approve)
    return told


def test_an_empty_queue_teaches(as_ada: Client) -> None:
    assert "No pending registrations" in as_ada.get("/manage/registrations").content.decode()


def test_the_queue_shows_age_and_duplicates(as_ada: Client, anna: Person) -> None:
    scenes.registration("anna", "Anna Other", age=timedelta(days=3), duplicate_of="anna")
    scenes.registration("carla", "Carla Rossi", age=timedelta(days=29), duplicate_of="anna")
    page = as_ada.get("/manage/registrations").content.decode()
    assert "waiting for 3" in page
    assert "The user name anna was already taken." in page
    assert "anna already uses this e-mail address." in page
    assert "Expires without a decision on" in page


def test_approved_in_place(as_ada: Client, identity_provider: dict[str, Any]) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    response = as_ada.post(f"/manage/registrations/{row.id}/approve", headers=LIVE)
    page = response.content.decode()
    assert response.status_code == 200
    assert page.startswith("\n<li") or "<li" in page[:200]
    assert "An e-mail with the sign-in link is on its way." in page
    assert "<html" not in page


def test_a_failed_approval_says_why_and_stays(
    as_ada: Client, identity_provider: dict[str, Any]
) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    identity_provider["error"] = Unavailable(
        quote_words("no answer within 30 seconds"),
        kind="identity_provider.user",
        doing=quote_words("creating"),
        advice=quote_words("Check that it runs."),
    )
    page = as_ada.post(f"/manage/registrations/{row.id}/approve", headers=LIVE).content.decode()
    assert "Identity provider:" in page
    assert "No answer within 30 seconds." in page
    assert "Check that it runs." in page
    assert f"/manage/registrations/{row.id}/approve" in page
    later = as_ada.get("/manage/registrations").content.decode()
    assert "The last approval failed." in later
    assert "identity_provider.user" not in later


def test_without_script_the_page_comes_back(
    as_ada: Client, identity_provider: dict[str, Any]
) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    page = as_ada.post(f"/manage/registrations/{row.id}/approve", follow=True).content.decode()
    assert "carla is approved." in page


def test_rejecting_needs_a_reason(as_ada: Client) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    refused = as_ada.post(f"/manage/registrations/{row.id}/reject", {"reason": " "}, headers=LIVE)
    assert "Write a reason" in refused.content.decode()
    done = as_ada.post(
        f"/manage/registrations/{row.id}/reject", {"reason": "unknown here"}, headers=LIVE
    )
    assert "hash of the password is deleted" in done.content.decode()
    row.refresh_from_db()
    assert (row.status, row.reason, row.decided_by) == ("rejected", "unknown here", "ada")


def test_several_at_once(as_ada: Client, identity_provider: dict[str, Any]) -> None:
    rows = [scenes.registration(f"carla{n}", f"Carla {n}", age=timedelta(days=n)) for n in range(3)]
    response = as_ada.post(
        "/manage/registrations/several",
        {"decision": "approve", "chosen": [str(row.id) for row in rows[:2]], "confirmed": "yes"},
        follow=True,
    )
    page = response.content.decode()
    assert identity_provider["asked"] == [rows[1].id, rows[0].id], "who waits longest comes first"
    assert "2 people were approved." in page
    assert Registration.objects.filter(status="pending").count() == 1


def test_several_and_none_ticked(as_ada: Client) -> None:
    page = as_ada.post(
        "/manage/registrations/several", {"decision": "approve"}, follow=True
    ).content.decode()
    assert "Nobody is selected." in page


def test_one_who_is_not_there_any_more(as_ada: Client) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    row.delete()
    assert (
        as_ada.post(
            f"/manage/registrations/{row.id or '00000000-0000-0000-0000-000000000000'}/reject",
            {"reason": "x"},
        ).status_code
        == 404
    )


@pytest.mark.parametrize("status", ["approved", "rejected", "expired", "withdrawn", "nonsense"])
def test_tabs(as_ada: Client, status: str) -> None:
    assert as_ada.get("/manage/registrations", {"status": status}).status_code == 200


def test_what_somebody_wrote_is_text(as_ada: Client) -> None:
    scenes.registration(
        "carla", "<script>alert(1)</script>", age=timedelta(days=1), email='"><b>@example.org'
    )
    page = as_ada.get("/manage/registrations").content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert '"><b>' not in page


def test_the_link_is_sent_again_and_an_earlier_one_stops_working(
    as_ada: Client, visitor: Client
) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=5))
    confirm_email.send_link(row)
    page = as_ada.get("/manage/registrations").content.decode()
    assert "(not confirmed)" in page
    done = as_ada.post(f"/manage/registrations/{row.id}/confirmation", follow=True)
    assert "An e-mail with a new link is on its way to carla@example.org." in done.content.decode()
    old, new = (
        {"token": mail.text.partition("/register/confirm#")[2].split()[0]}
        for mail in Mail.objects.order_by("id")
    )
    assert visitor.post("/register/confirm", old).status_code == 410
    assert visitor.post("/register/confirm", new).status_code == 200
    assert visitor.post("/register/confirm", new).status_code == 410, "single use"
    page = as_ada.get("/manage/registrations").content.decode()
    assert "(confirmed)" in page
    assert "Send the link again" not in page
    again = as_ada.post(f"/manage/registrations/{row.id}/confirmation", follow=True)
    assert "This address is already confirmed." in again.content.decode()


def test_nothing_is_confirmed_of_what_has_ended(as_ada: Client) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=5), status="expired")
    page = as_ada.post(f"/manage/registrations/{row.id}/confirmation", follow=True)
    assert "There is nothing to confirm" in page.content.decode()
    assert not Mail.objects.exists()


@pytest.mark.parametrize("decision", ["approve", "reject"])
@pytest.mark.parametrize("several", [False, True])
def test_letters_go_out_at_once(
    as_ada: Client,
    identity_provider: dict[str, Any],
    woken: list[Any],
    decision: str,
    several: bool,
) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    if several:
        body = {"decision": decision, "chosen": str(row.id), "reason": "No.", "confirmed": "1"}
        as_ada.post("/manage/registrations/several", body)
    else:
        as_ada.post(f"/manage/registrations/{row.id}/{decision}", {"reason": "No."})
    row.refresh_from_db()
    assert row.status != "pending"
    assert woken == ["letters"]


def test_withdrawing_leads_to_its_plan_and_a_second_time_says_why_not(as_ada: Client) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    Registration.objects.filter(id=row.id).update(status="approved", sub="sub-of-carla")
    approved = as_ada.get("/manage/registrations?status=approved").content.decode()
    assert "even after a sign-in" in approved
    response = as_ada.post(f"/manage/registrations/{row.id}/withdraw")
    plan = Plan.objects.get(kind="removal", person="carla")
    assert (response.status_code, response.headers["Location"]) == (
        302,
        f"/manage/plans/{plan.id}",
    )
    assert as_ada.get(f"/manage/plans/{plan.id}").status_code == 200
    again = as_ada.post(f"/manage/registrations/{row.id}/withdraw", follow=True)
    assert "This registration is withdrawn, not approved." in again.content.decode()
