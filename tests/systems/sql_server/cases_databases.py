"""Cases of the connector of databases, for every SQL server; a module that imports everything
from here gives the fixture `server`.
"""

import contextlib
from collections.abc import Iterator

import pytest

from tests.systems.sql_server.database_server import (
    CANARY,
    DATABASE,
    USER,
    Answer,
    DatabaseServer,
    database_change,
    make,
    set_up,
    user_change,
)
from workspace_manager.contract.connector import Change, Result
from workspace_manager.contract.errors import Conflict, NotFound


@pytest.fixture(autouse=True)
def cleared(server: DatabaseServer) -> Iterator[None]:
    yield
    server.clear()


def test_a_database_is_open_to_exactly_its_grantees(server: DatabaseServer) -> None:
    for user in ("alice", "bob", "eve"):
        make(server, user)
    connector = server.system().connectors[DATABASE]
    change = database_change(server, "ws_lab_1", {"grantees": ["bob", "alice"]})
    assert change.before is None
    assert connector.verify(change) is None
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    evidence = connector.verify(change)
    assert evidence
    assert "alice, bob" in evidence.text
    again = database_change(server, "ws_lab_1", {"grantees": ["bob", "alice"]})
    assert again.before == again.after == {"grantees": ["alice", "bob"]}
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_lab_1")) as session:
        for statement in ("CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1)", "DROP TABLE t"):
            assert server.tell(session, statement) is Answer.DONE
        assert server.tell(session, server.hand_on("ws_lab_1", "eve")) is Answer.FORBIDDEN
    assert server.let_in("eve", CANARY, "ws_lab_1") is Answer.FORBIDDEN


def test_what_one_makes_all_may_use(server: DatabaseServer) -> None:
    make(server, "alice")
    make(server, "bob")
    set_up(server, "ws_a", "alice", "bob")
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as session:
        server.ask(session, "CREATE TABLE t (a INT)")
        server.ask(session, "INSERT INTO t VALUES (1)")
    server.system().connectors[USER].remove(user_change(server, "alice", None))
    with contextlib.closing(server.sign_in("bob", CANARY, "ws_a")) as session:
        assert server.ask(session, "SELECT a FROM t") == [(1,)]
        for statement in ("INSERT INTO t VALUES (2)", "DROP TABLE t"):
            assert server.tell(session, statement) is Answer.DONE


def test_who_is_no_longer_named_loses_the_database_at_once(server: DatabaseServer) -> None:
    make(server, "alice")
    make(server, "bob")
    set_up(server, "ws_a", "alice", "bob")
    connector = server.system().connectors[DATABASE]
    with (
        contextlib.closing(server.sign_in("bob", CANARY, "ws_a")) as bobs,
        contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as alices,
    ):
        change = database_change(server, "ws_a", {"grantees": ["alice"]})
        assert change.before == {"grantees": ["alice", "bob"]}
        assert connector.apply(change).result is Result.CHANGED
        assert server.tell(bobs, "CREATE TABLE late (a INT)") is Answer.ENDED
        assert server.tell(alices, "CREATE TABLE t (a INT)") is Answer.DONE
    assert connector.verify(change)
    assert server.let_in("bob", CANARY, "ws_a") is Answer.FORBIDDEN


def test_a_grant_opens_no_look_alike(server: DatabaseServer) -> None:
    make(server)
    set_up(server, "ws_a_b", "alice")
    for name in ("wsXaXb", "ws_aXb"):
        server.make_database(name)
    assert server.let_in("alice", CANARY, "ws_a_b") is Answer.DONE
    assert server.let_in("alice", CANARY, "wsXaXb") is Answer.FORBIDDEN
    assert server.let_in("alice", CANARY, "ws_aXb") is Answer.FORBIDDEN


def test_grants_that_are_not_ours_are_set_right(server: DatabaseServer) -> None:
    for user in ("alice", "bob", "eve"):
        make(server, user)
    wanted, shown = server.spoil("ws_a")
    change = database_change(server, "ws_a", {"grantees": [*wanted]})
    assert change.before == {"grantees": [*shown]}
    connector = server.system().connectors[DATABASE]
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    assert connector.verify(change)
    assert server.users_of("ws_a") == set(wanted)
    assert server.let_in("bob", CANARY, "ws_a") is Answer.FORBIDDEN


def test_removing_a_database_leaves_no_grant_for_the_next_one(server: DatabaseServer) -> None:
    make(server)
    set_up(server, "ws_a_b", "alice")
    connector = server.system().connectors[DATABASE]
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a_b")) as session:
        for statement in ("CREATE TABLE t (a INT)", "BEGIN", "INSERT INTO t VALUES (1)"):
            server.ask(session, statement)
        change = database_change(server, "ws_a_b", None)
        assert connector.remove(change).result is Result.CHANGED
        assert connector.remove(change).result is Result.ALREADY
    assert connector.verify(change)
    assert "ws_a_b" not in server.databases()
    assert not {g for g in server.grants() if g[0] == "alice"}
    server.make_database("ws_a_b")
    assert server.let_in("alice", CANARY, "ws_a_b") is Answer.FORBIDDEN


def test_grants_of_a_database_that_is_gone_are_removed_too(server: DatabaseServer) -> None:
    make(server)
    set_up(server, "ws_a", "alice")
    left = server.drop_database_by_hand("ws_a")
    connector = server.system().connectors[DATABASE]
    change = database_change(server, "ws_a", None)
    assert change.before == {"exists": False, "grants left": ["alice", *left]}
    assert connector.verify(change) is None
    assert connector.remove(change).result is Result.CHANGED
    assert connector.verify(change)
    assert not {g for g in server.grants() if g[0] == "alice"}


def test_a_database_made_anew_is_not_open_to_those_of_an_earlier_time(
    server: DatabaseServer,
) -> None:
    make(server, "alice")
    make(server, "eve")
    set_up(server, "ws_a", "eve")
    server.drop_database("ws_a")
    change = database_change(server, "ws_a", {"grantees": ["alice"]})
    assert server.system().connectors[DATABASE].apply(change).result is Result.CHANGED
    assert server.users_of("ws_a") == {"alice"}
    assert server.let_in("eve", CANARY, "ws_a") is Answer.FORBIDDEN


def test_removing_a_database_that_never_was_is_already(server: DatabaseServer) -> None:
    connector = server.system().connectors[DATABASE]
    change = database_change(server, "ws_never", None)
    assert change.before is None
    assert connector.remove(change).result is Result.ALREADY
    assert connector.verify(change)


def test_look_alike_databases_are_left_alone(server: DatabaseServer) -> None:
    make(server)
    for name in ("ws_a1", "ws_b", "ws_"):
        server.make_database(name)
    set_up(server, "ws_a", "alice")
    server.grant_by_hand("ws_a1", "alice")
    server.system().connectors[DATABASE].remove(database_change(server, "ws_a", None))
    assert {"ws_a1", "ws_b", "ws_"} <= server.databases()
    assert server.users_of("ws_a1") == {"alice"}


@pytest.mark.parametrize(
    "name", ["mysql", "wiki", "ws_", "ws_A", "ws_a`b", "ws_%", "ws_a ", "", "ws_" + "x" * 62]
)
def test_databases_that_are_not_ours_are_refused(server: DatabaseServer, name: str) -> None:
    connector = server.system().connectors[DATABASE]
    change = Change(kind=DATABASE, subject="", target={"database": name}, after=None)
    for call in (connector.remove, connector.apply, connector.verify):
        with pytest.raises(Conflict):
            call(change)


def test_granting_to_somebody_without_account_says_so(server: DatabaseServer) -> None:
    connector = server.system().connectors[DATABASE]
    with pytest.raises(NotFound, match="no account nobody") as caught:
        connector.apply(database_change(server, "ws_a", {"grantees": ["nobody"]}))
    assert "before its database" in caught.value.advice
    with pytest.raises(Conflict):
        connector.apply(database_change(server, "ws_a", {"grantees": ["root"]}))
