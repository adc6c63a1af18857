"""Evidence as the SQL server gives it."""

from datetime import UTC, datetime

from workspace_manager.contract.connector import Evidence
from workspace_manager.systems.sql_server.client import SYSTEM


def evidence(method: str, text: str) -> Evidence:
    """What a look showed, now."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return Evidence(system=SYSTEM, method=method, at=at, text=text)
