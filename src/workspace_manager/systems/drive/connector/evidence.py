"""Evidence of a look at the drive."""

from datetime import UTC, datetime

from workspace_manager.contract.connector import Evidence


def evidence(method: str, text: str) -> Evidence:
    """Make the evidence of a look made just now. `method`: how it was asked; `text`: the answer, in words."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return Evidence(system="drive", method=method, at=at, text=text)
