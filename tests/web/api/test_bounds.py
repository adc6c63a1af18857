"""Bounds of what one person may have in the making, and how often a person or a token may ask for a
change.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.access import tokens
from workspace_manager.records.models import Component, Person, Plan, Project

DATABASE = {"kind": "sql_database", "label": "Notes"}


def test_what_is_in_the_making_is_bounded(
    as_alice: Visitor, as_bob: Visitor, databases: None, settings: Any
) -> None:
    settings.OPEN_CREATIONS = 3
    for _ in range(3):
        assert as_alice.ask("POST", "/components", DATABASE).status_code == 202
    refused = problem(as_alice.ask("POST", "/components", DATABASE), 409)
    assert "3 of your components are already being created." in refused["reason"]
    assert Component.objects.count() == 3
    # Of anybody else, and of other things, nothing is refused; nor once something is ready.
    assert as_bob.ask("POST", "/components", DATABASE).status_code == 202
    assert as_alice.ask("POST", "/projects", {"label": "One more"}).status_code == 201
    Plan.objects.filter(person="alice").first().delete()  # type: ignore[union-attr]
    assert as_alice.ask("POST", "/components", DATABASE).status_code == 202


def test_0_bounds_nothing(as_alice: Visitor, databases: None, settings: Any) -> None:
    settings.OPEN_CREATIONS = 0
    for _ in range(25):
        assert as_alice.ask("POST", "/components", DATABASE).status_code == 202


@pytest.mark.parametrize("limited", ["PERSON_RATE", "TOKEN_RATE"])
def test_changes_are_counted_per_person_and_per_token(
    limited: str,
    alice: Person,
    as_bob: Visitor,
    visitor_for: Callable[[Person | None], Visitor],
    settings: Any,
) -> None:
    setattr(settings, limited, 2)
    first, second = (
        {"HTTP_AUTHORIZATION": f"Bearer {tokens.create(alice, name=name, actor='alice')[1]}"}
        for name in ("a", "b")
    )
    program = visitor_for(None)

    def make(who: Visitor, **headers: str) -> Any:
        return who.ask("POST", "/projects", {"label": "New"}, **headers)

    assert [make(program, **first).status_code for _ in range(2)] == [201, 201]
    answer = make(program, **first)
    assert "too many changes" in problem(answer, 429)["detail"]
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert Project.objects.count() == 2
    # Looking is free, and so is everybody else.
    assert program.ask("GET", "/projects", **first).status_code == 200
    assert make(as_bob).status_code == 201
    per_person = limited == "PERSON_RATE"
    assert make(program, **second).status_code == (429 if per_person else 201)
    assert make(visitor_for(alice)).status_code == (429 if per_person else 201)


def test_a_page_says_it_as_a_page(as_alice: Visitor, settings: Any) -> None:
    settings.PERSON_RATE = 1
    assert as_alice.post("/projects/new", {"label": "One"}).status_code == 302
    answer = as_alice.post("/projects/new", {"label": "Two"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) >= 1
    assert "Nothing was changed this time" in answer.content.decode()
    assert as_alice.get("/projects").status_code == 200
    assert Project.objects.count() == 1


def test_nobody_is_counted_who_is_not_let_in(as_nobody: Visitor, settings: Any) -> None:
    settings.PERSON_RATE = settings.TOKEN_RATE = 1
    for _ in range(3):
        wrong = {"HTTP_AUTHORIZATION": "Bearer wsm_nobodys"}
        problem(as_nobody.ask("POST", "/projects", {"label": "x"}, **wrong), 401)
