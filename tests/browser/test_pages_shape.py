"""How pages are built, as a browser shows it: one head, what is fine folded, counts that follow,
and what a person chose for themselves.
"""

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
    expect(page.locator("#plan-state")).to_have_text("stuck", timeout=6000)
    expect(waits).to_have_text("1")
    scenes.finished(plan)
    expect(page.locator("#plan-state")).to_have_text("done", timeout=6000)
    assert not window.complaints


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_finished_removal_is_two_screens_and_opens_on_demand(
    window: Window, script: bool
) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    scenes.settled(anna)
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
