"""The first sign-in: the drive is connected (the real drive took the second), the
wizard opens, and the first project is named in the person's language.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.test import Client

from tests.access.sign_in_setup import SignInSetup, pin_provider, start_provider
from tests.drive_credentials.both import Both
from tests.visitors import Visitor
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import DriveConnection, Person, Project
from workspace_manager.web.sign_in import adapter
from workspace_manager.wiring import connected_systems


@pytest.fixture(scope="module")
def open_door() -> Iterator[SignInSetup]:
    with start_provider("nele") as setup:
        yield setup


@pytest.fixture
def setup(open_door: SignInSetup, monkeypatch: pytest.MonkeyPatch, db: None) -> SignInSetup:
    pin_provider(monkeypatch, open_door)
    return open_door


def test_the_first_sign_in_leaves_a_visit_to_the_drive(setup: SignInSetup) -> None:
    assert setup.sign_in(Visitor(), "nele").status_code == 302
    waiting = DriveConnection.objects.get()
    assert (waiting.person.username, waiting.sync_until is not None) == ("nele", True)
    assert waiting.token is not None


@pytest.mark.parametrize("silent", [False, True])
def test_the_account_at_the_drive_is_there_before_anybody_goes_on(
    setup: SignInSetup,
    both: Both,
    systems: ConnectedSystems,
    monkeypatch: pytest.MonkeyPatch,
    silent: bool,
) -> None:
    """And before the visit, which would race with it. A drive that is silent keeps nobody out."""
    found = replace(systems, settings=connected_systems().settings)
    monkeypatch.setattr(adapter, "connected_systems", lambda: found)
    visits: list[int] = []
    both.between, both.down = lambda: visits.append(DriveConnection.objects.count()), silent
    for _ in range(2):
        assert setup.sign_in(Visitor(), "nele").status_code == 302
    assert visits == ([] if silent else [0]), "at the first sign-in alone"
    assert DriveConnection.objects.count() == 1


@pytest.mark.parametrize(
    ("after", "first", "second"),
    [(None, "/start", "/"), ("/", "/start", "/"), ("/components", "/components", "/components")],
)
def test_who_comes_for_the_first_time_begins_with_the_wizard(
    setup: SignInSetup, after: str | None, first: str, second: str
) -> None:
    assert setup.sign_in(Visitor(), "nele", after).headers["Location"] == first
    assert setup.sign_in(Visitor(), "nele", after).headers["Location"] == second


def test_the_wizard_is_found_from_the_dashboard(setup: SignInSetup) -> None:
    client = Visitor()
    setup.sign_in(client, "nele")
    assert 'href="/start"' in client.get("/").content.decode()
    assert client.get("/start").status_code == 200


@pytest.mark.parametrize(
    ("browser", "locale", "named"),
    [
        ("de", "de", "Erstes Projekt"),
        ("de-AT,de;q=0.9", "de", "Erstes Projekt"),
        ("fr", "en", "First project"),
    ],
)
def test_the_first_project_is_named_in_the_language_of_the_person(
    setup: SignInSetup, browser: str, locale: str, named: str
) -> None:
    """The identity provider told none: the browser's is the person's. No name is in it: plans keep
    it longer than its owner.
    """
    client: Client = Visitor(headers={"Accept-Language": browser})
    setup.sign_in(client, "nele")
    assert Person.objects.get(username="nele").locale == locale
    assert Project.objects.get().label == named
