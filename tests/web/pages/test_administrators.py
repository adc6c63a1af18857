"""Administrators on their page: given, announced, taken; never from oneself, never the last."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner
from django.test import Client

from tests.web.pages import scenes
from workspace_manager.access import administrators
from workspace_manager.cli.__main__ import main
from workspace_manager.core.refusal import Refused
from workspace_manager.people import announcements
from workspace_manager.records.models import Person, Registration
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components


def test_the_role_is_given_and_taken(as_ada: Client, anna: Person) -> None:
    page = as_ada.get("/manage/administrators").content.decode()
    assert "You cannot remove your own role." in page
    assert "There is only one active administrator." in page
    given = as_ada.post("/manage/administrators/add", {"username": "anna"}, follow=True)
    assert "anna is an administrator." in given.content.decode()
    assert "There is only one active administrator." not in given.content.decode()
    taken = as_ada.post("/manage/administrators/anna/remove", follow=True).content.decode()
    assert "anna is not an administrator." in taken


def test_a_name_is_announced_and_taken_back(as_ada: Client) -> None:
    page = as_ada.post("/manage/administrators/add", {"username": "Nina"}, follow=True)
    assert "nina is announced." in page.content.decode()
    assert (
        "announced by name only, to be confirmed after the first sign-in"
    ) in page.content.decode()
    as_ada.post("/manage/administrators/nina/remove")
    assert announcements.names() == []
    wrong = as_ada.post("/manage/administrators/add", {"username": " "})
    assert wrong.status_code == 422
    assert "Use 1 to 255 characters, no slash, and not only dots." in wrong.content.decode()


def test_who_came_under_the_name_is_confirmed(as_ada: Client) -> None:
    as_ada.post("/manage/administrators/add", {"username": "nina"})
    early = as_ada.post("/manage/administrators/nina/confirm")
    assert (early.status_code, "has signed in yet" in early.content.decode()) == (409, True)
    scenes.person("nina", "Nina Vogt")
    page = as_ada.get("/manage/administrators").content.decode()
    assert "has signed in under an announced name and must be confirmed" in page
    given = as_ada.post("/manage/administrators/nina/confirm", follow=True)
    assert "nina is an administrator." in given.content.decode()
    assert Person.objects.get(username="nina").is_administrator


def test_the_queue_warns_of_an_announced_name(as_ada: Client) -> None:
    as_ada.post("/manage/administrators/add", {"username": "nina"})
    Registration.objects.create(username="nina", email="stranger@example.org")
    page = as_ada.get("/manage/registrations").content.decode()
    assert "by name only" in page


def test_you_cannot_take_the_role_from_yourself(as_ada: Client) -> None:
    answer = as_ada.post("/manage/administrators/ada/remove")
    assert answer.status_code == 409
    assert "You cannot remove your own role." in answer.content.decode()


def test_two_who_take_it_from_each_other_leave_one(
    as_ada: Client, ada: Person, browser_of: Callable[[Person], Client]
) -> None:
    otto = scenes.person("otto", "Otto Ruhland", administrator=True)
    as_otto = browser_of(otto)
    assert as_ada.post("/manage/administrators/otto/remove").status_code == 302
    assert as_otto.post("/manage/administrators/ada/remove").status_code == 403
    assert list(Person.objects.active_administrators()) == [ada]


def test_two_who_remove_each_other_leave_one(ada: Person) -> None:
    otto = scenes.person("otto", "Otto Ruhland", administrator=True)
    first, second = scenes.removal(otto, ada), scenes.removal(ada, otto)
    scenes.started(first, ada)
    with pytest.raises(Refused, match="otto is no longer an administrator"):
        scenes.started(second, otto)
    assert list(Person.objects.active_administrators()) == [ada]


def test_who_decided_stays_readable_after_leaving(
    as_ada: Client, ada: Person, anna: Person
) -> None:
    otto = scenes.person("otto", "Otto Ruhland", administrator=True)
    plan = scenes.started(scenes.removal(anna, otto), otto)
    Person.objects.filter(username="otto").delete()
    page = as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    assert "otto" in page
    assert " · otto" in as_ada.get("/manage/people/anna").content.decode()


@pytest.mark.parametrize("command", [["administrators", "remove"], ["people", "remove", "--yes"]])
def test_the_last_one_stays_on_the_command_line_too(ada: Person, command: list[str]) -> None:
    answer = CliRunner().invoke(main, [*command, "ada"])
    assert answer.exit_code == 1
    ada.refresh_from_db()
    assert (ada.is_administrator, ada.state) == (True, "active")
    with pytest.raises(Refused, match="ada is the last active administrator"):
        administrators.refuse_self_and_last(ada, "command line (root)")


def test_a_stopped_plan_leads_to_what_took_its_place_and_is_tried_no_more(
    as_ada: Client, ada: Person, anna: Person
) -> None:
    scenes.set_up_systems()
    _, creation = components.create(
        anna, kind="sql_database", label="Dig", project=None, systems=connected_systems()
    )
    scenes.hold(creation, 1, "waiting", *scenes.WAITING, cause="unavailable")
    removal = scenes.started(scenes.removal(anna, ada), ada)
    page = as_ada.get(f"/manage/plans/{creation.id}").content.decode()
    assert f'href="/manage/plans/{removal.id}"' in page
    assert "Next try:" not in page
    assert "The manager asks again" not in page


@pytest.mark.parametrize("name", ["a/b", "..", "."])
def test_a_name_that_no_address_can_hold_is_refused(as_ada: Client, name: str) -> None:
    wrong = as_ada.post("/manage/administrators/add", {"username": name})
    assert wrong.status_code == 422
    assert "slash" in wrong.content.decode()
    assert as_ada.get("/manage/administrators").status_code == 200
