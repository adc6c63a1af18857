"""People on their pages, and the ways out: suspension and removal."""

import pytest
from django.test import Client
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.records.models import Person, Plan, Tombstone
from workspace_manager.web.pages.manage import people_list


def test_people_are_found(as_ada: Client, anna: Person, bela: Person) -> None:
    scenes.set_up_work(anna)
    page = as_ada.get("/manage/people").content.decode()
    assert "3 people" in page
    assert "Notebook hub" in page
    page = as_ada.get("/manage/people", {"q": "horv"}).content.decode()
    assert "Béla Horváth" in page
    assert "Anna Beispiel" not in page
    assert "Nobody found." in as_ada.get("/manage/people", {"q": "zzz"}).content.decode()


def test_a_live_search_answers_with_the_list_alone(as_ada: Client, anna: Person) -> None:
    page = as_ada.get(
        "/manage/people", {"q": "anna"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "<html" not in page
    assert "Anna Beispiel" in page


def test_one_person(as_ada: Client, anna: Person) -> None:
    scenes.set_up_work(anna)
    page = as_ada.get("/manage/people/anna").content.decode()
    for text in (
        "jupyter-anna",
        "ws_anna",
        "Letters of the Fugger family",
        "Preview the removal of anna",
    ):
        assert text in page
    assert as_ada.get("/manage/people/nobody").status_code == 404


def test_a_removal_is_looked_at_first(as_ada: Client, anna: Person) -> None:
    response = as_ada.post("/manage/people/anna/removal")
    plan = Plan.objects.get()
    assert response.headers["Location"] == f"/manage/plans/{plan.id}"
    anna.refresh_from_db()
    assert (plan.state, anna.state) == ("draft", "active")


def test_a_removal_that_runs_is_shown_instead(as_ada: Client, ada: Person, anna: Person) -> None:
    plan = scenes.started(scenes.removal(anna, ada), ada)
    response = as_ada.post("/manage/people/anna/removal")
    assert response.headers["Location"] == f"/manage/plans/{plan.id}"


def test_you_cannot_remove_yourself(as_ada: Client) -> None:
    response = as_ada.post("/manage/people/ada/removal")
    assert response.status_code == 409
    assert "Ask another administrator." in response.content.decode()
    assert "Preview the removal" not in as_ada.get("/manage/people/ada").content.decode()


def test_suspended_and_let_back_in(as_ada: Client, anna: Person, woken: list[object]) -> None:
    scenes.set_up_systems()
    response = as_ada.post("/manage/people/anna/suspend")
    plan = Plan.objects.get()
    assert response.headers["Location"] == f"/manage/plans/{plan.id}"
    assert "Disable" in as_ada.get(f"/manage/plans/{plan.id}").content.decode()
    assert "End the suspension of anna" in as_ada.get("/manage/people/anna").content.decode()
    assert as_ada.post("/manage/people/anna/suspend").status_code == 409
    as_ada.post("/manage/people/anna/resume")
    assert woken == [plan.id, Plan.objects.get(kind="resumption").id]
    anna.refresh_from_db()
    assert anna.state == "active"


def test_roles(as_ada: Client, anna: Person) -> None:
    as_ada.post("/manage/people/anna/role", {"role": "administrator"})
    anna.refresh_from_db()
    assert anna.is_administrator
    as_ada.post("/manage/people/anna/role", {"role": "user"})
    anna.refresh_from_db()
    assert not anna.is_administrator
    assert as_ada.post("/manage/people/ada/role", {"role": "user"}).status_code == 409


def test_the_next_page_of_a_search_searches_for_the_same(
    as_ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_list, "PER_PAGE", 1)
    for name in ("one", "two"):
        scenes.person(name, "R&D +1")
    page = as_ada.get("/manage/people", {"q": "R&D +1"}).content.decode()
    assert 'href="?q=R%26D+%2B1&amp;page=2"' in page


def test_what_is_found_is_a_table_for_other_programs(as_ada: Client, anna: Person) -> None:
    for n in range(60):
        Person.objects.create_user(f"guest{n:02}", first_name="=1+1")
    answer = as_ada.get("/manage/people.csv", {"q": "guest", "sort": "-username"})
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["Content-Disposition"]
    lines = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 61
    assert lines[0].startswith('"username","email"')
    assert lines[1].startswith('"guest59","","\'=1+1"')
    page = as_ada.get("/manage/people", {"q": "guest"}).content.decode()
    assert 'href="/manage/people.csv?q=guest&amp;"' in page


def test_those_who_left_too(as_ada: Client) -> None:
    now = timezone.now()
    Tombstone.objects.create(username="zora", sub="@s", created_at=now, expires_at=now)
    answer = as_ada.get("/manage/people.csv", {"former": "true"})
    lines = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert lines[0].startswith('"username",')
    assert lines[1].startswith('"zora",')
    assert '"former","\'@s"' in lines[1]
