"""The beginning of a sign-in at the notebook hub."""

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.http import HttpClient
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import KIND
from workspace_manager.systems.notebook_hub.settings import Settings

SYSTEM = "notebook_hub"


def begin_sign_in(settings: Settings, *, policy: CallPolicy) -> Answer:
    """Begin a sign-in at the address that people use, like anybody. Raises the five errors."""
    http = HttpClient(settings.url, system=SYSTEM, policy=policy)
    try:
        return http.send(
            "GET",
            "/hub/oauth_login",
            doing=message("beginning_sign_in"),
            kind=KIND,
            headers={"Accept": "text/html"},
            anonymous=True,
        )
    finally:
        http.close()
