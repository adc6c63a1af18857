"""How a finding about the SQL server is put."""

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.systems.sql_server.client import SYSTEM


def ok(name: str, text: str) -> Finding:
    return Finding(system=SYSTEM, name=name, severity=Severity.OK, text=text)


def warning(name: str, text: str, remedy: str) -> Finding:
    return Finding(system=SYSTEM, name=name, severity=Severity.WARNING, text=text, remedy=remedy)


def failing(name: str, text: str, remedy: str) -> Finding:
    return Finding(system=SYSTEM, name=name, severity=Severity.FAILING, text=text, remedy=remedy)
