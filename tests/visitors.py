"""A client for tests that speaks JSON with the API and forms with the pages."""

from typing import Any

from django.http import HttpResponse
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
            response: HttpResponse = self.generic(method, API + path, **options)
        else:
            response = self.generic(method, API + path, _json(body), "application/json", **options)
        return response


def _json(body: Any) -> Any:
    return (
        body if isinstance(body, str | bytes) else Visitor()._encode_json(body, "application/json")
    )
