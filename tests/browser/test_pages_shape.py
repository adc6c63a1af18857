"""The shape of pages, as a browser shows it: one head, what is fine folded, counts that follow,
and what a person chose for themselves.
"""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Window
from tests.web.pages import scenes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE = {"width": 1280, "height": 860}


def test_the_head_follows_its_steps(window: Window) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    plan = scenes.started(scenes.removal(anna, ada), ada)
    page = window.open(f"/manage/plans/{plan.id}", ada, viewport=WIDE)
    expect(page.locator("#plan-state")).to_have_text("running")
    waits = page.locator(".rail [data-count='plans']")
    expect(waits).to_be_hidden()
    scenes.stuck(plan)
    expect(page.locator("#plan-state")).to_have_text("stuck")
    expect(waits).to_have_text("1")
    scenes.finished(plan)
    expect(page.locator("#plan-state")).to_have_text("done")
    assert not window.complaints


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_finished_removal_is_two_screens_and_opens_on_demand(
    window: Window, script: bool
) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    scenes.set_up_work(anna)
    plan = scenes.started(scenes.removal(anna, ada), ada)
    scenes.finished(plan, late="clean")
    look = {"viewport": WIDE, "java_script_enabled": script}
    page = window.open(f"/manage/plans/{plan.id}", ada, **look)
    tall = page.locator("body").bounding_box()
    assert tall
    assert tall["height"] < 2 * WIDE["height"]
    expect(page.locator("#kept-password")).to_be_hidden()
    page.locator("#all-kept > summary").click()
    expect(page.locator("#kept-password")).to_be_visible()
    page.locator("#all-proof > summary").click()
    row = page.locator("#all-proof tbody tr").first.bounding_box()
    assert row
    assert row["height"] < 80, "a row of evidence is one or two lines"
    assert not window.complaints


def test_what_is_folded_is_printed(window: Window) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    plan = scenes.started(scenes.removal(anna, ada), ada)
    scenes.finished(plan, late="clean")
    page = window.open(f"/manage/plans/{plan.id}", ada)
    folded = "document.querySelectorAll('details.fold:not([open])').length"
    before = page.evaluate(folded)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(folded) == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(folded) == before > 0


def test_counts_follow_a_decision_in_place(window: Window) -> None:
    ada = scenes.person("ada", administrator=True)
    for n in range(3):
        scenes.registration(f"carla{n}", f"Carla {n}", age=timedelta(days=n))
    page = window.open("/manage/registrations", ada, viewport=WIDE)
    waits = page.locator(".rail [data-count='registrations']")
    expect(waits).to_have_text("3")
    page.get_by_text("Reject … carla1").click()
    page.locator(".entry details[open] textarea").fill("unknown here")
    page.get_by_role("button", name="Reject", exact=True).click()
    expect(waits).to_have_text("2")
    expect(page.locator("#tabs [aria-current] .count")).to_have_text("2")
    expect(page.locator("#tabs a", has_text="rejected").locator(".count")).to_have_text("1")
    assert not window.complaints


def test_all_that_are_ticked_are_asked_about_and_decided_once(window: Window) -> None:
    ada = scenes.person("ada", administrator=True)
    for n in range(25):
        scenes.registration(f"carla{n:02}", f"Carla {n}", age=timedelta(days=1))
    page = window.open("/manage/registrations", ada, viewport=WIDE)
    page.get_by_label("Select all").check()
    page.get_by_role("button", name="Reject selected …").click()
    expect(page.get_by_role("heading", name="Reject 25 people?")).to_be_visible()
    page.get_by_label("carla07").uncheck()
    page.get_by_label("Reason (sent to each person)").fill("full")
    page.get_by_role("button", name="Reject selected").click()
    expect(page.locator(".messages .notice")).to_have_count(1)
    expect(page.locator(".messages")).to_contain_text("24 people were rejected.")
    expect(page.locator(".entry")).to_have_count(1)


@pytest.mark.parametrize("device", ["light", "dark"])
def test_the_theme_that_was_chosen_wins_over_the_device(window: Window, device: str) -> None:
    anna = scenes.person("anna")
    page = window.open("/settings", anna, color_scheme=device)
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(246, 245, 241)", "rgb(19, 20, 22)"
    assert page.evaluate(ground) == (dark if device == "dark" else light)
    for name, shown in (("Dark", dark), ("Light", light)):
        page.get_by_label(name).check()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator(".messages")).to_contain_text("Saved.")
        assert page.evaluate(ground) == shown
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(ground) == "rgb(255, 255, 255)", "nobody prints on black"
    assert not window.complaints


def test_the_menu_of_a_low_window_shows_the_page_that_is_open(window: Window) -> None:
    scenes.set_up_systems()
    ada = scenes.person("ada", administrator=True)
    page = window.open("/manage/audit", ada, viewport={"width": 1280, "height": 660})
    menu = page.locator(".rail nav").bounding_box()
    here = page.locator(".rail nav [aria-current=page]").bounding_box()
    assert menu
    assert here
    assert menu["y"] <= here["y"]
    assert here["y"] + here["height"] <= menu["y"] + menu["height"]
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".rail").get_by_role("button", name="Sign out")).to_be_in_viewport()
    assert not window.complaints


def test_a_time_zone_is_typed_without_script(window: Window) -> None:
    anna = scenes.person("anna")
    page = window.open("/settings", anna, java_script_enabled=False)
    page.get_by_label("Time zone").fill("new york")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_label("Time zone")).to_have_value("America/New_York")


def test_what_is_kept_with_the_person_is_not_guessed_anew(window: Window) -> None:
    """The browser is in Berlin; whoever chose another zone did so on purpose."""
    anna = scenes.person("anna", timezone="Asia/Tokyo")
    page = window.open("/settings", anna)
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
