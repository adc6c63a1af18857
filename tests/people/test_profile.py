"""A language and a time zone come from a form, a program, or the identity provider: only what is
one is kept.
"""

import pytest
from django.test import Client

from workspace_manager.people import admit as first_login
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import Person, Tile
from workspace_manager.wiring import connected_systems

ODD = ["en\n", "\nen", "en\r\nX: y", "e", "x" * 300, "../etc", "en;", "EN_us\n", "de\x00"]


@pytest.mark.django_db
@pytest.mark.parametrize("odd", [*ODD, "Mars/Olympus", "Europe/Berlin\n"])
def test_what_the_identity_provider_says_is_looked_at(
    odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = Claims("s", "nele", "n@example.org", "N", "E", odd, odd, browser=odd)
    monkeypatch.setenv("WORKSPACE_IDENTITY_PROVIDER__ADMIT_UNREGISTERED", "true")
    person = first_login.enter(claims, connected_systems())
    assert (person.locale, person.timezone) == ("en", "UTC")


@pytest.mark.django_db
def test_what_is_one_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_IDENTITY_PROVIDER__ADMIT_UNREGISTERED", "true")
    claims = Claims("s", "nele", "n@example.org", "N", "E", "de-AT", "Europe/Vienna")
    person = first_login.enter(claims, connected_systems())
    assert (person.locale, person.timezone) == ("de-AT", "Europe/Vienna")


@pytest.mark.django_db
def test_the_first_sign_in_gives_the_standard_role_a_project_and_its_applications(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WORKSPACE_IDENTITY_PROVIDER__ADMIT_UNREGISTERED", "true")
    person = first_login.enter(Claims("s", "nele", "n@example.org", "N", "E"), connected_systems())
    assert person.role == Person.Role.USER
    assert person.projects.filter(default=True).count() == 1
    assert set(Tile.objects.filter(owner=person).values_list("kind", flat=True)) == set(
        Tile.Kind.values
    )


@pytest.mark.django_db
def test_an_address_longer_than_one_can_be_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_IDENTITY_PROVIDER__ADMIT_UNREGISTERED", "true")
    claims = Claims("s", "nele", "n" * 300 + "@example.org", "N" * 300, "E")
    first_login.enter(claims, connected_systems())
    person = Person.objects.get(username="nele")
    assert len(person.email) <= 254
    assert len(person.first_name) <= 255


@pytest.mark.django_db
@pytest.mark.parametrize("odd", ["en\n", "de\n", "fr", ""])
def test_no_page_takes_an_odd_one(odd: str, as_administrator: Client) -> None:
    answer = as_administrator.post("/language", {"language": odd})
    assert "django_language" not in answer.cookies
    form = {"language": odd}
    if odd:
        assert as_administrator.get("/manage/letters/approved", form).status_code == 404
        asked = as_administrator.get("/api/v1/letters/approved", form)
        assert asked.status_code == 422
