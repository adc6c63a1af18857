"""The first page, by who looks at it."""

from django.test import Client

from tests.web.pages import scenes
from workspace_manager.records.models import Person, Plan


def test_a_visitor_learns_what_this_is(visitor: Client) -> None:
    page = visitor.get("/").content.decode()
    assert 'href="/sign-in"' in page
    assert 'href="/register"' in page


def test_an_empty_dashboard_teaches(as_anna: Client) -> None:
    page = as_anna.get("/").content.decode()
    assert "Create your first component" in page
    assert "No applications yet." in page
    assert "Create a project" in page


def test_applications_open_with_one_click(as_anna: Client) -> None:
    scenes.set_up_systems()
    page = as_anna.get("/").content.decode()
    for address in (
        "https://drive.example.org",
        "https://notebooks.example.org",
        "https://ontology.example.org/#projects/list",
        "https://sql-admin.example.org",
    ):
        assert f'href="{address}"' in page


def test_what_is_under_way_and_what_failed_stands_first(as_anna: Client, anna: Person) -> None:
    scenes.database(anna, "Half made", state="waiting")
    scenes.database(anna, "Broken", state="failed")
    page = as_anna.get("/").content.decode()
    assert page.index("Half made") < page.index("My applications")
    assert "could not be created" in page


def test_an_administrator_sees_what_waits(as_ada: Client, ada: Person, anna: Person) -> None:
    scenes.set_up_systems()
    plan = scenes.started(scenes.removal(anna, ada), ada)
    scenes.stuck(plan)
    page = as_ada.get("/").content.decode()
    assert "The removal of anna needs attention." in page
    assert f"/manage/plans/{plan.id}" in page
    Plan.objects.update(state="done")
    assert "needs attention" not in as_ada.get("/").content.decode()


def test_the_first_sign_in(as_anna: Client, anna: Person) -> None:
    scenes.project(anna, "Anna’s project")
    page = as_anna.get("/start").content.decode()
    assert "Welcome, Anna" in page
    assert "Anna’s project" in page


def test_members_see_nothing_of_administration(as_anna: Client) -> None:
    page = as_anna.get("/")
    assert page.status_code == 200
    assert "/manage/" not in page.content.decode()


def test_times_are_the_readers(as_anna: Client, anna: Person) -> None:
    Person.objects.filter(id=anna.id).update(timezone="Pacific/Kiritimati")
    scenes.database(anna, "Clock")
    page = as_anna.get(f"/components/{anna.components.get().id}").content.decode()
    assert "+14:00" in page


def test_a_suspension_that_is_stuck_waits_for_an_administrator(as_ada: Client) -> None:
    Plan.objects.create(kind="suspension", person="anna", state="stuck")
    assert "Suspension: anna needs attention." in as_ada.get("/").content.decode()
