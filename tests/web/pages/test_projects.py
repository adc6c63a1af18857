"""The members of a project, and the end of a project."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.web.pages import scenes
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import (
    Invitation,
    Mail,
    MembershipRequest,
    Permission,
    Person,
    Plan,
    Project,
)
from workspace_manager.work import projects


@pytest.fixture
def maps(anna: Person) -> Project:
    return scenes.project(anna, "Maps")


def test_somebody_is_added_and_taken_out(as_anna: Client, maps: Project, bela: Person) -> None:
    MembershipRequest.objects.create(project=maps, person=bela)
    page = as_anna.post(f"/projects/{maps.id}/members", {"username": "bela"}, follow=True)
    assert "bela is a member now." in page.content.decode()
    assert list(maps.members.all()) == [bela]
    page = as_anna.post(f"/projects/{maps.id}/members/bela/end", follow=True)
    assert "bela is no longer a member." in page.content.decode()
    assert not maps.members.exists()
    assert as_anna.post(f"/projects/{maps.id}/members/bela/end").status_code == 404


def test_who_cannot_be_added_is_said(as_anna: Client, maps: Project) -> None:
    page = as_anna.post(f"/projects/{maps.id}/members", {"username": "anna"}, follow=True)
    assert "anna owns this project." in page.content.decode()


def test_an_administrator_is_told_who_is_not_here(as_ada: Client, maps: Project) -> None:
    page = as_ada.post(f"/projects/{maps.id}/members", {"username": "zoe"}, follow=True)
    assert "Nobody called “zoe” is in this workspace." in page.content.decode()


def test_whoever_is_invited_decides(
    as_anna: Client, maps: Project, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    pages = []
    for name in ("bela", "zoe"):
        page = as_anna.post(f"/projects/{maps.id}/members", {"username": name}, follow=True)
        pages.append(page.content.decode().replace("zoe", "bela"))
    assert (
        "“bela” is invited, if a person of this name exists here, and becomes a member by "
        "accepting."
    ) in pages[0]
    assert (
        pages[1].count(
            "“bela” is invited, if a person of this name exists here, and becomes a member by "
            "accepting."
        )
        == 1
    )
    invited = browser_of(bela)
    assert "invites you to “Maps”." in invited.get("/").content.decode()
    one = Invitation.objects.get(person=bela)
    assert f"/invitations/{one.id}/accept" in invited.get("/projects").content.decode()
    assert as_anna.post(f"/invitations/{one.id}/accept").status_code == 404
    invited.post(f"/invitations/{one.id}/decline")
    assert "Invitations" not in invited.get("/projects").content.decode()
    as_anna.post(f"/projects/{maps.id}/invitations/{one.id}/withdraw")
    as_anna.post(f"/projects/{maps.id}/members", {"username": "bela"})
    again = Invitation.objects.get(person=bela)
    accepted = invited.post(f"/invitations/{again.id}/accept", follow=True)
    assert "You are a member now." in accepted.content.decode()
    assert list(maps.members.all()) == [bela]


def test_a_member_leaves_and_decides_about_nobody(
    maps: Project, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    scenes.person("carl")
    maps.memberships.create(person=bela)
    maps.memberships.create(person=Person.objects.get(username="carl"))
    member = browser_of(bela)
    assert "Leave the project" in member.get(f"/projects/{maps.id}").content.decode()
    assert member.post(f"/projects/{maps.id}/members", {"username": "carl"}).status_code == 403
    assert member.post(f"/projects/{maps.id}/members/carl/end").status_code == 403
    response = member.post(f"/projects/{maps.id}/members/bela/end")
    assert response.headers["Location"] == "/projects"
    assert member.get(f"/projects/{maps.id}").status_code == 404


@pytest.mark.parametrize(("decision", "members"), [("approve", 1), ("reject", 0)])
def test_asking_to_join(
    as_anna: Client,
    maps: Project,
    bela: Person,
    browser_of: Callable[[Person], Client],
    decision: str,
    members: int,
) -> None:
    asker = browser_of(bela)
    page = asker.post(
        "/projects/join", {"project": f"http://testserver/projects/{maps.id}"}, follow=True
    )
    assert "Your request was sent to the project’s owner." in page.content.decode()
    asked = MembershipRequest.objects.get()
    assert "Requests to join" in as_anna.get(f"/projects/{maps.id}").content.decode()
    as_anna.post(f"/projects/{maps.id}/requests/{asked.id}/{decision}")
    assert maps.members.count() == members
    again = as_anna.post(f"/projects/{maps.id}/requests/{asked.id}/{decision}", follow=True)
    assert "This request is already" in again.content.decode()


def test_asking_tells_nothing_about_what_is_there(as_anna: Client) -> None:
    text = "00000000-0000-4000-8000-000000000000"
    page = as_anna.post("/projects/join", {"project": text}, follow=True).content.decode()
    assert "Your request was sent to the project’s owner." in page
    page = as_anna.post("/projects/join", {"project": "maps"}, follow=True).content.decode()
    assert "not the address of a project" in page


def test_deleting_needs_the_name(as_anna: Client, maps: Project) -> None:
    assert as_anna.post(f"/projects/{maps.id}/delete", {"confirm": "maps"}).status_code == 422
    response = as_anna.post(f"/projects/{maps.id}/delete", {"confirm": "Maps"})
    assert response.headers["Location"] == f"/projects/{maps.id}"
    assert Plan.objects.get().kind == "project.delete"
    page = as_anna.get(f"/projects/{maps.id}").content.decode()
    assert "This project is being deleted" in page
    assert "Delete this project" not in page
    assert as_anna.post(f"/projects/{maps.id}/delete", {"confirm": "Maps"}).status_code == 409


def test_a_plan_about_nobody_is_shown(as_ada: Client, as_anna: Client, maps: Project) -> None:
    as_anna.post(f"/projects/{maps.id}/delete", {"confirm": "Maps"})
    Plan.objects.update(subject="", kind="approval.undo")
    page = as_ada.get(f"/manage/plans/{Plan.objects.get().id}").content.decode()
    assert "Approval withdrawal" in page


def test_a_project_of_somebody_who_was_just_suspended(
    as_anna: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Refused(quote_words("anna is suspended."))

    monkeypatch.setattr(projects, "make", refuse)
    page = as_anna.post("/projects/new", {"label": "Maps"})
    assert page.status_code == 409
    assert "anna is suspended." in page.content.decode()


def test_a_description_has_no_control_characters(as_anna: Client) -> None:
    page = as_anna.post("/projects/new", {"label": "Maps", "description": "one\x1b[2Jtwo"})
    assert page.status_code == 422
    assert "Leave out control characters." in page.content.decode()
    assert not Project.objects.exists()


def test_who_asks_to_join_stands_on_the_dashboard(
    as_anna: Client, maps: Project, bela: Person
) -> None:
    maps.requests.create(person=bela)
    page = as_anna.get("/").content.decode()
    assert "Béla Horváth wants to join “Maps”." in page
    assert f'href="/projects/{maps.id}#people-here"' in page
    maps.requests.update(state="rejected")
    assert "wants to join" not in as_anna.get("/").content.decode()


def test_the_owner_of_a_project_may_use_what_a_member_put_there(
    as_anna: Client, maps: Project, bela: Person
) -> None:
    maps.memberships.create(person=bela)
    theirs = scenes.database(bela, "Prices", project=maps)
    page = as_anna.get(f"/components/{theirs.id}").content.decode()
    who = page[page.index("Shared with") :].partition("</dd>")[0]
    assert who.endswith("<dd>anna")


def test_a_permission_offers_to_ask(
    maps: Project, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    Permission.objects.create(person=bela, name=Permission.Name.ADMINISTER_PROJECTS)
    as_bela = browser_of(bela)
    page = as_bela.get(f"/projects/{maps.id}").content.decode()
    assert "Ask to join" in page
    assert "Invite somebody" not in page
    assert as_bela.post(f"/projects/{maps.id}/members", {"username": "bela"}).status_code == 403
    as_bela.post("/projects/join", {"project": str(maps.id)})
    assert MembershipRequest.objects.get().person == bela
    page = as_bela.get(f"/projects/{maps.id}").content.decode()
    assert "Let in" not in page


def test_an_administrator_says_why_he_joins(as_ada: Client, maps: Project) -> None:
    Person.objects.filter(id=maps.owner_id).update(email="anna@example.org")
    where = f"/projects/{maps.id}/members"
    assert "The owner sees the reason." in as_ada.get(f"/projects/{maps.id}").content.decode()
    page = as_ada.post(where, {"username": "ada"}, follow=True)
    assert "Enter a reason. The owner sees it" in page.content.decode()
    page = as_ada.post(where, {"username": "ada", "reason": "anna is away"}, follow=True)
    assert "ada is a member now." in page.content.decode()
    assert "anna is away" in Mail.objects.get().text
