"""A password that the drive refused is not sent again by the next command: ten failures of one
address block everybody there.
"""

import json

import pytest
from click.testing import CliRunner

from workspace_manager import wiring
from workspace_manager.cli.__main__ import main
from workspace_manager.engine import pause
from workspace_manager.systems.drive.client import PROCESS_REFUSALS
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn


def check_in_a_new_process() -> int:
    """What a process remembers by itself is gone with it."""
    PROCESS_REFUSALS.forget()
    wiring._connected.clear()
    said = CliRunner().invoke(main, ["check", "drive", "--json"])
    return int(json.loads(said.stdout)["failing"])


@pytest.mark.django_db(transaction=True)
def test_a_refused_password_is_sent_once_whatever_process_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive = DriveStandIn(issuer_url="http://127.0.0.1:1", client_id="drive")
    with running(drive):
        monkeypatch.setenv("WORKSPACE_DRIVE__BASE_URL", drive.url)
        monkeypatch.setenv("WORKSPACE_DRIVE__ADMIN_USERNAME", "admin")
        monkeypatch.setenv("WORKSPACE_DRIVE__ADMIN_PASSWORD", "guessed")
        monkeypatch.setenv("WORKSPACE_DRIVE__OIDC_USERNAME_PREFIX", "{empty}")

        def refused() -> int:
            return len(drive.state["attempts"])

        assert all(check_in_a_new_process() for _ in range(3))
        assert refused() == 1
        monkeypatch.setenv("WORKSPACE_DRIVE__ADMIN_PASSWORD", "guessed again")
        assert check_in_a_new_process()
        assert refused() == 2
        pause.resume("drive", actor="ada")
        assert check_in_a_new_process()
        assert refused() == 3
    wiring._connected.clear()
