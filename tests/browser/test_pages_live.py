"""Pages act by themselves in a browser: renew, keep what is open, wait instead of being
refused, and work without script.
"""

import re
from datetime import timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from playwright.sync_api import expect

from tests.browser.conftest import Window
from tests.fake_world.people import make_person
from tests.reconcile.found_accounts import user
from tests.web.pages import scenes
from workspace_manager.drive_credentials.connect import Connection
from workspace_manager.people import confirm_email
from workspace_manager.records.models import Mail, Plan, ReconcileItem, Registration

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CANARY = "canary Zug Wolke 77 Pfeffer"


def test_a_removal_is_watched_without_reloading(window: Window) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna", "Anna Beispiel")
    scenes.set_up_work(anna)
    plan = scenes.started(scenes.removal(anna, ada), ada)
    page = window.open(f"/manage/plans/{plan.id}", ada)
    expect(page.locator("#progress")).to_contain_text("0 of 7 steps have ended.")
    page.evaluate("window.stayed = true")
    page.locator("#details-2 > summary").click()
    scenes.under_way(plan, upto=2)
    expect(page.locator("#progress")).to_contain_text("2 of 7 steps have ended.")
    expect(page.locator("#spoken")).to_contain_text("2 of 7")
    assert page.evaluate("window.stayed")
    assert page.locator("#details-2").evaluate("element => element.open")
    scenes.finished(plan, late="clean")
    expect(page.get_by_role("heading", name="Proof")).to_be_visible()
    assert not window.complaints


def test_what_is_being_typed_is_not_lost(window: Window) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    plan = scenes.started(scenes.removal(anna, ada), ada)
    scenes.stuck(plan)
    page = window.open(f"/manage/plans/{plan.id}", ada)
    page.locator("#skip-3 > summary").click()
    page.locator("#skip-reason-3").fill("The drive is gone")
    scenes.end(plan, 6, scenes.TEXTS[6])
    expect(page.locator("#progress")).to_contain_text("4 of 7")
    expect(page.locator("#skip-reason-3")).to_have_value("The drive is gone")
    page.get_by_role("button", name="Skip this step").click()
    expect(page.locator("#step-3")).to_contain_text("The drive is gone (ada)")
    assert not window.complaints


def test_a_registration_is_decided_in_place(window: Window) -> None:
    ada = scenes.person("ada", administrator=True)
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    page = window.open("/manage/registrations", ada)
    page.get_by_role("button", name="Approve carla").click()
    expect(page.locator(f"#registration-{row.id}")).to_contain_text(
        "The identity provider is not configured."
    )
    page.locator(f"#registration-{row.id} summary").click()
    page.get_by_label("Reason (sent to the applicant)").fill("unknown here")
    page.get_by_role("button", name="Reject", exact=True).click()
    expect(page.locator(f"#registration-{row.id}")).to_contain_text("rejected")
    assert not window.complaints


def test_a_quick_person_waits_instead_of_being_refused(window: Window) -> None:
    page = window.open("/register")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    for label, text in (
        ("First name", "Carla"),
        ("Last name", "Rossi"),
        ("E-mail", "carla@example.org"),
        ("User name", "carla"),
    ):
        page.get_by_label(label).fill(text)
    page.get_by_label("Password", exact=True).fill(CANARY)
    expect(page.locator("#strength")).to_contain_text("Very strong.")
    page.get_by_role("button", name="Send registration").click()
    expect(page.get_by_role("heading")).to_contain_text(["Thank you", "Next steps"])
    assert Registration.objects.get().username == "carla"
    assert not window.complaints


def test_the_link_of_a_letter_needs_one_click_and_stays_in_no_address(window: Window) -> None:
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    confirm_email.send_link(row)
    link = next(word for word in Mail.objects.get().text.split() if "/register/confirm" in word)
    page = window.open("/register/confirm#" + link.rpartition("#")[2])
    expect(page).to_have_url(re.compile("/register/confirm$"))
    page.get_by_role("button", name="This address is mine").click()
    expect(page.get_by_role("heading")).to_contain_text("Your address is confirmed.")
    row.refresh_from_db()
    assert row.email_confirmed
    assert not window.complaints


def test_a_key_is_masked_until_asked_for(window: Window) -> None:
    anna = scenes.person("anna")
    scenes.key(anna, "sql_server", "ws_anna")
    page = window.open("/service-keys", anna)
    page.get_by_role("button", name="Show once").click()
    field = page.get_by_label("Password")
    expect(field).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show").click()
    expect(field).to_have_attribute("type", "text")
    assert not window.complaints


def test_people_are_found_while_typing(window: Window) -> None:
    ada = scenes.person("ada", administrator=True)
    scenes.person("bela", "Béla Horváth")
    page = window.open("/manage/people", ada)
    page.get_by_label("Search by name or e-mail").press_sequentially("horv")
    expect(page.locator("#found")).to_contain_text("1 person")
    assert page.url.endswith("?q=horv")
    assert not window.complaints


def test_a_link_on_a_tile_leads_where_it_says(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole tile opens its application; a link in its text is not that."""
    monkeypatch.setattr(
        "workspace_manager.drive_credentials.connect.status",
        lambda *_: Connection(connected=False),
    )
    scenes.set_up_systems()
    anna = scenes.person("anna")
    page = window.open("/", anna)
    page.get_by_role("link", name="Connect", exact=True).click()
    page.wait_for_url(f"**/user/{anna.id}/connected-accounts")


def test_everything_can_be_reached_by_keyboard_on_a_phone(window: Window) -> None:
    anna = scenes.person("anna")
    page = window.open("/", anna, viewport={"width": 320, "height": 640})
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    for _home_inbox_projects in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects")


def test_a_removal_without_script(window: Window) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    plan = scenes.removal(anna, ada)
    page = window.open(f"/manage/plans/{plan.id}", ada, java_script_enabled=False)
    page.get_by_label("Type anna to confirm").fill("anna")
    page.get_by_role("button", name="Remove anna").click()
    expect(page.locator("#progress")).to_contain_text("0 of 7 steps have ended.")
    expect(page.get_by_role("link", name="Refresh")).to_be_visible()
    assert Plan.objects.get(id=plan.id).state == "running"


def test_a_server_that_is_gone_is_said(window: Window) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    plan = scenes.started(scenes.removal(anna, ada), ada)
    page = window.open(f"/manage/plans/{plan.id}", ada)
    page.route("**/progress*", lambda route: route.abort())
    expect(page.locator("#offline")).to_be_visible()
    page.unroute("**/progress*")
    expect(page.locator("#offline")).to_be_hidden()


def test_many_are_linked_by_a_list_that_was_looked_at(window: Window) -> None:
    ada = scenes.person("ada", administrator=True)
    make_person("zoe", sub="old-zoe")
    found = user("zoe", confirmed=True)
    recreated = ReconcileItem.Difference.IDENTITY_RECREATED
    ReconcileItem.objects.filter(n=found.n).update(difference=recreated, username="zoe")
    page = window.open("/manage/strangers", ada)
    page.get_by_role("link", name="Link many people again with a list").click()
    page.get_by_role("textbox", name="The list").fill("username,account\nzoe,\n")
    page.get_by_role("button", name="Show the preview").click()
    expect(page.locator("#wrong")).to_contain_text("Line 2")
    table = b"username;account\r\nzoe;sub-zoe\r\nzora;sub-zora\r\n"
    page.get_by_label("Or a file").set_input_files(
        {"name": "list.csv", "mimeType": "text/csv", "buffer": table}
    )
    page.get_by_role("button", name="Show the preview").click()
    expect(page.locator("#row-2")).to_contain_text("will be linked")
    expect(page.locator("#row-3")).to_contain_text("Nobody here has the name zora.")
    page.get_by_role("button", name="Link 1 person").click()
    expect(page.locator("#row-2")).to_contain_text("signs in with sub-zoe from now on")
    assert SocialAccount.objects.get(user__username="zoe").uid == "sub-zoe"
    # A list with an error in it is answered 422, which a browser notes.
    assert all("422" in one for one in window.complaints), window.complaints
