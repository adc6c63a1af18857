"""Pages of what single people may do besides: given by administrators, seen by their person, and
the queue of registrations for who decides about it; and of roles in a project.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.records.models import (
    Invitation,
    Membership,
    MembershipRequest,
    Permission,
    Person,
    Project,
    Registration,
)

PAGE = "/manage/people/anna/permissions"
GERMAN = {"Accept-Language": "de"}


def text(page: object) -> str:
    return page.content.decode()  # type: ignore[attr-defined, no-any-return]


def test_an_administrator_gives_and_takes_them(
    as_ada: Client, as_anna: Client, anna: Person
) -> None:
    assert text(as_anna.get("/settings")).count("Your permissions") == 0
    until = (timezone.localtime() + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M")
    form = {"view_components": "1", "until_view_components": until, "until_view_stacks": until}
    page = as_ada.post(PAGE, form, follow=True)
    assert "Saved." in text(page)
    assert f'value="{until}"' in text(page)
    held = Permission.objects.get()
    assert (held.name, held.given_by, held.until is not None) == ("view_components", "ada", True)
    assert "See all components" in text(as_ada.get("/manage/people/anna"))
    assert "See all components" in text(as_anna.get("/settings"))
    wrong = as_ada.post(PAGE, {"view_stacks": "1", "until_view_stacks": "2001-01-01T08:00"})
    assert wrong.status_code == 422
    assert "Enter a time in the future, within ten years." in text(wrong)
    assert 'value="2001-01-01T08:00"' in text(wrong), "what was typed is there to be corrected"
    assert list(Permission.objects.all()) == [held]
    as_ada.post(PAGE, {})
    assert not Permission.objects.exists()
    assert ("You cannot change your own permissions.") in text(
        as_ada.get("/manage/people/ada/permissions")
    )
    assert as_ada.post("/manage/people/ada/permissions", {"view_stacks": "1"}).status_code == 409


def test_who_decides_about_registrations_has_the_queue_and_no_more_of_it(
    as_anna: Client, anna: Person
) -> None:
    erin, fay = (
        Registration.objects.create(username=name, email=f"{name}@example.org", status=status)
        for name, status in (("erin", "pending"), ("fay", "approved"))
    )
    Registration.objects.filter(id=fay.id).update(sub="sub-of-fay")
    assert "/manage/registrations" not in text(as_anna.get("/"))
    assert as_anna.get("/manage/registrations").status_code == 403
    Permission.objects.create(person=anna, name="approve_registrations")
    assert 'data-count="registrations">1<' in text(as_anna.get("/"))
    queue = text(as_anna.get("/manage/registrations"))
    assert f"/manage/registrations/{erin.id}/approve" in queue
    for hidden in ("/manage/strangers", "/manage/tombstones", "/confirmation", "/manage/people"):
        assert hidden not in queue
    assert "/withdraw" not in text(as_anna.get("/manage/registrations?status=approved"))
    page = as_anna.post(
        f"/manage/registrations/{erin.id}/reject", {"reason": "no room"}, follow=True
    )
    assert "erin is rejected" in text(page)


@pytest.fixture
def maps(anna: Person, bela: Person) -> Project:
    """bela manages."""
    project = scenes.project(anna, "Maps")
    Membership.objects.create(project=project, person=bela, role="manage")
    return project


def test_whoever_manages_chooses_roles(
    maps: Project, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    cora = scenes.person("cora", "Cora Klein")
    asked = MembershipRequest.objects.create(project=maps, person=cora)
    manager, where = browser_of(bela), f"/projects/{maps.id}"
    page = text(manager.get(where))
    assert "read, write and manage members" in page
    assert f"{where}/delete" not in page
    manager.post(f"{where}/requests/{asked.id}/approve", {"role": "read"})
    member = Membership.objects.get(person=cora)
    assert member.role == "read"
    changed = manager.post(f"{where}/members/cora/role", {"role": "write"}, follow=True)
    assert "The role of cora is changed." in text(changed)
    member.refresh_from_db()
    assert member.role == "write"
    manager.post(f"{where}/members", {"username": "dora", "role": "read"})
    assert Invitation.objects.get(username="dora").role == "read"
    seen = text(browser_of(cora).get(where))
    assert f"{where}/members/bela/role" not in seen
    assert f"{where}/members/cora/end" in seen  # leaving
    assert manager.post(f"{where}/members/zoe/role", {"role": "read"}).status_code == 404


def test_roles_and_permissions_are_said_in_german(
    maps: Project, as_ada: Client, as_anna: Client, anna: Person, ada: Person
) -> None:
    Person.objects.filter(id__in=[anna.id, ada.id]).update(locale="de")
    for name in Permission.Name.values:
        Permission.objects.create(person=anna, name=name)
    page = text(as_ada.get(PAGE, headers=GERMAN))
    assert "Alle Komponenten sehen" in page
    assert "Approve and reject registrations" not in page
    assert "lesen, schreiben und Mitglieder verwalten" in text(
        as_anna.get(f"/projects/{maps.id}", headers=GERMAN)
    )


def test_a_page_asks_once_what_its_reader_was_given(as_anna: Client, anna: Person) -> None:
    """The next page sees what was given since."""
    for given in (False, True):
        if given:
            Permission.objects.create(
                person=anna, name=Permission.Name.APPROVE_REGISTRATIONS, given_by="ada"
            )
        with CaptureQueriesContext(connection) as asked:
            page = as_anna.get("/components").content.decode()
        questions = [one for one in asked if 'FROM "records_permission"' in one["sql"]]
        assert len(questions) == 1
        assert ("/manage/registrations" in page) is given
