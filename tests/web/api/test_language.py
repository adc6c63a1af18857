"""A program reads English, or the language it asks for; what is said stands beside it as data,
whatever the language.
"""

import pytest
from django.conf import LazySettings
from django.utils import translation

from tests.visitors import Visitor
from workspace_manager.core.messages import message
from workspace_manager.core.views import as_text
from workspace_manager.records.models import Person, SystemStatus

WHERE = "/api/v1/administrators/ada"


@pytest.mark.parametrize(
    ("headers", "begins"),
    [
        ({}, "You cannot remove your own role"),
        (
            {"Accept-Language": "de-AT,de;q=0.9"},
            ("Ihre eigene Rolle können Sie sich nicht entziehen"),
        ),
        ({"Accept-Language": "fr"}, "You cannot remove your own role"),
    ],
)
def test_a_refusal_is_said_as_asked_and_as_data(
    headers: dict[str, str], begins: str, as_administrator: Visitor
) -> None:
    Person.objects.filter(username="ada").update(locale="de")
    answer = as_administrator.delete(WHERE, headers=headers).json()
    assert answer["detail"] == answer["reason"]
    assert answer["reason"].startswith(begins)
    said = {"code": "people.not_your_role", "params": {}}
    assert answer["detail_message"] == answer["reason_message"] == said


@pytest.mark.parametrize(("cookie", "asked"), [("en", "de"), ("de", "en"), ("de", "")])
def test_the_cookie_of_the_pages_says_nothing(
    cookie: str, asked: str, as_administrator: Visitor, settings: LazySettings
) -> None:
    as_administrator.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    headers = {"Accept-Language": asked} if asked else {}
    answer = as_administrator.delete(WHERE, headers=headers).json()
    assert answer["detail"].startswith(
        "Ihre eigene Rolle können Sie" if asked == "de" else "You cannot"
    )


def test_a_field_says_its_code(as_administrator: Visitor) -> None:
    answer = as_administrator.ask("POST", "/me/tokens", {"label": ""}).json()
    (wrong,) = answer["errors"]
    assert (wrong["field"], wrong["code"]) == ("label", "people.label_length")


def test_why_a_system_is_paused_is_said_as_asked(as_administrator: Visitor) -> None:
    SystemStatus.objects.create(system="drive", paused=True, reason=message("slow"))
    path = "/api/v1/systems/drive"
    german = as_administrator.get(path, headers={"Accept-Language": "de"}).json()
    assert german["paused_reason"] == "Der Mailserver hat nicht rechtzeitig geantwortet."
    assert as_administrator.get(path).json()["paused_reason"] == message("slow").english


def test_a_text_whose_code_nobody_knows_stays() -> None:
    with translation.override("de"):
        assert as_text({"code": "gone.old", "params": {}, "english": "Old."}) == "Old."
