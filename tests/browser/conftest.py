"""Chromium in front of the pages, and a door to be somebody without an identity provider."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from workspace_manager.records.models import Person
from workspace_sandbox.patience import PATIENCE_S

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@pytest.fixture(autouse=True)
def plain(settings: LazySettings) -> None:
    """Pages as they are, on the test's database."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.REGISTRATION_RATE = 0
    settings.SECRET_KEYS = ["only-for-these-tests"]


class Window:
    """Opens pages as somebody, and keeps what the browser complained about."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def open(self, path: str, person: Person | None = None, **look: Any) -> Page:
        """A page in a browser of its own; `look`: size, colours, scripts."""
        context = self.browser.new_context(
            timezone_id="Europe/Berlin", reduced_motion="reduce", **{"locale": "en-GB", **look}
        )
        self.contexts.append(context)
        if person:
            client = Client()
            client.force_login(person, backend=BACKEND)
            context.add_cookies(
                [
                    {
                        "name": "sessionid",
                        "value": client.cookies["sessionid"].value,
                        "url": self.address,
                    }
                ]
            )
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text) if message.type == "error" else None
            ),
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.address + path)
        return page


@pytest.fixture
def window(chromium: Browser, live_server: Any, settings: LazySettings) -> Iterator[Window]:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
    opened = Window(chromium, live_server.url)
    yield opened
    for context in opened.contexts:
        context.close()
