"""Findings about the drive."""

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
    """Return a finding: what was checked, its result, the remedy, and the checks that it hides."""
    return SAID.of(severity, name, found, remedy, hides=hides)
