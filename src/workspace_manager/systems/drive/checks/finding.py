"""One finding about the drive."""

from workspace_manager.contract.connector import Finding, Severity

OK, WARNING, FAILING = Severity.OK, Severity.WARNING, Severity.FAILING
OCC = "occ user_oidc:provider"
"""The command that configures the provider, for remedies."""


def finding(name: str, severity: Severity, text: str, remedy: str = "") -> Finding:
    """Make a finding: what was looked at, how it stands, what to do."""
    return Finding(system="drive", name=name, severity=severity, text=text, remedy=remedy)
