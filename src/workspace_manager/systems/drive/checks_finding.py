"""One finding about the drive."""

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.findings import Findings, Hides
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.members.provider import OCC

__all__ = ["FAILING", "OCC", "OK", "SAID", "WARNING", "finding"]

OK, WARNING, FAILING = Severity.OK, Severity.WARNING, Severity.FAILING
SAID = Findings("drive")


def finding(
    name: Message,
    severity: Severity,
    found: Message,
    remedy: Message | None = None,
    hides: Hides = (),
) -> Finding:
    """Make a finding: what was looked at, how it stands, what to do, what could not be looked at
    because of it.
    """
    return SAID.of(severity, name, found, remedy, hides=hides)
