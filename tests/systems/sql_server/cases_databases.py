"""What the connector of databases must do on every SQL server; a module that imports everything from here gives the fixture `place`."""

import contextlib
from collections.abc import Iterator

import pytest

from tests.systems.sql_server.place import (
    CANARY,
    DATABASE,
    Place,
    ask,
    code,
    database_change,
    make,
    set_up,
)
from workspace_manager.contract.connector import Change, Result, Severity
from workspace_manager.contract.errors import Conflict, NotFound


@pytest.fixture(autouse=True)
def cleared(place: Place) -> Iterator[None]:
    yield
    place.clear()


def test_a_database_is_open_to_exactly_its_grantees(place: Place) -> None:
    for user in ("alice", "bob", "eve"):
        make(place, user)
    connector = place.system().connectors[DATABASE]
    change = database_change(place, "ws_lab_1", {"grantees": ["bob", "alice"]})
    assert change.before is None
    assert connector.verify(change) is None
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    evidence = connector.verify(change)
    assert evidence
    assert "alice, bob" in evidence.text
    again = database_change(place, "ws_lab_1", {"grantees": ["bob", "alice"]})
    assert again.before == again.after == {"grantees": ["alice", "bob"]}
    with contextlib.closing(place.sign_in("alice", CANARY, "ws_lab_1")) as session:
        for statement in ("CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1)", "DROP TABLE t"):
            assert code(session, statement) == 0
        assert code(session, r"GRANT SELECT ON `ws\_lab\_1`.* TO 'eve'@'%'") == 1044
    with contextlib.closing(place.sign_in("eve", CANARY)) as session:
        assert code(session, "USE ws_lab_1") == 1044
        assert ("ws_lab_1",) not in ask(session, "SHOW DATABASES")


def test_who_is_no_longer_named_loses_the_database_at_once(place: Place) -> None:
    make(place, "alice")
    make(place, "bob")
    set_up(place, "ws_a", "alice", "bob")
    connector = place.system().connectors[DATABASE]
    with (
        contextlib.closing(place.sign_in("bob", CANARY, "ws_a")) as bobs,
        contextlib.closing(place.sign_in("alice", CANARY, "ws_a")) as alices,
    ):
        change = database_change(place, "ws_a", {"grantees": ["alice"]})
        assert change.before == {"grantees": ["alice", "bob"]}
        assert connector.apply(change).result is Result.CHANGED
        assert code(bobs, "CREATE TABLE late (a INT)") in {2006, 2013, 1927}
        assert code(alices, "CREATE TABLE t (a INT)") == 0
    assert connector.verify(change)
    with contextlib.closing(place.sign_in("bob", CANARY)) as session:
        assert code(session, "USE ws_a") == 1044


def test_a_grant_opens_no_look_alike(place: Place) -> None:
    make(place)
    set_up(place, "ws_a_b", "alice")
    place.run("CREATE DATABASE wsXaXb", "CREATE DATABASE ws_aXb")
    with contextlib.closing(place.sign_in("alice", CANARY)) as session:
        assert code(session, "USE ws_a_b") == 0
        assert code(session, "USE wsXaXb") == 1044
        assert code(session, "USE ws_aXb") == 1044


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
    with contextlib.closing(place.sign_in("alice", CANARY)) as session:
        assert code(session, "USE wsXaXb") == 1044


def test_grants_that_are_not_ours_are_set_right(place: Place) -> None:
    for user in ("alice", "bob", "eve"):
        make(place, user)
    place.run(
        "CREATE DATABASE ws_a",
        "CREATE USER 'bob'@'localhost' IDENTIFIED BY 'x'",
        r"GRANT SELECT ON `ws\_a`.* TO 'alice'@'%'",
        r"GRANT ALL PRIVILEGES ON `ws\_a`.* TO 'bob'@'localhost'",
        r"GRANT ALL PRIVILEGES ON `ws\_a`.* TO 'eve'@'%' WITH GRANT OPTION",
    )
    change = database_change(place, "ws_a", {"grantees": ["alice", "eve"]})
    assert change.before == {
        "grantees": ["alice (not everything)", "bob@localhost", "eve (may hand it on)"]
    }
    connector = place.system().connectors[DATABASE]
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    assert connector.verify(change)


def test_removing_a_database_leaves_no_grant_for_the_next_one(place: Place) -> None:
    make(place)
    set_up(place, "ws_a_b", "alice")
    place.run("GRANT ALL PRIVILEGES ON `ws_a_b`.* TO 'alice'@'%'")
    connector = place.system().connectors[DATABASE]
    with contextlib.closing(place.sign_in("alice", CANARY, "ws_a_b")) as session:
        ask(session, "CREATE TABLE t (a INT)")
        ask(session, "BEGIN")
        ask(session, "INSERT INTO t VALUES (1)")
        change = database_change(place, "ws_a_b", None)
        assert connector.remove(change).result is Result.CHANGED
        assert connector.remove(change).result is Result.ALREADY
    assert connector.verify(change)
    assert "ws_a_b" not in place.databases()
    assert not {g for g in place.grants() if g[0] == "alice"}
    place.run("CREATE DATABASE ws_a_b")
    with contextlib.closing(place.sign_in("alice", CANARY)) as session:
        assert code(session, "USE ws_a_b") == 1044


def test_grants_of_a_database_that_is_gone_are_removed_too(place: Place) -> None:
    make(place)
    set_up(place, "ws_a", "alice")
    place.run("DROP DATABASE ws_a")
    connector = place.system().connectors[DATABASE]
    change = database_change(place, "ws_a", None)
    assert change.before == {"exists": False, "grants left": ["alice"]}
    assert connector.verify(change) is None
    assert connector.remove(change).result is Result.CHANGED
    assert connector.verify(change)
    assert not {g for g in place.grants() if g[0] == "alice"}


def test_a_database_made_anew_is_not_open_to_those_of_an_earlier_time(place: Place) -> None:
    make(place, "alice")
    make(place, "eve")
    set_up(place, "ws_a", "eve")
    place.run("DROP DATABASE ws_a")
    change = database_change(place, "ws_a", {"grantees": ["alice"]})
    assert place.system().connectors[DATABASE].apply(change).result is Result.CHANGED
    assert {user for user, _, db in place.grants() if db == r"ws\_a"} == {"alice"}


def test_removing_a_database_that_never_was_is_already(place: Place) -> None:
    connector = place.system().connectors[DATABASE]
    change = database_change(place, "ws_never", None)
    assert change.before is None
    assert connector.remove(change).result is Result.ALREADY
    assert connector.verify(change)


def test_look_alike_databases_are_left_alone(place: Place) -> None:
    make(place)
    for name in ("ws_a1", "ws_b", "ws_"):
        place.run(f"CREATE DATABASE `{name}`")
    set_up(place, "ws_a", "alice")
    place.run(r"GRANT ALL PRIVILEGES ON `ws\_a1`.* TO 'alice'@'%'")
    place.system().connectors[DATABASE].remove(database_change(place, "ws_a", None))
    assert {"ws_a1", "ws_b", "ws_"} <= place.databases()
    assert ("alice", "%", r"ws\_a1") in place.grants()


@pytest.mark.parametrize(
    "name", ["mysql", "wiki", "ws_", "ws_A", "ws_a`b", "ws_%", "ws_a ", "", "ws_" + "x" * 62]
)
def test_databases_that_are_not_ours_are_refused(place: Place, name: str) -> None:
    connector = place.system().connectors[DATABASE]
    change = Change(kind=DATABASE, subject="", target={"database": name}, after=None)
    for call in (connector.remove, connector.apply, connector.verify):
        with pytest.raises(Conflict):
            call(change)


def test_granting_to_somebody_without_account_says_so(place: Place) -> None:
    connector = place.system().connectors[DATABASE]
    with pytest.raises(NotFound, match="no account nobody") as caught:
        connector.apply(database_change(place, "ws_a", {"grantees": ["nobody"]}))
    assert "before its database" in caught.value.advice
    with pytest.raises(Conflict):
        connector.apply(database_change(place, "ws_a", {"grantees": ["root"]}))
