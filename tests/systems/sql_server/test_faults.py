"""Faults on the way: never a success, always one of the five errors, and the next try
ends in the right state.
"""

import contextlib
import re

import pytest

from tests.systems.sql_server.database_server import (
    CANARY,
    DATABASE,
    EXISTS,
    USER,
    DatabaseServer,
    make,
    try_sign_in,
)
from workspace_manager.contract.connector import CallPolicy, Change, Result, Severity
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, NotFound, Unavailable
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn, system_tables

QUICK = CallPolicy(connect_s=1, answer_s=2)
"""For the call that shall run out of time; a busy machine makes every other one slow too."""
PATIENT = CallPolicy(connect_s=10, answer_s=30)
CREATE = Change(
    kind=USER, subject="", target={"user": "alice"}, after=EXISTS, secrets={"password": "vault/1"}
)
DROP = Change(kind=USER, subject="", target={"user": "alice"}, after=None)
SET_UP = Change(
    kind=DATABASE, subject="", target={"database": "ws_a"}, after={"grantees": ["alice"]}
)
TAKE_DOWN = Change(kind=DATABASE, subject="", target={"database": "ws_a"}, after=None)

STATEMENTS = [
    (CREATE, "CREATE USER"),
    (CREATE, "ALTER USER"),
    (CREATE, "CONNECT"),
    (SET_UP, "CREATE DATABASE"),
    (SET_UP, "GRANT"),
    (TAKE_DOWN, "REVOKE"),
    (TAKE_DOWN, "DROP DATABASE"),
    (DROP, "ACCOUNT LOCK"),
    (DROP, "KILL CONNECTION USER"),
    (DROP, "DROP USER"),
    (DROP, "FROM mysql.user"),
]


def act(server: DatabaseServer, change: Change, calls: CallPolicy = PATIENT) -> Result:
    connector = server.system(calls=calls).connectors[change.kind]
    call = connector.remove if change.after is None else connector.apply
    return call(change).result


def prepare(server: DatabaseServer, change: Change) -> None:
    """Make what the change needs to find."""
    if change is not CREATE:
        make(server)
    if change is TAKE_DOWN:
        act(server, SET_UP)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "fault", ["delay", "reset", "garbage", "html", "truncated", "timeout_after_effect"]
)
@pytest.mark.parametrize(("change", "statement"), STATEMENTS)
def test_an_unsure_answer_is_no_success_and_the_next_try_ends_right(
    server: DatabaseServer, stand_in: SqlServerStandIn, change: Change, statement: str, fault: str
) -> None:
    prepare(server, change)
    stand_in.faults.add({"statement": statement, "fault": fault, "seconds": 1.2})
    with pytest.raises((Unavailable, Invalid)) as caught:
        act(server, change, QUICK)
    assert caught.value.advice
    assert not stand_in.faults.waiting
    assert act(server, change) in {Result.CHANGED, Result.ALREADY}
    assert act(server, change) is Result.ALREADY
    assert server.system().connectors[change.kind].verify(change)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (1040, Unavailable),
        (503, Unavailable),
        (429, Unavailable),
        (1205, Unavailable),
        (401, Denied),
        (1044, Denied),
        (1142, Denied),
        (1227, Denied),
        (1064, Invalid),
        (1105, Invalid),
    ],
)
@pytest.mark.parametrize("statement", ["CONNECT", "FROM mysql.user", "DROP USER"])
def test_a_code_has_its_reaction_wherever_it_comes(
    server: DatabaseServer,
    stand_in: SqlServerStandIn,
    statement: str,
    status: int,
    kind: type[ConnectorError],
) -> None:
    make(server)
    stand_in.faults.add({"statement": statement, "fault": "status", "status": status})
    with pytest.raises(kind):
        act(server, DROP)
    assert act(server, DROP) is Result.CHANGED


def test_what_somebody_else_drops_meanwhile_is_no_failure(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    make(server)
    stand_in.faults.add({"statement": "DROP USER", "fault": "status", "status": 1396})
    assert act(server, DROP) is Result.CHANGED
    assert server.system().connectors[USER].verify(DROP) is None
    act(server, DROP)
    act(server, CREATE)
    act(server, SET_UP)
    stand_in.faults.add({"statement": "DROP DATABASE", "fault": "status", "status": 1008})
    stand_in.faults.add({"statement": "REVOKE", "fault": "status", "status": 1141})
    act(server, TAKE_DOWN)
    assert server.system().connectors[DATABASE].verify(TAKE_DOWN) is None


def test_a_session_that_ends_by_itself_meanwhile_is_no_failure(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    make(server)
    act(server, SET_UP)
    stand_in.faults.add({"statement": r"KILL CONNECTION \?$", "fault": "status", "status": 1094})
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")):
        assert act(server, TAKE_DOWN) is Result.CHANGED
    assert not stand_in.faults.waiting


def test_slow_answers_together_are_bounded_too(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    make(server)
    stand_in.faults.add(
        {"statement": "SELECT|ALTER|KILL", "fault": "delay", "seconds": 0.3, "times": 9}
    )
    with pytest.raises(Unavailable, match="so far"):
        act(server, DROP, QUICK)


def test_an_empty_answer_does_not_prove_our_rights(
    server: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server or proxy that shows no account at all would prove everybody gone."""
    monkeypatch.setattr(system_tables, "_rows", lambda *_: [])
    with pytest.raises(Denied, match="missing among the 0 accounts"):
        server.system().prove_rights()


def test_a_refused_sign_in_of_a_person_is_not_ours(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    make(server)
    stand_in.accounts.alter("alice", "%", password="of somebody else", locked=None, calm=False)
    assert server.system().connectors[USER].verify(CREATE) is None
    assert stand_in.ledger.items[-1]["status"] == 1045
    assert try_sign_in(server, "alice", "of somebody else") == 0


def test_looking_has_no_effect_and_sends_no_password(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    make(server)
    act(server, SET_UP)
    start = len(stand_in.ledger.items)
    system = server.system()
    for change in (CREATE, DROP, SET_UP, TAKE_DOWN):
        connector = system.connectors[change.kind]
        connector.plan(change.target, change.after)
        connector.verify(change)
    system.check()
    system.prove_rights()
    looked = stand_in.ledger.items[start:]
    assert looked
    assert not any(item["effect"] for item in looked)
    assert {item["method"] for item in looked} <= {"CONNECT", "SET", "SELECT", "SHOW"}
    everything = " ".join(item["path"] for item in stand_in.ledger.items)
    assert not re.search("canary|alice", everything)


def test_a_repeated_change_writes_nothing(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    for change in (CREATE, SET_UP, TAKE_DOWN, DROP):
        act(server, change)
        start = len(stand_in.ledger.items)
        assert act(server, change) is Result.ALREADY
        assert not any(item["effect"] for item in stand_in.ledger.items[start:])


def test_a_check_of_a_dead_server_is_a_finding(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    stand_in.faults.add({"statement": "CONNECT", "fault": "reset"})
    [finding] = server.system(calls=QUICK).check()
    assert (finding.name, finding.severity) == ("reachable", Severity.FAILING)
    stand_in.faults.add({"statement": "SHOW GRANTS", "fault": "status", "status": 1040})
    names = [finding.name for finding in server.system(calls=QUICK).check()]
    assert (names[0], names[-1]) == ("reachable", "answers"), "it did let us in"


def test_the_web_tool_is_looked_at(server: DatabaseServer, stand_in: SqlServerStandIn) -> None:
    def finding(url: str) -> tuple[Severity, str]:
        [found] = [f for f in server.system(admin_tool_url=url).check() if f.name == "SQL web tool"]
        return found.severity, found.text

    assert finding(stand_in.url)[0] is Severity.OK
    assert finding(stand_in.url + "/absent")[0] is Severity.WARNING
    assert finding("http://127.0.0.1:1")[0] is Severity.WARNING
    assert "SQL web tool" not in {f.name for f in server.system().check()}


def test_an_older_or_other_server_is_named(
    server: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workspace_sandbox.stand_ins.sql_server.tables.VERSION", "8.0.36")
    [finding] = [f for f in server.system().check() if f.severity is not Severity.OK]
    assert finding.name == "version"
    assert "MariaDB" in finding.remedy


def test_a_missing_secret_stops_before_the_first_write(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    change = CREATE.model_copy(update={"secrets": {"password": "vault/none"}})
    with pytest.raises(NotFound):
        act(server, change)
    assert not any(item["effect"] for item in stand_in.ledger.items)
