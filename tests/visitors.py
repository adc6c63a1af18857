"""A client for tests that speaks JSON with the API and forms with the pages."""

import functools
import json
from typing import Any

from django.core.signals import setting_changed
from django.test import Client
from django.test.client import ClientHandler

from workspace_manager.records.models import Person

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
API = "/api/v1"


SEEN_BY_MIDDLEWARE = ("MIDDLEWARE", "SECURE_", "CSRF_", "STATIC", "STORAGES", "WHITENOISE_")
"""How settings begin that a middleware reads when it is made."""


class Visitor(Client):
    """Django's client, who it is signed in as, and `ask` for the API."""

    def __init__(self, person: Person | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.handler = _handler(self.handler.enforce_csrf_checks)
        self.person = person

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """Call the API; `path` follows `/api/v1`. A body is sent as JSON, none as none."""
        if body is None:
            return self.generic(method, API + path, **options)
        text = body if isinstance(body, str | bytes) else json.dumps(body)
        return self.generic(method, API + path, text, "application/json", **options)


@functools.cache
def _handler(enforce_csrf_checks: bool) -> ClientHandler:
    """One for all visitors: it keeps nothing of a request, and to make its middleware takes as long
    as many requests.
    """
    return ClientHandler(enforce_csrf_checks)


def _forget_handlers(*, setting: str, **_more: object) -> None:
    if setting.startswith(SEEN_BY_MIDDLEWARE):
        _handler.cache_clear()


setting_changed.connect(_forget_handlers)
