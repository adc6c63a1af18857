"""Cases of the connector of accounts, for every SQL server; a module that imports everything from
here gives the fixture `server`.
"""

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pymysql
import pytest

from tests.systems.sql_server.database_server import (
    CANARY,
    EXISTS,
    OTHER,
    USER,
    Answer,
    DatabaseServer,
    database_change,
    make,
    set_up,
    user_change,
)
from workspace_manager.contract.connector import Change, Facts, Result
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.systems import gives
from workspace_manager.systems.sql_server.names import RENEWED, machine_name

EXOTIC = [
    "o'neil",
    "back\\slash",
    "müller",
    'x"y',
    "a b",
    "100%",
    "a_ice",
    "x;y",
    "`tick`",
    "İx",
    "%s",
]


@pytest.fixture(autouse=True)
def cleared(server: DatabaseServer) -> Iterator[None]:
    yield
    server.clear()


def test_an_account_is_made_once_and_can_be_used(server: DatabaseServer) -> None:
    connector = server.system().connectors[USER]
    change = user_change(server, "alice", EXISTS, password="vault/1")
    assert change.before is None
    assert connector.verify(change) is None
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    evidence = connector.verify(change)
    assert evidence
    assert "alice" in evidence.text
    assert user_change(server, "alice", EXISTS).before == EXISTS
    assert server.let_in("alice", CANARY) is Answer.DONE
    assert server.let_in("alice", OTHER) is Answer.REFUSED


def test_planning_changes_nothing_and_is_stable(server: DatabaseServer) -> None:
    before = server.accounts(), server.databases(), server.grants()
    for want in (EXISTS, None):
        assert user_change(server, "alice", want) == user_change(server, "alice", want)
    wishes: tuple[Facts | None, ...] = ({"grantees": ["alice"]}, None)
    for grantees in wishes:
        assert database_change(server, "ws_a", grantees) == database_change(
            server, "ws_a", grantees
        )
    assert (server.accounts(), server.databases(), server.grants()) == before


def test_another_password_replaces_the_one_there_is(server: DatabaseServer) -> None:
    make(server)
    server.secrets["vault/2"] = Secret(OTHER)
    change = user_change(server, "alice", EXISTS, password="vault/2")
    connector = server.system().connectors[USER]
    assert connector.verify(change) is None
    assert connector.apply(change).result is Result.CHANGED
    assert connector.verify(change)
    assert server.let_in("alice", OTHER) is Answer.DONE
    assert server.let_in("alice", CANARY) is Answer.REFUSED


def renewal(server: DatabaseServer, user: str, **secrets: str) -> Change:
    change = user_change(server, user, {**EXISTS, **RENEWED})
    return change.model_copy(update={"secrets": secrets})


def test_a_renewed_password_leaves_nothing_of_the_old_one(server: DatabaseServer) -> None:
    """Neither a sign-in nor an open session; and nobody else notices: not even an account for a
    program that uses the same database.
    """
    program = machine_name("alice", "ws_a", "0123456789")
    make(server)
    make(server, program)
    set_up(server, "ws_a", "alice", program)
    server.secrets["vault/2"] = Secret(OTHER)
    change = renewal(server, "alice", password="vault/2", old_password="vault/1")
    connector = server.system().connectors[USER]
    assert connector.verify(change) is None
    with (
        contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as session,
        contextlib.closing(server.sign_in(program, CANARY, "ws_a")) as other,
    ):
        assert connector.apply(change).result is Result.CHANGED
        assert server.tell(session, "SELECT 1") is Answer.ENDED
        assert server.tell(other, "SELECT 1") is Answer.DONE
    evidence = connector.verify(change)
    assert evidence
    assert "refuses the previous one" in evidence.text
    assert server.let_in("alice", OTHER, "ws_a") is Answer.DONE
    assert server.let_in("alice", CANARY) is Answer.REFUSED
    assert server.let_in(program, CANARY, "ws_a") is Answer.DONE


def test_a_renewal_that_was_killed_before_it_ended_the_sessions_ends_them(
    server: DatabaseServer,
) -> None:
    make(server)
    set_up(server, "ws_a", "alice")
    server.secrets["vault/2"] = Secret(OTHER)
    connector = server.system().connectors[USER]
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as session:
        connector.apply(user_change(server, "alice", EXISTS, password="vault/2"))
        assert server.tell(session, "SELECT 1") is Answer.DONE
        change = renewal(server, "alice", password="vault/2", old_password="vault/gone")
        assert connector.apply(change).result is Result.CHANGED
        assert server.tell(session, "SELECT 1") is Answer.ENDED
    evidence = connector.verify(change)
    assert evidence
    assert "has only one password" in evidence.text


def test_an_account_of_a_killed_try_gets_the_right_password(server: DatabaseServer) -> None:
    server.make_account("alice", "of another try")
    make(server)
    assert server.let_in("alice", CANARY) is Answer.DONE


def test_an_erased_password_is_not_missed_when_looking(server: DatabaseServer) -> None:
    change = make(server)
    server.secrets.clear()
    assert server.system().connectors[USER].verify(change)


def test_removing_goes_and_is_calm(server: DatabaseServer) -> None:
    make(server)
    connector = server.system().connectors[USER]
    change = user_change(server, "alice", None)
    assert change.before == EXISTS
    assert connector.verify(change) is None
    assert connector.remove(change).result is Result.CHANGED
    assert connector.remove(change).result is Result.ALREADY
    evidence = connector.verify(change)
    assert evidence
    assert "no account alice" in evidence.text
    assert "alice" not in server.names()
    assert server.let_in("alice", CANARY) is Answer.REFUSED


def test_removing_what_never_was_is_already(server: DatabaseServer) -> None:
    connector = server.system().connectors[USER]
    change = user_change(server, "nobody", None)
    assert connector.remove(change).result is Result.ALREADY
    assert connector.verify(change)


def test_removing_ends_open_sessions(server: DatabaseServer) -> None:
    make(server)
    set_up(server, "ws_a", "alice")
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as session:
        server.ask(session, "CREATE TABLE t (a INT)")
        server.ask(session, "INSERT INTO t VALUES (1)")
        server.system().connectors[USER].remove(user_change(server, "alice", None))
        assert server.tell(session, "SELECT * FROM t") is Answer.ENDED


def test_who_signs_in_again_and_again_meanwhile_is_out_all_the_same(server: DatabaseServer) -> None:
    """Locked before the first kill, so that nobody comes back between it and the drop; killed once
    more after the drop.
    """
    make(server)
    sessions: list[Any] = []
    removed = threading.Event()

    def insist() -> None:
        while not removed.is_set():
            with contextlib.suppress(pymysql.MySQLError, psycopg.Error):
                sessions.append(server.sign_in("alice", CANARY))
                time.sleep(0.005)

    insisting = [threading.Thread(target=insist) for _ in range(2)]
    for thread in insisting:
        thread.start()
    try:
        while len(sessions) < 10:
            time.sleep(0.01)
        connector = server.system().connectors[USER]
        change = user_change(server, "alice", None)
        connector.remove(change)
        assert connector.verify(change)
    finally:
        removed.set()
        for thread in insisting:
            thread.join()
    assert {server.tell(session, "SELECT 1") for session in sessions} == {Answer.ENDED}
    for session in sessions:
        session.close()


def test_a_session_left_after_a_drop_by_hand_is_ended(server: DatabaseServer) -> None:
    make(server)
    connector = server.system().connectors[USER]
    with contextlib.closing(server.sign_in("alice", CANARY)) as session:
        server.drop_account("alice")
        change = user_change(server, "alice", None)
        assert server.tell(session, "SELECT 1") is Answer.DONE
        assert connector.verify(change) is None
        assert connector.remove(change).result is Result.CHANGED
        assert connector.verify(change)
        assert server.tell(session, "SELECT 1") is Answer.ENDED


def test_a_removal_that_stopped_half_way_is_finished(server: DatabaseServer) -> None:
    make(server)
    server.lock_account("alice")
    change = user_change(server, "alice", None)
    connector = server.system().connectors[USER]
    assert connector.remove(change).result is Result.CHANGED
    assert connector.verify(change)


def test_look_alikes_are_left_alone(server: DatabaseServer) -> None:
    others = {"alice2", "Alice", "al", "alic", "a_ice", "%", "alic_"}
    for other in others:
        server.make_account(other, "x")
    make(server)
    change = user_change(server, "alice", None)
    server.system().connectors[USER].remove(change)
    assert others <= server.names()
    assert "alice" not in server.names()


@pytest.mark.parametrize("user", EXOTIC)
def test_exotic_names_reach_exactly_their_account(server: DatabaseServer, user: str) -> None:
    make(server, user)
    assert user in server.names()
    set_up(server, "ws_exotic", user)
    assert server.let_in(user, CANARY, "ws_exotic") is Answer.DONE
    assert database_change(server, "ws_exotic", None).before == {"grantees": [user]}
    change = user_change(server, user, None)
    server.system().connectors[USER].remove(change)
    assert server.system().connectors[USER].verify(change)
    assert user not in server.names()


@pytest.mark.parametrize(
    "user", ["eve ", " eve", "a😀b", "", "x" * 129, "tab\t", "nul\0", "\ud800"]
)
def test_names_that_would_reach_somebody_else_are_refused(
    server: DatabaseServer, user: str
) -> None:
    server.make_account("eve", "x")
    connector = server.system().connectors[USER]
    change = Change(kind=USER, subject="", target={"user": user}, after=None)
    for call in (connector.remove, connector.apply, connector.verify):
        with pytest.raises(Invalid):
            call(change)
    assert "eve" in server.names()


@pytest.mark.parametrize("user", ["root", "mysql", "postgres", "ws-left", "admin", "own"])
def test_technical_accounts_are_nobodys(server: DatabaseServer, user: str) -> None:
    name = server.settings.admin_username if user == "own" else user
    change = Change(kind=USER, subject="", target={"user": name}, after=None)
    connector = server.system().connectors[USER]
    before = server.accounts()
    for call in (connector.remove, connector.apply, connector.verify):
        with pytest.raises(Conflict):
            call(change)
    assert server.accounts() == before


def test_an_account_with_privileges_on_the_server_is_nobodys(server: DatabaseServer) -> None:
    server.make_account("backup", "x")
    server.make_powerful("backup")
    connector = server.system().connectors[USER]
    with pytest.raises(Conflict, match="whole server"):
        connector.remove(user_change(server, "backup", None))
    with pytest.raises(Conflict, match="whole server"):
        connector.apply(user_change(server, "backup", EXISTS, password="vault/1"))
    assert server.let_in("backup", "x") is Answer.DONE


def test_without_a_password_no_account_is_made(server: DatabaseServer) -> None:
    connector = server.system().connectors[USER]
    with pytest.raises(NotFound):
        connector.apply(user_change(server, "alice", {"exists": True, "locked": True}))
    server.secrets["vault/empty"] = Secret("")
    with pytest.raises(Invalid, match="empty"):
        connector.apply(user_change(server, "alice", EXISTS, password="vault/empty"))
    assert "alice" not in server.names()


def test_locking_ends_sessions_and_can_be_undone(server: DatabaseServer) -> None:
    make(server)
    connector = server.system().connectors[USER]
    with contextlib.closing(server.sign_in("alice", CANARY)) as session:
        lock = user_change(server, "alice", {"exists": True, "locked": True})
        assert lock.before == {"exists": True, "locked": False}
        assert connector.apply(lock).result is Result.CHANGED
        assert server.tell(session, "SELECT 1") is Answer.ENDED
    assert connector.apply(lock).result is Result.ALREADY
    assert connector.verify(lock)
    assert server.let_in("alice", CANARY) is Answer.LOCKED
    unlock = user_change(server, "alice", {"exists": True, "locked": False})
    assert connector.verify(unlock) is None
    assert connector.apply(unlock).result is Result.CHANGED
    assert connector.apply(unlock).result is Result.ALREADY
    assert connector.verify(unlock)
    assert server.let_in("alice", CANARY) is Answer.DONE


def test_where_there_is_no_account_nobody_signs_in_with_it(server: DatabaseServer) -> None:
    connector = server.system().connectors[USER]
    lock = user_change(server, "alice", {"locked": True})
    assert not gives(lock)
    assert connector.apply(lock).result is Result.ALREADY
    evidence = connector.verify(lock)
    assert evidence
    assert "no account" in evidence.text
    make(server)
    assert connector.verify(lock) is None
    assert connector.apply(lock).result is Result.CHANGED
    assert connector.verify(lock)
    assert server.let_in("alice", CANARY) is Answer.LOCKED


def test_a_password_for_somebody_locked_leaves_the_lock(server: DatabaseServer) -> None:
    make(server)
    connector = server.system().connectors[USER]
    connector.apply(user_change(server, "alice", {"exists": True, "locked": True}))
    server.secrets["vault/2"] = Secret(OTHER)
    change = user_change(server, "alice", EXISTS, password="vault/2")
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    assert connector.verify(change)
    assert server.let_in("alice", OTHER) is Answer.LOCKED
