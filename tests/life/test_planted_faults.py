"""What is wrong in a system is found unasked, explained, and over by itself when it is mended."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.life import planted
from tests.life.person import Life, Workspace, eventually
from workspace_sandbox.demo import Demo

SOON = {
    "WORKSPACE_HEALTH_LOOK_SECONDS": "5",
    "WORKSPACE_HEALTH_PROOF_MINUTES": "0.15",
    "WORKSPACE_HEALTH_CHECK_MINUTES": "0.15",
    "WORKSPACE_IDENTITY_LOOK_MINUTES": "0.15",
}
"""A quarter of an hour is nine seconds here, and a minute five."""


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    demo = Demo(port=0, settings=SOON)
    try:
        yield Workspace(demo.start())
    finally:
        demo.stop()


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_twelve_planted_faults_are_found_explained_and_close(workspace: Workspace) -> None:
    somebody = Life(workspace, "gone-there")
    somebody.register()
    somebody.approve()
    assert somebody.sign_in().status_code == 200
    names = [one["name"] for one in workspace.api.get("/systems").json()["items"]]
    eventually("all is well", lambda: not any(_wrong(workspace, name) for name in names))
    rounds = (*planted.TOGETHER, (planted.deleted_there("gone-there"),))
    assert sum(map(len, rounds)) == 12
    for together in rounds:
        for fault in together:
            fault.plant(workspace)
        for fault in together:
            eventually(f"{fault.name}: found", lambda: _wrong(workspace, fault.system))  # noqa: B023
        for fault in together:
            fault.mend(workspace)
            if fault.refuses:
                workspace.api.post(f"/systems/{fault.system}/resume")
        for fault in together:
            eventually(f"{fault.name}: over", lambda: not _wrong(workspace, fault.system))  # noqa: B023


def _wrong(workspace: Workspace, system: str) -> list[str]:
    """Why it is not well, in words; nothing where it is."""
    health: dict[str, Any] = workspace.api.get(f"/systems/{system}/health").json()
    if health["state"] == "up":
        return []
    open_ = [one for one in health["findings"] if one["closed_at"] is None]
    reasons = [health["reason"], *(one["text"] for one in open_ if one["severity"] == "failing")]
    return [one for one in reasons if one]
