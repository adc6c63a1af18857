"""People in front of the pages: nobody, a member, a stranger, an administrator."""

from collections.abc import Callable

import pytest
from django.conf import LazySettings
from django.test import Client

from tests.visitors import BACKEND, Visitor
from tests.web.pages import scenes
from workspace_manager.records.models import Person


@pytest.fixture(autouse=True)
def plain(db: None, settings: LazySettings) -> None:
    """No limit on registrations, a key, and no cache table: the pages are what is looked at."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.REGISTRATION_RATE = 0
    settings.SECRET_KEYS = ["only-for-these-tests"]
    settings.ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]


@pytest.fixture
def anna() -> Person:
    return scenes.person("anna", "Anna Beispiel")


@pytest.fixture
def bela() -> Person:
    return scenes.person("bela", "Béla Horváth")


@pytest.fixture
def ada() -> Person:
    return scenes.person("ada", "Ada Kraft", administrator=True)


@pytest.fixture
def visitor() -> Client:
    return Visitor()


@pytest.fixture
def browser_of() -> Callable[[Person], Client]:
    """A client that is signed in as somebody."""

    def sign_in(person: Person) -> Client:
        client = Visitor(person)
        client.force_login(person, backend=BACKEND)
        return client

    return sign_in


@pytest.fixture
def as_anna(anna: Person, browser_of: Callable[[Person], Client]) -> Client:
    return browser_of(anna)


@pytest.fixture
def as_ada(ada: Person, browser_of: Callable[[Person], Client]) -> Client:
    return browser_of(ada)
