"""Cases of what only MariaDB has: accounts on hosts, patterns in grants, anonymous accounts; on the
stand-in and on the real one.
"""

import contextlib
from collections.abc import Iterator

import pytest

from tests.systems.sql_server.place import (
    CANARY,
    DATABASE,
    EXISTS,
    USER,
    Answer,
    Place,
    code,
    database_change,
    make,
    set_up,
    user_change,
)
from workspace_manager.contract.connector import Change, Result, Severity
from workspace_manager.contract.errors import Conflict


@pytest.fixture(autouse=True)
def cleared(place: Place) -> Iterator[None]:
    yield
    place.clear()


def test_removing_goes_on_every_host(place: Place) -> None:
    make(place)
    place.run("CREATE USER 'alice'@'localhost' IDENTIFIED BY 'x'", "CREATE USER 'alice'@'10.0.0.%'")
    connector = place.system().connectors[USER]
    change = user_change(place, "alice", None)
    assert connector.remove(change).result is Result.CHANGED
    assert connector.remove(change).result is Result.ALREADY
    evidence = connector.verify(change)
    assert evidence
    assert "no account alice on any host" in evidence.text
    assert not {name for name in place.accounts() if name.startswith("alice")}


def test_a_removal_that_stopped_between_two_hosts_is_finished(place: Place) -> None:
    make(place)
    place.run("CREATE USER 'alice'@'localhost'", "ALTER USER 'alice'@'%' ACCOUNT LOCK")
    place.run("DROP USER 'alice'@'localhost'")
    change = user_change(place, "alice", None)
    connector = place.system().connectors[USER]
    assert connector.remove(change).result is Result.CHANGED
    assert connector.verify(change)


def test_an_account_on_another_host_is_not_taken_over(place: Place) -> None:
    place.run("CREATE USER 'alice'@'localhost' IDENTIFIED BY 'x'")
    with pytest.raises(Conflict, match="localhost"):
        place.system().connectors[USER].apply(
            user_change(place, "alice", EXISTS, password="vault/1")
        )
    assert "alice@%" not in place.accounts()


def test_the_server_s_own_account_is_nobodys(place: Place) -> None:
    change = Change(kind=USER, subject="", target={"user": "mariadb.sys"}, after=None)
    with pytest.raises(Conflict):
        place.system().connectors[USER].remove(change)


def test_others_databases_are_not_even_listed(place: Place) -> None:
    make(place)
    set_up(place, "ws_a")
    with contextlib.closing(place.sign_in("alice", CANARY)) as session:
        assert ("ws_a",) not in place.ask(session, "SHOW DATABASES")


def test_a_grant_in_the_old_spelling_is_replaced(place: Place) -> None:
    make(place)
    place.run("CREATE DATABASE ws_a_b", "CREATE DATABASE wsXaXb")
    place.run("GRANT ALL PRIVILEGES ON `ws_a_b`.* TO 'alice'@'%'")
    with contextlib.closing(place.sign_in("alice", CANARY)) as session:
        assert code(session, "USE wsXaXb") == 0
    findings = {f.name: f for f in place.system().check()}
    assert findings["grants"].severity is Severity.WARNING
    change = database_change(place, "ws_a_b", {"grantees": ["alice"]})
    assert change.before == {"grantees": ["alice (spelled ws_a_b)"]}
    connector = place.system().connectors[DATABASE]
    assert connector.apply(change).result is Result.CHANGED
    assert connector.verify(change)
    assert place.grants() & {("alice", "%", r"ws\_a\_b"), ("alice", "%", "ws_a_b")} == {
        ("alice", "%", r"ws\_a\_b")
    }
    assert place.let_in("alice", CANARY, "wsXaXb") is Answer.FORBIDDEN


def test_removing_a_database_takes_away_every_spelling(place: Place) -> None:
    make(place)
    set_up(place, "ws_a_b", "alice")
    place.run("GRANT ALL PRIVILEGES ON `ws_a_b`.* TO 'alice'@'%'")
    connector = place.system().connectors[DATABASE]
    assert connector.remove(database_change(place, "ws_a_b", None)).result is Result.CHANGED
    assert not {g for g in place.grants() if g[0] == "alice"}


def test_an_anonymous_account_is_found(place: Place) -> None:
    place.run("CREATE USER ''@'localhost'")
    try:
        [finding] = [f for f in place.system().check() if f.severity is not Severity.OK]
        assert finding.name == "anonymous accounts"
        place.run(finding.remedy.removeprefix("Run: "))
    finally:
        place.run("DROP USER IF EXISTS ''@'localhost'")
