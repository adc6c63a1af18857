"""Cases of the rights that our own account needs, and of the message without them; a module that
imports everything gives `server`.
"""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.systems.sql_server.database_server import (
    CANARY,
    DATABASE,
    EXISTS,
    USER,
    Answer,
    DatabaseServer,
    make,
    set_up,
    user_change,
)
from workspace_manager.contract.connector import Change, Severity
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.connector import SqlServer


@pytest.fixture(autouse=True)
def cleared(server: DatabaseServer) -> Iterator[None]:
    yield
    server.clear()


def test_the_least_rights_are_enough_for_everything(server: DatabaseServer) -> None:
    server.make_warden()
    system = server.system(admin_username="warden", admin_password=Secret("w"))
    assert severities(system) == {Severity.OK}
    assert "warden" in system.prove_rights().text
    users, databases = system.connectors[USER], system.connectors[DATABASE]
    made = user_change(server, "alice", EXISTS, password="vault/1")
    users.apply(made)
    assert users.verify(made)
    users.apply(users.plan(made.target, {"exists": True, "locked": True}))
    users.apply(users.plan(made.target, {"exists": True, "locked": False}))
    granted = databases.plan(names.database_target("ws_a_b"), {"grantees": ["alice"]})
    databases.apply(granted)
    assert databases.verify(granted)
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a_b")) as session:
        gone = databases.plan(granted.target, None)
        databases.remove(gone)
        assert databases.verify(gone)
        left = users.plan(made.target, None)
        users.remove(left)
        assert users.verify(left)
        assert server.tell(session, "SELECT 1") is Answer.ENDED


def severities(system: SqlServer) -> set[Severity]:
    """What snapshots need besides is said apart: nothing else waits for it."""
    return {one.severity for one in system.check() if one.name != "snapshots"}


@pytest.mark.parametrize("missing", range(5))
def test_each_missing_right_is_named_and_proves_nothing(
    server: DatabaseServer, missing: int
) -> None:
    if missing >= len(server.rights):
        return
    lacking = server.make_warden(without=missing)
    system = server.system(admin_username="warden", admin_password=Secret("w"))
    with pytest.raises(Denied) as caught:
        system.prove_rights()
    failing = [f for f in system.check() if f.severity is Severity.FAILING]
    assert failing
    for finding in failing:
        statement = finding.remedy.removeprefix("Run: ")
        assert statement in caught.value.advice
        server.run(statement)
    assert severities(system) == {Severity.OK}, lacking


def test_a_lock_that_cannot_end_sessions_is_not_believed(server: DatabaseServer) -> None:
    """Who may not even see a session may be told that ending it succeeded."""
    for warden in server.make_feeble_wardens():
        make(server)
        system = server.system(admin_username=warden, admin_password=Secret("w"))
        connector = system.connectors[USER]
        with contextlib.closing(server.sign_in("alice", CANARY)) as session:
            change = user_change(server, "alice", {"exists": True, "locked": True})
            with contextlib.suppress(Denied):
                connector.apply(change)
            assert server.tell(session, "SELECT 1") is Answer.DONE
            with pytest.raises(Denied, match=server.cannot_end_sessions):
                connector.verify(change)
        server.drop_account("alice")


def test_a_wrong_password_of_ours_is_denied(server: DatabaseServer) -> None:
    system = server.system(admin_password=Secret(CANARY))
    with pytest.raises(Denied) as caught:
        system.connectors[USER].plan({"user": "alice"}, None)
    assert server.wrong_password in str(caught.value)
    assert CANARY not in str(caught.value)
    with pytest.raises(Denied):
        system.prove_rights()
    assert [f.severity for f in system.check()] == [Severity.FAILING]


def test_no_secret_shows_anywhere(server: DatabaseServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(1)
    system = server.system()
    change = make(server)
    set_up(server, "ws_a", "alice")
    kept: list[Any] = [change, system.connectors[USER].verify(change), system.prove_rights()]
    kept += system.check()
    gone = user_change(server, "alice", None)
    kept += [gone, system.connectors[USER].remove(gone), system.connectors[USER].verify(gone)]
    try:
        server.system(admin_password=Secret(CANARY)).prove_rights()
    except ConnectorError as error:
        kept += [
            str(error),
            error.advice,
            repr(error),
            repr(error.__context__),
            repr(error.__cause__),
        ]
    shown = " ".join(map(str, kept)) + caplog.text
    assert CANARY not in shown
    assert not [word for word in server.never_shown if word in shown]


def test_changes_survive_json(server: DatabaseServer) -> None:
    for change in (
        make(server),
        set_up(server, "ws_a", "alice"),
        user_change(server, "alice", None),
    ):
        assert Change.model_validate(json.loads(change.model_dump_json())) == change
