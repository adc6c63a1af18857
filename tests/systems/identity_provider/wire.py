"""An identity provider of one sentence: it answers with what a test says, and keeps what it was
asked.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx

from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client import token as client_token
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.session import SessionClient
from workspace_manager.systems.identity_provider.client.users import UserClient, Wire
from workspace_manager.systems.identity_provider.settings import Settings

CANARY = "canary-4711-secret"
SETTINGS = Settings(
    url="https://id.example",
    realm="work space",
    admin_username="admin",
    admin_password=Secret(CANARY),
    client_id="manager",
    client_secret=Secret(CANARY),
)
SUB = "8f78f333-073b-4980-9ce9-f642e354b9d4"
USERS = "/admin/realms/work%20space/users"
TOKEN = {"access_token": CANARY, "expires_in": 60}
GONE = httpx.Response(204)
HTML = httpx.Response(200, html="<html>Sign in</html>")

Handler = Callable[[httpx.Request], httpx.Response]


class Server:
    """Answers with what a test says, and keeps the requests."""

    def __init__(
        self, answer: Handler | httpx.Response, token: httpx.Response | None = None
    ) -> None:
        self.answer, self.token = answer, token or httpx.Response(200, json=TOKEN)
        self.calls: list[httpx.Request] = []
        self.grants: list[dict[str, str]] = []
        # Another provider: what the process knew of the last one's administrator is over.
        client_token._kept.clear()
        wire = Wire(SETTINGS, transport=httpx.MockTransport(self))
        self.users, self.realm = UserClient(wire), RealmClient(wire)
        self.sessions = SessionClient(SETTINGS, transport=httpx.MockTransport(self))

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/token"):
            self.grants.append(dict(httpx.QueryParams(request.content.decode())))
            return copied(self.token)
        self.calls.append(request)
        return copied(
            self.answer if isinstance(self.answer, httpx.Response) else self.answer(request)
        )

    def with_settings(self, **more: Any) -> UserClient:
        return UserClient(Wire(replace(SETTINGS, **more), transport=httpx.MockTransport(self)))


def copied(answer: httpx.Response) -> httpx.Response:
    return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


def says(status: int, **body: Any) -> httpx.Response:
    return httpx.Response(status, json=body)
