"""Checks of the forge."""

from workspace_forge.client import Client
from workspace_forge.messages import message
from workspace_manager.contract.connector import ALL, Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings


def check(client: Client) -> list[Finding]:
    """A forge that does not answer is a finding."""
    found = Findings("forge")
    try:
        name, admin = client.me()
    except ConnectorError as error:
        why, advice = error.message, error.advice_message
        return [found.failing(message("reachable"), why, advice, hides=ALL)]
    if not admin:
        advice = message("no_admin_advice")
        return [found.failing(message("rights"), message("no_admin", name=name), advice)]
    return [found.ok(message("rights"), message("admin", name=name))]
