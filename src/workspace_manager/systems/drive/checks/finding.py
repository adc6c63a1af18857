"""One finding about the drive."""

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.findings import Findings, Hides
from workspace_manager.contract.message import Message

OK, WARNING, FAILING = Severity.OK, Severity.WARNING, Severity.FAILING
OCC = "occ user_oidc:provider"
"""The command that configures the provider, for remedies."""


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
    return Findings("drive").of(severity, name, found, remedy, hides=hides)
