"""The last day of somebody at every door, and as the person sees it."""

from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.test import Client

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli.__main__ import main
from workspace_manager.people.end_dates import today
from workspace_manager.records.models import Person

pytestmark = pytest.mark.django_db
DAY = today() + timedelta(days=20)


def last_day() -> str:
    return str(Person.objects.get(username="anna").ends_at)


def test_on_the_page_of_the_person(as_ada: Client, anna: Person) -> None:
    address = "/manage/people/anna/end-date"
    assert as_ada.post(address, {"until": DAY.isoformat()}).status_code == 302
    assert last_day() == str(DAY)
    assert f'value="{DAY}"' in as_ada.get("/manage/people/anna").content.decode()
    answer = as_ada.post(address, {"until": "2001-01-01"})
    assert answer.status_code == 422
    assert "today or later" in answer.content.decode()
    as_ada.post(address, {"until": DAY.isoformat(), "clear": "yes"})
    assert last_day() == "None"
    assert as_ada.post("/manage/people/ada/end-date", {"until": str(DAY)}).status_code == 409


def test_by_rest(as_ada: Visitor, anna: Person) -> None:
    answer = as_ada.ask("PUT", "/people/anna/end-date", {"until": str(DAY)})
    assert answer.json()["ends_at"] == str(DAY)
    assert as_ada.ask("PUT", "/people/anna/end-date", {"until": None}).json()["ends_at"] is None
    for body in ({"until": "2001-01-01"}, {"until": "soon"}, {}, {"until": str(DAY), "why": "x"}):
        problem(as_ada.ask("PUT", "/people/anna/end-date", body), 422)
    problem(as_ada.ask("PUT", "/people/nobody/end-date", {"until": None}), 404)


def test_on_the_command_line(anna: Person, ada: Person) -> None:
    def typed(*words: str) -> str:
        return CliRunner().invoke(main, ["people", *words]).output

    assert str(DAY) in typed("end-date", "anna", str(DAY))
    # A day stays that day, wherever the terminal is.
    assert str(DAY) in typed("list", "--has-end")
    assert "no end date" in typed("end-date", "anna", "never")
    assert "Write a date" in typed("end-date", "anna", "soon")


def test_the_person_is_shown_it_in_the_last_thirty_days(as_anna: Client, anna: Person) -> None:
    for days, told in ((31, False), (30, True), (0, True)):
        Person.objects.update(ends_at=today() + timedelta(days=days))
        assert ("Your last day" in as_anna.get("/").content.decode()) is told
