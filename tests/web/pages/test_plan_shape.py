"""The shape of a plan's page: one head, what ended is folded, and sentences that end."""

import re

import pytest
from django.test import Client

from tests.web.pages import scenes
from workspace_manager.contract.message import quote_words
from workspace_manager.records.models import Component, Person, Plan, PlanStep

LIVE = {"HX-Request": "true"}


@pytest.fixture
def running(ada: Person, anna: Person, bela: Person) -> Plan:
    scenes.set_up_systems()
    scenes.set_up_work(anna, bela)
    return scenes.started(scenes.removal(anna, ada), ada)


def page_of(client: Client, plan: Plan) -> str:
    return client.get(f"/manage/plans/{plan.id}").content.decode()


def part_of(client: Client, plan: Plan, **seen: str) -> str:
    address = f"/manage/plans/{plan.id}/progress"
    return client.get(address, seen, headers=LIVE).content.decode()


def test_the_head_says_what_the_steps_say(as_ada: Client, running: Plan) -> None:
    assert "state-running" in page_of(as_ada, running).partition("<h2")[0]
    scenes.stuck(running)
    part = part_of(as_ada, running, seen="earlier", state="running")
    head = part.partition('id="plan-state"')[2]
    assert "hx-swap-oob" in head[:60]
    assert "state-stuck" in head[:200]


def test_the_head_of_a_component_says_what_its_steps_say(as_anna: Client, anna: Person) -> None:
    made = scenes.database(anna, "Letter index", state="creating")
    assert 'id="component-state"' in as_anna.get(f"/components/{made.id}").content.decode()
    Component.objects.update(state="failed")
    address = f"/components/{made.id}/progress"
    part = as_anna.get(address, {"seen": "earlier"}, headers=LIVE).content.decode()
    assert "state-stuck" in part.partition('id="component-state"')[2][:200]


def test_steps_that_have_ended_in_a_plan_still_open_are_said_to_be_closing(
    as_ada: Client, running: Plan
) -> None:
    """The last step and the plan end in two transactions."""
    running.steps.update(state="done")
    page = page_of(as_ada, running)
    assert "All 7 steps have ended." in page
    assert "7 of 7 steps have ended." not in page


def test_a_preview_that_was_confirmed_elsewhere_is_loaded_anew(
    as_ada: Client, running: Plan
) -> None:
    """Else the form that confirms it would stand below its running steps."""
    address = f"/manage/plans/{running.id}/progress"
    response = as_ada.get(address, {"seen": "earlier", "state": "draft"}, headers=LIVE)
    assert response.headers["HX-Refresh"] == "true"


def test_the_counts_of_the_navigation_follow(as_ada: Client, running: Plan) -> None:
    scenes.stuck(running)
    part = part_of(as_ada, running, seen="earlier", state="running")
    assert """hx-swap-oob="innerHTML:[data-count='plans']">1<""" in part


def test_a_finished_removal_folds_what_is_fine(as_ada: Client, running: Plan) -> None:
    scenes.finished(running, late="clean")
    page = page_of(as_ada, running)
    for name in ("kept", "steps", "proof"):
        folded = re.search(rf'<details[^>]*id="all-{name}"[^>]*>', page)
        assert folded, name
        assert " open" not in folded.group(), name
    assert "17 credentials no longer work" in page
    assert 'class="plan wide"' in page


def test_what_still_opens_something_is_not_folded(as_ada: Client, running: Plan) -> None:
    scenes.finished(running, late="pending")
    page = page_of(as_ada, running)
    before, _, folded = page.partition('id="all-kept"')
    assert 'id="kept-access_token"' in before
    assert 'id="kept-password"' in folded.partition("</details>")[0]


def test_steps_of_which_something_is_left_stay_open(as_ada: Client, running: Plan) -> None:
    scenes.finished(running, late="clean")
    PlanStep.objects.filter(plan=running, n=3).update(state="skipped")
    folded = re.search(r'<details[^>]*id="all-steps"[^>]*>', page_of(as_ada, running))
    assert folded
    assert " open" in folded.group()


def test_what_a_late_look_found_stands_in_sentences(as_ada: Client, running: Plan) -> None:
    scenes.finished(running, late="clean")
    found = [
        quote_words("the drive knows no account of this id"),
        quote_words("no container is running"),
    ]
    Plan.objects.filter(id=running.id).update(recheck_found=found)
    page = page_of(as_ada, running)
    late = page.partition("Follow-up check:")[2].partition("</div>")[0]
    assert "<li>The drive knows no account of this id.</li>" in late
    assert "<li>No container is running.</li>" in late
    assert "this id no container" not in page


@pytest.mark.parametrize(
    "typed", ["d'arcy-o'neil", "d’arcy-o’neil", " dʼarcy–o´neil  "], ids=["ascii", "same", "odd"]
)
def test_the_name_is_typed_as_a_keyboard_has_it(as_ada: Client, ada: Person, typed: str) -> None:
    scenes.set_up_systems()
    person = scenes.person("darcy", "d’Arcy")
    made = scenes.project(person, "d’arcy-o’neil")
    assert as_ada.post(f"/projects/{made.id}/delete", {"confirm": typed}).status_code == 302
    database = scenes.database(person, "d’arcy-o’neil")
    assert as_ada.post(f"/components/{database.id}/delete", {"confirm": typed}).status_code == 302


@pytest.mark.parametrize("typed", ["", "D'Arcy-O'Neil", "darcy-oneil", "d'arcy", "another"])
def test_another_name_is_refused(as_ada: Client, typed: str) -> None:
    made = scenes.database(scenes.person("darcy"), "d’arcy-o’neil")
    assert as_ada.post(f"/components/{made.id}/delete", {"confirm": typed}).status_code == 422
