"""Failed sign-ins from our address: the drive reports to every client how long it delays its
sign-ins.
"""

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.drive.checks_finding import OK, WARNING, finding
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.messages import message

NAME = message("check_failed_sign_ins")
LONG_MS = 1000
"""The delay after four failed sign-ins; fewer are a person's mistakes."""
MOST_MS = 25_000
"""The delay after nine; from eleven on our calls are refused, and report it themselves."""


def failed_sign_ins(client: DriveClient) -> list[Finding]:
    """Check the delay that the drive reports. Other checks report why it cannot be read."""
    try:
        told = client.capabilities().get("bruteforce")
    except ConnectorError:
        return []
    delay = told.get("delay") if isinstance(told, dict) else None
    if not isinstance(delay, int):
        return []
    if delay < LONG_MS:
        return [finding(NAME, OK, message("few_failed_sign_ins"))]
    if delay >= MOST_MS:
        return []
    text = message("our_calls_wait", seconds=delay // 1000)
    return [finding(NAME, WARNING, text, message("find_who_fails"))]
