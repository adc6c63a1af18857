"""A removal on its page: preview, confirmation, progress, what a person can do, proof."""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from tests.web.pages import scenes
from workspace_manager.contract.message import quote_words
from workspace_manager.engine import pause
from workspace_manager.records.models import Person, Plan, PlanStep, SystemStatus
from workspace_manager.removal.end_of_access import end_of_access

LIVE = {"HX-Request": "true"}


@pytest.fixture
def draft(ada: Person, anna: Person, bela: Person) -> Plan:
    scenes.set_up_systems()
    scenes.set_up_work(anna, bela)
    return scenes.removal(anna, ada)


def test_the_preview_names_everything(as_ada: Client, draft: Plan) -> None:
    page = as_ada.get(f"/manage/plans/{draft.id}").content.decode()
    assert "Nothing has happened yet." in page
    for text in ("jupyter-anna", "ws_anna", "Letter index", "Places and people"):
        assert text in page
    assert "bela." in page
    assert "The data that the notebook hub stores about anna is not deleted:" in page
    assert "Remove anna" in page
    assert f'name="digest" value="{draft.digest}"' in page
    assert "not found" in page
    assert "hx-get" not in page


def test_the_preview_says_of_others_what_they_lose_and_of_doors_that_they_are_shut(
    as_ada: Client, draft: Plan
) -> None:
    page = as_ada.get(f"/manage/plans/{draft.id}").content.decode()
    lost, known = page.split("What other people lose")[1].split("Good to know")
    assert "bela." in lost
    assert "Blocked as soon as you confirm" not in lost
    assert "Blocked as soon as you confirm" in known
    assert "ends for its members" not in known
    step = page.split("Find the account at the identity provider and end its sessions")[1].split(
        "Delete the drive account"
    )
    assert "Sign out" in step[0]
    assert "<strong>Make" not in step[0]


def test_the_preview_renews_itself_while_it_looks(as_ada: Client, draft: Plan) -> None:
    Plan.objects.update(due_at=draft.created_at)
    page = as_ada.get(f"/manage/plans/{draft.id}").content.decode()
    assert "Checking each system for what exists now." in page
    assert "hx-get" in page
    # The confirmation stands outside of what is renewed: nothing that is being typed is lost.
    part = as_ada.get(f"/manage/plans/{draft.id}/progress", headers=LIVE).content.decode()
    assert 'name="confirm"' not in part


def test_confirming_needs_the_name(as_ada: Client, draft: Plan) -> None:
    response = as_ada.post(
        f"/manage/plans/{draft.id}/approve", {"confirm": "Anna", "digest": draft.digest}
    )
    assert response.status_code == 422
    assert "To confirm, type the user name anna exactly." in response.content.decode()
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_confirming_needs_what_was_shown(as_ada: Client, draft: Plan) -> None:
    response = as_ada.post(
        f"/manage/plans/{draft.id}/approve", {"confirm": "anna", "digest": "another"}
    )
    assert response.status_code == 409
    assert "This is not the plan that you saw." in response.content.decode()


def test_what_was_made_after_the_preview_is_marked(
    as_ada: Client, anna: Person, draft: Plan
) -> None:
    scenes.database(anna, "Made meanwhile")
    as_ada.post(f"/manage/plans/{draft.id}/approve", {"confirm": "anna", "digest": draft.digest})
    page = as_ada.get(f"/manage/plans/{draft.id}").content.decode()
    assert page.count("created after the preview") == 2  # the record, and the database
    assert "Made meanwhile" in page


def test_a_plan_that_is_another_by_now_is_stale_and_offers_a_new_one(
    as_ada: Client, anna: Person, draft: Plan
) -> None:
    SocialAccount.objects.update_or_create(
        user=anna, provider="identity_provider", defaults={"uid": "another-sub"}
    )
    response = as_ada.post(
        f"/manage/plans/{draft.id}/approve", {"confirm": "anna", "digest": draft.digest}
    )
    page = response.content.decode()
    assert response.status_code == 409
    assert "The account link or the settings have changed since you saw this plan." in page
    assert "Create a new preview" in page


def test_a_preview_that_a_newer_one_replaced_leads_there(
    as_ada: Client, anna: Person, draft: Plan
) -> None:
    as_ada.post("/manage/people/anna/removal")
    newer = Plan.objects.get(subject=str(anna.id), state="draft")
    assert newer != draft
    form = {"confirm": "anna", "digest": draft.digest}
    refused = as_ada.post(f"/manage/plans/{draft.id}/approve", form)
    assert refused.status_code == 409
    for page in (refused, as_ada.get(f"/manage/plans/{draft.id}")):
        assert f'href="/manage/plans/{newer.id}"' in page.content.decode()
        assert "Create a new preview" not in page.content.decode()


def test_confirmed_it_runs(as_ada: Client, draft: Plan, anna: Person) -> None:
    response = as_ada.post(
        f"/manage/plans/{draft.id}/approve", {"confirm": "anna", "digest": draft.digest}
    )
    assert response.headers["Location"] == f"/manage/plans/{draft.id}"
    anna.refresh_from_db()
    assert anna.state == "leaving"
    page = as_ada.get(f"/manage/plans/{draft.id}").content.decode()
    assert "0 of 7 steps have ended." in page
    assert 'hx-trigger="every 2s"' in page
    assert '<meta http-equiv="refresh"' in page


def test_a_shared_project_can_be_handed_over(
    as_ada: Client, draft: Plan, anna: Person, woken: list[object]
) -> None:
    project = anna.projects.get()
    page = as_ada.get(f"/manage/plans/{draft.id}").content.decode()
    assert f'name="transfer:{project.id}"' in page
    form = {"confirm": "anna", "digest": draft.digest, f"transfer:{project.id}": "nobody"}
    refused = as_ada.post(f"/manage/plans/{draft.id}/approve", form)
    assert refused.status_code == 422
    assert "nobody is not an active member" in refused.content.decode()
    form[f"transfer:{project.id}"] = "bela"
    as_ada.post(f"/manage/plans/{draft.id}/approve", form)
    project.refresh_from_db()
    assert project.owner.username == "bela"
    open_plans = Plan.objects.filter(state__in=Plan.OPEN).values_list("id", flat=True)
    assert set(woken) == {*open_plans, "letters"}


def test_progress_is_sent_only_when_something_changed(
    as_ada: Client, ada: Person, draft: Plan
) -> None:
    plan = scenes.started(draft, ada)
    address = f"/manage/plans/{plan.id}/progress"
    page = as_ada.get(address, headers=LIVE).content.decode()
    seen = page.split("seen=")[1].split("&")[0]
    assert as_ada.get(address, {"seen": seen, "state": "running"}, headers=LIVE).status_code == 204
    scenes.under_way(plan, upto=2)
    changed = as_ada.get(address, {"seen": seen, "state": "running"}, headers=LIVE).content.decode()
    assert '<p id="spoken" hx-swap-oob="innerHTML">2 of 7 steps have ended.' in changed
    scenes.finished(plan)
    assert (
        as_ada.get(address, {"seen": seen, "state": "running"}, headers=LIVE).headers["HX-Refresh"]
        == "true"
    )


def test_what_is_stuck_explains_itself(as_ada: Client, ada: Person, draft: Plan) -> None:
    plan = scenes.started(draft, ada)
    scenes.stuck(plan)
    page = as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    assert "drive." in page
    assert "The drive refused our administrator&#x27;s password (401, code 997)." in page
    assert "Set the administrator&#x27;s password under Systems." in page
    assert "Next try:" in page
    assert "Tried 4 times." in page
    assert "Waiting for step 3 (drive)." in page


def test_try_again(as_ada: Client, ada: Person, draft: Plan) -> None:
    plan = scenes.started(draft, ada)
    scenes.stuck(plan)
    assert as_ada.post(f"/manage/plans/{plan.id}/steps/3/retry").status_code == 302
    assert plan.steps.get(n=3).state == "pending"
    refused = as_ada.post(f"/manage/plans/{plan.id}/steps/1/retry")
    assert refused.status_code == 409
    assert "Step 1 is already gone" in refused.content.decode()


@pytest.mark.parametrize(
    ("action", "field", "state"), [("skip", "reason", "skipped"), ("by-hand", "note", "by_hand")]
)
def test_skipped_or_done_by_hand_with_words(
    as_ada: Client, ada: Person, draft: Plan, action: str, field: str, state: str
) -> None:
    plan = scenes.started(draft, ada)
    scenes.stuck(plan)
    address = f"/manage/plans/{plan.id}/steps/3/{action}"
    nothing = as_ada.post(address, {field: ""}, headers=LIVE)
    assert "characters." in nothing.content.decode()
    assert plan.steps.get(n=3).state == "stuck"
    page = as_ada.post(
        address, {field: "The drive is gone for good"}, headers=LIVE
    ).content.decode()
    assert "The drive is gone for good (ada)" in page
    assert PlanStep.objects.get(plan=plan, n=3).state == state


def test_a_system_is_paused_from_the_step_it_holds_up(
    as_ada: Client, ada: Person, draft: Plan
) -> None:
    plan = scenes.started(draft, ada)
    scenes.stuck(plan)
    response = as_ada.post(
        "/manage/systems/drive/pause",
        {"reason": "moving house", "next": f"/manage/plans/{plan.id}"},
    )
    assert response.headers["Location"] == f"/manage/plans/{plan.id}"
    assert SystemStatus.objects.get(system="drive").reason == quote_words("moving house")
    elsewhere = as_ada.post("/manage/systems/triplestore/pause", {"next": "https://evil.example/"})
    assert elsewhere.headers["Location"] == "/manage/systems#triplestore"
    assert set(pause.paused_systems()) == {"drive", "triplestore"}


def test_a_step_of_a_paused_system_says_so_and_offers_no_pause(
    as_ada: Client, ada: Person, draft: Plan
) -> None:
    plan = scenes.started(draft, ada)
    scenes.stuck(plan)
    address = f"/manage/plans/{plan.id}/progress"
    page = as_ada.get(address, headers=LIVE).content.decode()
    seen = page.split("seen=")[1].split("&")[0]
    pause.pause("drive", actor="ada", reason="It refused our credential.")
    page = as_ada.get(address, {"seen": seen, "state": "stuck"}, headers=LIVE).content.decode()
    drive, triplestore = page.split('class="step-actions"')[1:]
    assert "This system is paused: no plan calls it." in drive
    assert 'href="/manage/systems#drive"' in drive
    assert "Pause the system" not in drive
    assert "Pause the system" in triplestore


def test_the_proof(as_ada: Client, ada: Person, draft: Plan) -> None:
    plan = scenes.started(draft, ada)
    scenes.finished(plan)
    page = as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    assert "anna is removed. One access token may still work at the drive until" in page
    assert 'class="statement look-waiting"' in page
    assert "The manager then checks again and removes whatever came back." in page
    assert "Proof" in page
    assert page.count("The identity provider knows no user of this id.") >= 2
    assert "Try again" not in page
    scenes.finished(plan, late="clean")
    page = as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    assert "Nothing came back." in page
    assert "anna is removed." in page
    assert 'class="statement look-done"' in page


def find_credential_row(page: str, credential: str) -> str:
    """What the page says of one thing the person may have kept."""
    return page.split(f'id="kept-{credential}"')[1].split("</tr>", maxsplit=1)[0]


def test_what_the_person_may_have_kept(as_ada: Client, ada: Person, draft: Plan) -> None:
    plan = scenes.started(draft, ada)
    address = f"/manage/plans/{plan.id}"
    assert "kept-password" not in as_ada.get(address).content.decode()
    scenes.finished(plan)
    page = as_ada.get(address).content.decode()
    for credential in ("password", "identity_session", "refresh_token", "authorization_code"):
        assert "no longer works" in find_credential_row(page, credential)
        assert "The identity provider knows no user of this id." in find_credential_row(
            page, credential
        )
    assert "No SQL user of this name is left" in find_credential_row(page, "sql_session")
    assert "the app password is refused" in find_credential_row(page, "app_password")
    assert "Ended with the confirmation of the removal." in find_credential_row(page, "api_token")
    assert "Works until <time" in find_credential_row(page, "access_token")
    scenes.finished(plan, late="clean")
    assert "no longer works" in find_credential_row(
        as_ada.get(address).content.decode(), "access_token"
    )


def test_what_no_look_has_shown_is_said(as_ada: Client, ada: Person, draft: Plan) -> None:
    plan = scenes.started(draft, ada)
    scenes.finished(plan)
    PlanStep.objects.filter(plan=plan, n=3).update(
        state="skipped", reason="The drive is gone for good (ada)", evidence=[]
    )
    plan.steps.get(n=3).changes.update(state="pending")
    Plan.objects.filter(id=plan.id).update(invariants=[])  # nor was a door shut
    page = as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    assert "not proven" in find_credential_row(page, "app_password")
    assert "The drive is gone for good (ada)" in find_credential_row(page, "app_password")
    assert "no longer works" in find_credential_row(page, "password")


def test_what_nobody_can_see_at_the_drive_is_not_called_ended(ada: Person, draft: Plan) -> None:
    """The drive keeps the account: our app password is gone, the person's own ones may open it."""
    plan = scenes.started(draft, ada)
    scenes.finished(plan)
    steps = PlanStep.objects.filter(plan=plan)
    steps.filter(n=3).update(state="stuck", reason="The drive keeps it (ada)")
    plan.steps.get(n=3).changes.filter(kind="drive.account").update(state="running")
    found = {one.credential: one for one in end_of_access(plan, list(steps))}
    states = {one: found[one].state for one in ("app_password", "drive_session")}
    assert states == {"app_password": "ended", "drive_session": "pending"}
    own = found["own_app_passwords"]
    assert (own.state, own.text) == ("not_shown", "The drive keeps it (ada)")


def test_the_person_may_be_gone(as_ada: Client, ada: Person, anna: Person, draft: Plan) -> None:
    plan = scenes.started(draft, ada)
    scenes.finished(plan)
    Plan.objects.filter(id=plan.id).update(subject="00000000-0000-0000-0000-000000000000")
    page = as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    assert "/manage/people/anna" not in page
    assert "Removal of Anna Beispiel" in page


@pytest.mark.parametrize("state", ["open", "draft", "done", "closed", "nonsense"])
def test_lists(as_ada: Client, draft: Plan, state: str) -> None:
    page = as_ada.get("/manage/plans", {"state": state}).content.decode()
    assert (f"/manage/plans/{draft.id}" in page) == (state == "draft")


def test_a_plan_that_is_not_there(as_ada: Client) -> None:
    assert as_ada.get("/manage/plans/00000000-0000-0000-0000-000000000000").status_code == 404


def test_what_a_plan_is_of_is_said_by_its_kind(as_ada: Client, ada: Person, draft: Plan) -> None:
    page = as_ada.get(f"/manage/plans/{draft.id}").content.decode()
    assert "<h1>Removal of Anna" in page
    assert "<dt>User name</dt>" in page
    set_up = Plan.objects.create(kind="realm.setup", person="lab", state=Plan.State.DONE)
    page = as_ada.get(f"/manage/plans/{set_up.id}").content.decode()
    assert "<h1>Identity provider set-up: lab" in page
    assert "<dt>Realm</dt>" in page
    assert "ollow-up check" not in page
