"""Cases of what only MariaDB has: accounts on hosts, patterns in grants, anonymous accounts; on the
stand-in and on the real one.
"""

import contextlib
from collections.abc import Iterator

import pytest

from tests.systems.sql_server.database_server import (
    CANARY,
    DATABASE,
    EXISTS,
    USER,
    Answer,
    DatabaseServer,
    code,
    database_change,
    make,
    set_up,
    user_change,
)
from workspace_manager.contract.connector import Change, Result, Severity
from workspace_manager.contract.errors import Conflict


@pytest.fixture(autouse=True)
def cleared(server: DatabaseServer) -> Iterator[None]:
    yield
    server.clear()


def test_removing_goes_on_every_host(server: DatabaseServer) -> None:
    make(server)
    server.run(
        "CREATE USER 'alice'@'localhost' IDENTIFIED BY 'x'", "CREATE USER 'alice'@'10.0.0.%'"
    )
    connector = server.system().connectors[USER]
    change = user_change(server, "alice", None)
    assert connector.remove(change).result is Result.CHANGED
    assert connector.remove(change).result is Result.ALREADY
    evidence = connector.verify(change)
    assert evidence
    assert "no account alice on any host" in evidence.text
    assert not {name for name in server.accounts() if name.startswith("alice")}


def test_a_removal_that_stopped_between_two_hosts_is_finished(server: DatabaseServer) -> None:
    make(server)
    server.run("CREATE USER 'alice'@'localhost'", "ALTER USER 'alice'@'%' ACCOUNT LOCK")
    server.run("DROP USER 'alice'@'localhost'")
    change = user_change(server, "alice", None)
    connector = server.system().connectors[USER]
    assert connector.remove(change).result is Result.CHANGED
    assert connector.verify(change)


def test_an_account_on_another_host_is_not_taken_over(server: DatabaseServer) -> None:
    server.run("CREATE USER 'alice'@'localhost' IDENTIFIED BY 'x'")
    with pytest.raises(Conflict, match="localhost"):
        server.system().connectors[USER].apply(
            user_change(server, "alice", EXISTS, password="vault/1")
        )
    assert "alice@%" not in server.accounts()


def test_the_server_s_own_account_is_nobodys(server: DatabaseServer) -> None:
    change = Change(kind=USER, subject="", target={"user": "mariadb.sys"}, after=None)
    with pytest.raises(Conflict):
        server.system().connectors[USER].remove(change)


def test_others_databases_are_not_even_listed(server: DatabaseServer) -> None:
    make(server)
    set_up(server, "ws_a")
    with contextlib.closing(server.sign_in("alice", CANARY)) as session:
        assert ("ws_a",) not in server.ask(session, "SHOW DATABASES")


def test_a_grant_in_the_old_spelling_is_replaced(server: DatabaseServer) -> None:
    make(server)
    server.run("CREATE DATABASE ws_a_b", "CREATE DATABASE wsXaXb")
    server.run("GRANT ALL PRIVILEGES ON `ws_a_b`.* TO 'alice'@'%'")
    with contextlib.closing(server.sign_in("alice", CANARY)) as session:
        assert code(session, "USE wsXaXb") == 0
    findings = {f.name: f for f in server.system().check()}
    assert findings["grants"].severity is Severity.WARNING
    change = database_change(server, "ws_a_b", {"grantees": ["alice"]})
    assert change.before == {"grantees": ["alice (spelled ws_a_b)"]}
    connector = server.system().connectors[DATABASE]
    assert connector.apply(change).result is Result.CHANGED
    assert connector.verify(change)
    assert server.grants() & {("alice", "%", r"ws\_a\_b"), ("alice", "%", "ws_a_b")} == {
        ("alice", "%", r"ws\_a\_b")
    }
    assert server.let_in("alice", CANARY, "wsXaXb") is Answer.FORBIDDEN


def test_removing_a_database_takes_away_every_spelling(server: DatabaseServer) -> None:
    make(server)
    set_up(server, "ws_a_b", "alice")
    server.run("GRANT ALL PRIVILEGES ON `ws_a_b`.* TO 'alice'@'%'")
    connector = server.system().connectors[DATABASE]
    assert connector.remove(database_change(server, "ws_a_b", None)).result is Result.CHANGED
    assert not {g for g in server.grants() if g[0] == "alice"}


def test_an_anonymous_account_is_found(server: DatabaseServer) -> None:
    server.run("CREATE USER ''@'localhost'")
    try:
        [finding] = [f for f in server.system().check() if f.severity is not Severity.OK]
        assert finding.name == "anonymous accounts"
        server.run(finding.remedy.removeprefix("Run: "))
    finally:
        server.run("DROP USER IF EXISTS ''@'localhost'")
