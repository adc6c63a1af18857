"""Settings of a person's own: language, time zone, theme; and help on every page."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.web.pages import scenes
from workspace_manager import __version__
from workspace_manager.records.models import AuditEntry, Person


def make_form(**other: str) -> dict[str, str]:
    return {"locale": "de", "timezone": "Pacific/Kiritimati", "theme": "dark", **other}


def test_they_are_kept_with_the_person_and_in_force_at_once(as_anna: Client, anna: Person) -> None:
    page = as_anna.get("/settings").content.decode()
    assert 'value="Europe/Berlin"' in page
    assert 'href="/settings"' in as_anna.get("/").content.decode()
    after = as_anna.post("/settings", make_form(), follow=True).content.decode()
    anna.refresh_from_db()
    assert (anna.locale, anna.timezone, anna.theme) == ("de", "Pacific/Kiritimati", "dark")
    assert "Gespeichert" in after, "said in the language that was just chosen"
    assert '<html lang="de" data-theme="dark">' in after
    scenes.database(anna, "Clock")
    assert "+14:00" in as_anna.get(f"/components/{anna.components.get().id}").content.decode()
    assert AuditEntry.objects.filter(event="person:settings", actor="anna").count() == 1


@pytest.mark.parametrize(
    ("theme", "media"),
    [("", "screen and (prefers-color-scheme: dark)"), ("dark", "screen"), ("light", "not all")],
)
def test_the_theme_decides_about_the_dark_sheet(
    as_anna: Client, anna: Person, theme: str, media: str
) -> None:
    Person.objects.update(theme=theme)
    page = as_anna.get("/").content.decode()
    assert f'media="{media}"' in page


@pytest.mark.parametrize(
    ("field", "text", "complaint"),
    [
        ("locale", "tlh", "Select a valid choice"),
        ("locale", "en\n", ""),
        ("timezone", "Mars/Olympus", "Choose a time zone"),
        ("timezone", "", "Choose a time zone"),
        ("theme", "mauve", "Select a valid choice"),
    ],
)
def test_nothing_else_can_be_chosen(
    as_anna: Client, anna: Person, field: str, text: str, complaint: str
) -> None:
    response = as_anna.post("/settings", make_form(**{field: text}))
    anna.refresh_from_db()
    if complaint:
        assert response.status_code == 422
        assert complaint in response.content.decode()
        assert anna.timezone == "Europe/Berlin"
    else:
        assert anna.locale in {"de", "en"}


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("berlin", "Europe/Berlin"),
        (" europe/BERLIN ", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("buenos aires", "America/Argentina/Buenos_Aires"),
        ("utc", "UTC"),
    ],
)
def test_a_city_is_enough(as_anna: Client, anna: Person, typed: str, zone: str) -> None:
    assert as_anna.post("/settings", make_form(timezone=typed)).status_code == 302
    anna.refresh_from_db()
    assert anna.timezone == zone


def test_the_zones_are_a_list_to_search_in(visitor: Client, as_anna: Client) -> None:
    for page in (visitor.get("/register"), as_anna.get("/settings")):
        text = page.content.decode()
        assert 'list="time-zones"' in text
        assert '<datalist id="time-zones">' in text
        selects = [part.partition("</select")[0] for part in text.split("<select")[1:]]
        longest = max(one.count("<option") for one in selects)
        assert longest <= 10, "430 cities in one select are not to be found in"
        assert not any('name="timezone"' in one for one in selects)


def test_a_registered_language_that_no_page_has_does_not_lock_the_form(
    as_anna: Client, anna: Person
) -> None:
    Person.objects.update(locale="de-AT", timezone="Nowhere/Gone")
    page = as_anna.get("/settings").content.decode()
    assert 'value="de" selected' in page


def test_every_page_leads_to_help(
    visitor: Client, as_anna: Client, browser_of: Callable[[Person], Client]
) -> None:
    assert 'href="/help"' in visitor.get("/").content.decode()
    assert __version__ not in visitor.get("/").content.decode(), "not told to everybody"
    page = as_anna.get("/").content.decode()
    assert 'href="/help"' in page
    assert f"Workspace manager {__version__}" in page


def test_help_speaks_to_whoever_reads_it(visitor: Client, as_anna: Client, as_ada: Client) -> None:
    for client in (visitor, as_anna, as_ada):
        assert client.get("/help").status_code == 200
    assert "/manage/" not in as_anna.get("/help").content.decode()
    assert "/manage/plans" in as_ada.get("/help").content.decode()
    assert 'href="/settings"' not in visitor.get("/help").content.decode()
