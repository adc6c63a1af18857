"""A client for tests that speaks JSON with the API and forms with the pages."""

import json
from typing import Any

from django.test import Client

from workspace_manager.records.models import Person

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
API = "/api/v1"


class Visitor(Client):
    """Django's client, who it is signed in as, and `ask` for the API."""

    def __init__(self, person: Person | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.person = person

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """Call the API; `path` follows `/api/v1`. A body is sent as JSON, none as none."""
        if body is None:
            return self.generic(method, API + path, **options)
        text = body if isinstance(body, str | bytes) else json.dumps(body)
        return self.generic(method, API + path, text, "application/json", **options)
