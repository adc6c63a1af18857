"""A person's token opens a session at the drive with each call: none outlives connecting."""

import json
from typing import Any

import pytest

from tests.systems.drive.conftest import Exists, FakeEngine, MakeDrive, Switch
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.connector import Drive
from workspace_sandbox.stand_ins.drive import DriveStandIn

SUB = "11111111-2222-4333-8444-555555555555"


@pytest.mark.parametrize("version", ["8.6.1", "8.10.1", "HEAD"])
def test_connecting_leaves_the_app_password_alone(
    drive: Drive, bearer: Secret, exists: Exists, switch: Switch, version: str
) -> None:
    switch(version=version)
    issued = drive.ensure_app_password(bearer, SUB)
    assert issued.session_left is False
    there = exists()[SUB]
    assert (there["app_passwords"], there["temporary_tokens"]) == (1, 0)
    assert drive.credentials_work(issued.login_name, issued.app_password, SUB)


def test_a_token_that_gets_nothing_leaves_nothing(
    make_drive: MakeDrive, bearer: Secret, exists: Exists, switch: Switch
) -> None:
    switch(provider={"uniqueUid": True})
    with pytest.raises(Conflict):
        make_drive().ensure_app_password(bearer, SUB)
    assert [one["temporary_tokens"] for one in exists().values()] == [0, 0, 0, 0]


def test_where_the_page_for_signing_out_fails_the_command_line_tool_ends_it(
    drive: Drive, bearer: Secret, exists: Exists, stand_in: DriveStandIn
) -> None:
    stand_in.faults.add({"path": "^/apps/user_oidc/sls", "fault": "status", "status": 500})
    assert drive.ensure_app_password(bearer, SUB).session_left is False
    assert exists()[SUB]["temporary_tokens"] == 0


def test_where_nothing_can_end_it_it_is_said(
    make_drive: MakeDrive, bearer: Secret, exists: Exists, stand_in: DriveStandIn
) -> None:
    stand_in.faults.add({"path": "^/apps/user_oidc/sls", "fault": "status", "status": 500})
    assert make_drive(container_name="").ensure_app_password(bearer, SUB).session_left is True
    assert exists()[SUB]["temporary_tokens"] == 1


def test_only_temporary_tokens_of_ours_are_ended(
    drive: Drive, bearer: Secret, exists: Exists, stand_in: DriveStandIn
) -> None:
    """What a person's browser opened bears another name, and an app password is none."""
    drive.ensure_app_password(bearer, SUB)
    for name in ("workspace-manager", "workspace-manager", "Mozilla/5.0"):
        stand_in.world.accounts.mint(SUB, SUB, name, kind=0)
    assert drive.end_sessions(SUB)
    there = exists()[SUB]
    assert (there["app_passwords"], there["temporary_tokens"]) == (1, 1)
    assert [t["name"] for t in stand_in.state["tokens"] if t["type"] == 0] == ["Mozilla/5.0"]


def test_an_account_that_is_not_there_has_none(drive: Drive) -> None:
    assert drive.end_sessions("nobody")


@pytest.mark.parametrize("printed", ["Fatal error", "{}", "[1]", ""])
def test_a_tool_that_prints_something_else_ended_nothing(
    drive: Drive, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, printed: str
) -> None:
    def occ(*_: Any, **__: Any) -> tuple[int, str]:
        return 0, printed

    monkeypatch.setattr(engine.drive, "occ", occ)
    assert drive.end_sessions(SUB) is False


def test_no_cookie_shows_anywhere(
    drive: Drive, bearer: Secret, stand_in: DriveStandIn, caplog: pytest.LogCaptureFixture
) -> None:
    stand_in.faults.add({"path": "^/apps/user_oidc/sls", "fault": "status", "status": 500})
    drive.ensure_app_password(bearer, SUB)
    cookies = list(stand_in.world.sessions)
    assert cookies
    assert not any(key in caplog.text + json.dumps(stand_in.state) for key in cookies)
