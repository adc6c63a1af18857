"""Whether failed sign-ins came from our address: the drive tells everybody how long it lets theirs
wait.
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
    """Judge how long the drive lets us wait; what keeps it from telling is said by the others."""
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
