"""`/register`: the form, the trap, the least time, and that nothing is told about who is here."""

import logging
import time

import pytest
from django.conf import LazySettings
from django.conf import settings as settings_of
from django.core import signing
from django.test import Client

from tests.web.pages import scenes
from workspace_manager.records.models import Mail, RateCounter, Registration
from workspace_manager.web.pages import registration
from workspace_manager.web.pages.register_form import SALT

CANARY = "canary Zug Wolke 77 Pfeffer"


def filled(**other: str) -> dict[str, str]:
    return {
        "first_name": "Carla",
        "last_name": "Rossi",
        "email": "carla@example.org",
        "username": "carla",
        "password": CANARY,
        "locale": "de",
        "timezone": "Europe/Rome",
        "website": "",
        "stamp": signing.dumps(int(time.time()) - 10, salt=SALT),
        **other,
    }


def test_a_registration_is_kept_and_nothing_else(visitor: Client) -> None:
    response = visitor.post("/register", filled())
    assert (response.status_code, response.headers["Location"]) == (302, "/register/received")
    row = Registration.objects.get()
    assert (row.username, row.status, row.locale, row.timezone) == (
        "carla",
        "pending",
        "de",
        "Europe/Rome",
    )
    assert row.password_hash is not None
    assert "Thank you" in visitor.get("/register/received").content.decode()


def test_a_taken_name_gets_the_same_answer(visitor: Client) -> None:
    scenes.person("carla")
    response = visitor.post("/register", filled())
    assert (response.status_code, response.headers["Location"]) == (302, "/register/received")
    assert Registration.objects.get().duplicate_of == "carla"


def test_a_robot_gets_the_same_page_and_leaves_nothing(visitor: Client) -> None:
    response = visitor.post("/register", filled(website="https://buy.example"))
    assert (response.status_code, response.headers["Location"]) == (302, "/register/received")
    assert not Registration.objects.exists()


@pytest.mark.parametrize("stamp", ["", "forged", "now", "yesterday"])
def test_what_no_person_can_have_sent_is_asked_again(visitor: Client, stamp: str) -> None:
    stamps = {
        "now": signing.dumps(int(time.time()), salt=SALT),
        "yesterday": signing.dumps(int(time.time()) - 90000, salt=SALT),
    }
    response = visitor.post("/register", filled(stamp=stamps.get(stamp, stamp)))
    assert response.status_code == 422
    page = response.content.decode()
    assert "resend the form" in page
    assert 'value="carla@example.org"' in page
    assert not Registration.objects.exists()


def test_the_password_is_never_sent_back(visitor: Client) -> None:
    response = visitor.post("/register", filled(email="nonsense"))
    assert response.status_code == 422
    assert "name@example.org" in response.content.decode()
    assert CANARY not in response.content.decode()


@pytest.mark.parametrize(
    ("field", "text", "complaint"),
    [
        ("username", "x y", "letters a to z"),
        ("username", "root", "reserved"),
        ("password", "carla", "at least 8 characters"),
        ("password", "password1", "easy to guess"),
        ("first_name", "<b>", "special characters"),
        ("timezone", "Mars/Olympus", "Choose a time zone"),
    ],
)
def test_what_cannot_be_used_is_said_beside_its_field(
    visitor: Client, field: str, text: str, complaint: str
) -> None:
    response = visitor.post("/register", filled(**{field: text}))
    assert response.status_code == 422
    assert complaint in response.content.decode()
    assert not Registration.objects.exists()


def test_too_many_from_one_address_have_to_wait(visitor: Client, settings: LazySettings) -> None:
    settings.REGISTRATION_RATE = 1
    visitor.post("/register", filled(username="one.of.them"))
    response = visitor.post("/register", filled(username="one.more"))
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 0
    assert "Your registration was not stored." in response.content.decode()


@pytest.mark.parametrize(
    ("password", "score", "words"),
    [
        ("", None, ""),
        ("kurz", None, "Too short"),
        ("password1", 0, "Easy to guess"),
        (CANARY, 4, "Very strong"),
    ],
)
def test_the_meter(visitor: Client, password: str, score: int | None, words: str) -> None:
    page = visitor.post("/register/strength", {"password": password}).content.decode()
    assert words in page
    assert CANARY not in page
    if score is not None:
        assert f'value="{score}"' in page


def test_thirty_people_type_behind_one_address_and_the_form_is_taken_from_those_who_ask_too_often(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    settings.REGISTRATION_RATE = 1
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now)
    strength(visitor)
    letters_typed = 30 * 64
    RateCounter.objects.update(count=letters_typed)
    assert 'value="4"' in strength(visitor)
    RateCounter.objects.update(count=registration.SCORED_AN_HOUR)
    assert "It is checked when you send the registration" in strength(visitor)
    assert "<meter" not in strength(visitor)
    assert visitor.post("/register", filled()).headers["Location"] == "/register/received"
    assert visitor.post("/register", filled()).status_code == 429


def strength(visitor: Client) -> str:
    return visitor.post("/register/strength", {"password": CANARY}).content.decode()


def test_the_form_needs_no_inline_style_or_script(visitor: Client) -> None:
    page = visitor.get("/register").content.decode()
    assert " style=" not in page
    assert "onclick" not in page
    assert page.count("<script ") == page.count('<script src="/static/')


def test_a_visitor_chooses_the_language(visitor: Client) -> None:
    response = visitor.post("/language", {"language": "de", "next": "/register"})
    assert response.headers["Location"] == "/register"
    assert 'lang="de"' in visitor.get("/register").content.decode()


def test_the_language_form_leads_nowhere_else(visitor: Client) -> None:
    response = visitor.post("/language", {"language": "de", "next": "https://evil.example/"})
    assert response.headers["Location"] == "/"


def linked() -> tuple[str, str]:
    """What a browser asks for when the letter's link is opened, and what it keeps to itself."""
    link = next(word for word in Mail.objects.get().text.split() if "/register/confirm" in word)
    address, _, kept = link.removeprefix(settings_of.BASE_URL).partition("#")
    return address, kept


def test_opening_the_link_of_a_letter_changes_nothing_and_its_button_confirms(
    visitor: Client,
) -> None:
    visitor.post("/register", filled())
    address, token = linked()
    assert "This address is mine" in visitor.get(address).content.decode()
    assert not Registration.objects.get().email_confirmed
    assert "Your address is confirmed." in visitor.post(address, {"token": token}).content.decode()
    assert Registration.objects.get().email_confirmed
    again = visitor.post(address, {"token": token})
    assert again.status_code == 410
    assert "This link has expired" in again.content.decode()


def test_a_link_that_still_works_is_in_no_line_of_the_log(
    visitor: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever refuses a request writes its address into the log, and so do proxies."""
    visitor.post("/register", filled())
    address, token = linked()
    assert len(token) > 30
    with caplog.at_level(logging.DEBUG):
        for sent in ({"token": token[:-1]}, {"token": ""}, {}):
            assert visitor.post(address, sent).status_code == 410
        assert visitor.put(address, {"token": token}).status_code == 405
        assert Client(enforce_csrf_checks=True).post(address, {"token": token}).status_code == 403
    assert address in caplog.text
    assert token[:-1] not in caplog.text
    assert token not in address
    assert visitor.post(address, {"token": f" #{token} "}).status_code == 200, "it works still"


def test_everything_that_is_wrong_is_said_at_once(visitor: Client) -> None:
    """A missing name, a reserved user name and a weak password were said in three turns."""
    response = visitor.post(
        "/register",
        filled(first_name="", email="nonsense", username="root", password="carla", timezone="X"),
    )
    page = response.content.decode()
    assert response.status_code == 422
    for complaint in (
        "This field is required.",
        "name@example.org",
        "reserved",
        "at least 8 characters",
        "Choose a time zone",
    ):
        assert complaint in page, complaint
    assert page.count("errorlist") == 5
    assert not Registration.objects.exists()


def test_what_was_sent_too_fast_is_looked_at_too(visitor: Client) -> None:
    page = visitor.post("/register", filled(stamp="", username="root")).content.decode()
    assert "resend the form" in page
    assert "reserved" in page
