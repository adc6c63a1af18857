"""Checks of the kiln."""

from workspace_kiln.client import Client
from workspace_kiln.messages import message
from workspace_manager.contract.connector import ALL, Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings


def check(client: Client) -> list[Finding]:
    """A kiln that does not answer is a finding."""
    found = Findings("kiln")
    try:
        name, role = client.me()
    except ConnectorError as error:
        why, advice = error.message, error.advice_message
        return [found.failing(message("reachable"), why, advice, hides=ALL)]
    if role != "warden":
        advice = message("no_warden_advice")
        return [found.failing(message("rights"), message("no_warden", name=name), advice)]
    return [found.ok(message("rights"), message("warden", name=name))]
