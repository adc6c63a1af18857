"""An exception of a view is shown on the page, or the part of one, that was asked for; what was
typed stays.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from workspace_manager.contract.errors import Denied, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import BadInput, Forbidden, Refused, WrongAccount
from workspace_manager.people import end_dates, permissions, preferences, roles
from workspace_manager.people import suspend as suspending
from workspace_manager.records.models import Announcement, Person
from workspace_manager.webhooks import endpoints
from workspace_manager.work import components, projects

WHY = "the moon is full"
HTMX = {"HX-Request": "true"}
RAISED: dict[str, tuple[Exception, int]] = {
    "refused": (Refused(quote_words(WHY)), 409),
    "bad input": (BadInput({"of no field": quote_words(WHY)}), 422),
    "forbidden": (Forbidden(quote_words(WHY)), 403),
    "wrong account": (WrongAccount(quote_words(WHY)), 400),
    "denied": (
        Denied(quote_words(WHY), kind="drive.account", doing=quote_words("asking")),
        502,
    ),
    "unavailable": (
        Unavailable(
            quote_words(WHY), kind="drive.account", doing=quote_words("asking"), retry_after=7.2
        ),
        503,
    ),
}
HOOK = {"label": "Tools", "url": "https://tools.example.org/hook", "events": "registration.*"}
FORMS: list[tuple[Any, str, str, dict[str, str]]] = [
    (components, "create", "/components/new", {"kind": "sql_database", "label": "Typed once"}),
    (projects, "make", "/projects/new", {"label": "Typed once", "description": "And more"}),
    (roles, "make_administrator", "/manage/administrators/add", {"email": "typed@example.org"}),
    (endpoints, "make", "/manage/webhooks", HOOK),
    (suspending, "suspend", "/manage/people/anna/suspend", {"reason": "typed once"}),
    (permissions, "let_have", "/manage/people/anna/permissions", {}),
    (end_dates, "set_end", "/manage/people/anna/end-date", {"until": ""}),
]


def raising(error: Exception) -> Callable[..., None]:
    def story(*_: object, **__: object) -> None:
        raise error

    return story


@pytest.mark.parametrize("raised", RAISED)
@pytest.mark.parametrize(
    ("stories", "name", "address", "typed"), FORMS, ids=[name for _, name, *_ in FORMS]
)
def test_a_form_says_why_and_keeps_what_was_typed(
    stories: Any,
    name: str,
    address: str,
    typed: dict[str, str],
    raised: str,
    as_ada: Client,
    anna: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error, status = RAISED[raised]
    monkeypatch.setattr(stories, name, raising(error))
    answer = as_ada.post(address, typed)
    assert answer.status_code == status
    page = answer.content.decode()
    assert page.lower().count(WHY) == 1
    for text in typed.values():
        assert text in page
    assert answer.headers.get("Retry-After") == ("8" if raised == "unavailable" else None)


def test_what_is_about_a_field_stands_beside_it(
    as_ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {"label": quote_words("too plain"), "moon": quote_words(WHY)}
    monkeypatch.setattr(endpoints, "make", raising(BadInput(wrong)))
    page = as_ada.post("/manage/webhooks", HOOK).content.decode()
    above, _, form = page.partition('<form method="post" class="card form"')
    assert WHY in above.lower()
    assert "too plain" in form
    assert "too plain" not in above


def test_a_part_that_is_swapped_in_is_an_answer_of_success(as_ada: Client) -> None:
    answer = as_ada.post("/drive/connect", headers=HTMX)
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert 'role="alert"' in answer.content.decode()


@pytest.mark.parametrize(("raised", "status"), [("refused", 409), ("forbidden", 403)])
def test_a_view_that_names_no_page_has_one_of_its_own(
    raised: str, status: int, as_anna: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preferences, "choose", raising(RAISED[raised][0]))
    typed = {"locale": "en", "timezone": "UTC", "theme": ""}
    answer = as_anna.post("/settings", typed)
    assert answer.status_code == status
    assert WHY in answer.content.decode()


def test_what_is_not_there_is_not_found_and_a_person_is_said(
    as_ada: Client, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(end_dates, "set_end", raising(Person.DoesNotExist()))
    answer = as_ada.post("/manage/people/anna/end-date", {"until": ""})
    assert answer.status_code == 404
    assert "Nobody here has this user name." in answer.content.decode()
    monkeypatch.setattr(end_dates, "set_end", raising(Announcement.DoesNotExist()))
    answer = as_ada.post("/manage/people/anna/end-date", {"until": ""})
    assert answer.status_code == 404
    assert "Nobody here has this user name." not in answer.content.decode()


def test_the_link_to_a_plan_is_for_administrators(
    as_anna: Client, as_ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = "5f0c3d3e-0000-4000-8000-000000000000"
    monkeypatch.setattr(projects, "make", raising(Refused(quote_words(WHY), plan=plan)))
    assert plan in as_ada.post("/projects/new", {"label": "One"}).content.decode()
    assert plan not in as_anna.post("/projects/new", {"label": "One"}).content.decode()
