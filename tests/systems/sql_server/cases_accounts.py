"""Cases of the connector of accounts, for every SQL server; a module that imports everything from
here gives the fixture `place`.
"""

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pymysql
import pytest

from tests.systems.sql_server.place import (
    CANARY,
    EXISTS,
    OTHER,
    USER,
    Answer,
    Place,
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
def cleared(place: Place) -> Iterator[None]:
    yield
    place.clear()


def test_an_account_is_made_once_and_can_be_used(place: Place) -> None:
    connector = place.system().connectors[USER]
    change = user_change(place, "alice", EXISTS, password="vault/1")
    assert change.before is None
    assert connector.verify(change) is None
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    evidence = connector.verify(change)
    assert evidence
    assert "alice" in evidence.text
    assert user_change(place, "alice", EXISTS).before == EXISTS
    assert place.let_in("alice", CANARY) is Answer.DONE
    assert place.let_in("alice", OTHER) is Answer.REFUSED


def test_planning_changes_nothing_and_is_stable(place: Place) -> None:
    before = place.accounts(), place.databases(), place.grants()
    for want in (EXISTS, None):
        assert user_change(place, "alice", want) == user_change(place, "alice", want)
    wishes: tuple[Facts | None, ...] = ({"grantees": ["alice"]}, None)
    for grantees in wishes:
        assert database_change(place, "ws_a", grantees) == database_change(place, "ws_a", grantees)
    assert (place.accounts(), place.databases(), place.grants()) == before


def test_another_password_replaces_the_one_there_is(place: Place) -> None:
    make(place)
    place.secrets["vault/2"] = Secret(OTHER)
    change = user_change(place, "alice", EXISTS, password="vault/2")
    connector = place.system().connectors[USER]
    assert connector.verify(change) is None
    assert connector.apply(change).result is Result.CHANGED
    assert connector.verify(change)
    assert place.let_in("alice", OTHER) is Answer.DONE
    assert place.let_in("alice", CANARY) is Answer.REFUSED


def renewal(place: Place, user: str, **secrets: str) -> Change:
    change = user_change(place, user, {**EXISTS, **RENEWED})
    return change.model_copy(update={"secrets": secrets})


def test_a_renewed_password_leaves_nothing_of_the_old_one(place: Place) -> None:
    """Neither a sign-in nor an open session; and nobody else notices: not even an account for a
    program that uses the same database.
    """
    program = machine_name("alice", "ws_a", "0123456789")
    make(place)
    make(place, program)
    set_up(place, "ws_a", "alice", program)
    place.secrets["vault/2"] = Secret(OTHER)
    change = renewal(place, "alice", password="vault/2", old_password="vault/1")
    connector = place.system().connectors[USER]
    assert connector.verify(change) is None
    with (
        contextlib.closing(place.sign_in("alice", CANARY, "ws_a")) as session,
        contextlib.closing(place.sign_in(program, CANARY, "ws_a")) as other,
    ):
        assert connector.apply(change).result is Result.CHANGED
        assert place.tell(session, "SELECT 1") is Answer.ENDED
        assert place.tell(other, "SELECT 1") is Answer.DONE
    evidence = connector.verify(change)
    assert evidence
    assert "refuses the previous one" in evidence.text
    assert place.let_in("alice", OTHER, "ws_a") is Answer.DONE
    assert place.let_in("alice", CANARY) is Answer.REFUSED
    assert place.let_in(program, CANARY, "ws_a") is Answer.DONE


def test_a_renewal_that_was_killed_before_it_ended_the_sessions_ends_them(place: Place) -> None:
    make(place)
    set_up(place, "ws_a", "alice")
    place.secrets["vault/2"] = Secret(OTHER)
    connector = place.system().connectors[USER]
    with contextlib.closing(place.sign_in("alice", CANARY, "ws_a")) as session:
        connector.apply(user_change(place, "alice", EXISTS, password="vault/2"))
        assert place.tell(session, "SELECT 1") is Answer.DONE
        change = renewal(place, "alice", password="vault/2", old_password="vault/gone")
        assert connector.apply(change).result is Result.CHANGED
        assert place.tell(session, "SELECT 1") is Answer.ENDED
    evidence = connector.verify(change)
    assert evidence
    assert "has only one password" in evidence.text


def test_an_account_of_a_killed_try_gets_the_right_password(place: Place) -> None:
    place.make_account("alice", "of another try")
    make(place)
    assert place.let_in("alice", CANARY) is Answer.DONE


def test_an_erased_password_is_not_missed_when_looking(place: Place) -> None:
    change = make(place)
    place.secrets.clear()
    assert place.system().connectors[USER].verify(change)


def test_removing_goes_and_is_calm(place: Place) -> None:
    make(place)
    connector = place.system().connectors[USER]
    change = user_change(place, "alice", None)
    assert change.before == EXISTS
    assert connector.verify(change) is None
    assert connector.remove(change).result is Result.CHANGED
    assert connector.remove(change).result is Result.ALREADY
    evidence = connector.verify(change)
    assert evidence
    assert "no account alice" in evidence.text
    assert "alice" not in place.names()
    assert place.let_in("alice", CANARY) is Answer.REFUSED


def test_removing_what_never_was_is_already(place: Place) -> None:
    connector = place.system().connectors[USER]
    change = user_change(place, "nobody", None)
    assert connector.remove(change).result is Result.ALREADY
    assert connector.verify(change)


def test_removing_ends_open_sessions(place: Place) -> None:
    make(place)
    set_up(place, "ws_a", "alice")
    with contextlib.closing(place.sign_in("alice", CANARY, "ws_a")) as session:
        place.ask(session, "CREATE TABLE t (a INT)")
        place.ask(session, "INSERT INTO t VALUES (1)")
        place.system().connectors[USER].remove(user_change(place, "alice", None))
        assert place.tell(session, "SELECT * FROM t") is Answer.ENDED


def test_who_signs_in_again_and_again_meanwhile_is_out_all_the_same(place: Place) -> None:
    """Locked before the first kill, so that nobody comes back between it and the drop; killed once
    more after the drop.
    """
    make(place)
    sessions: list[Any] = []
    removed = threading.Event()

    def insist() -> None:
        while not removed.is_set():
            with contextlib.suppress(pymysql.MySQLError, psycopg.Error):
                sessions.append(place.sign_in("alice", CANARY))
                time.sleep(0.005)

    insisting = [threading.Thread(target=insist) for _ in range(2)]
    for thread in insisting:
        thread.start()
    try:
        while len(sessions) < 10:
            time.sleep(0.01)
        connector = place.system().connectors[USER]
        change = user_change(place, "alice", None)
        connector.remove(change)
        assert connector.verify(change)
    finally:
        removed.set()
        for thread in insisting:
            thread.join()
    assert {place.tell(session, "SELECT 1") for session in sessions} == {Answer.ENDED}
    for session in sessions:
        session.close()


def test_a_session_left_after_a_drop_by_hand_is_ended(place: Place) -> None:
    make(place)
    connector = place.system().connectors[USER]
    with contextlib.closing(place.sign_in("alice", CANARY)) as session:
        place.drop_account("alice")
        change = user_change(place, "alice", None)
        assert place.tell(session, "SELECT 1") is Answer.DONE
        assert connector.verify(change) is None
        assert connector.remove(change).result is Result.CHANGED
        assert connector.verify(change)
        assert place.tell(session, "SELECT 1") is Answer.ENDED


def test_a_removal_that_stopped_half_way_is_finished(place: Place) -> None:
    make(place)
    place.lock_account("alice")
    change = user_change(place, "alice", None)
    connector = place.system().connectors[USER]
    assert connector.remove(change).result is Result.CHANGED
    assert connector.verify(change)


def test_look_alikes_are_left_alone(place: Place) -> None:
    others = {"alice2", "Alice", "al", "alic", "a_ice", "%", "alic_"}
    for other in others:
        place.make_account(other, "x")
    make(place)
    change = user_change(place, "alice", None)
    place.system().connectors[USER].remove(change)
    assert others <= place.names()
    assert "alice" not in place.names()


@pytest.mark.parametrize("user", EXOTIC)
def test_exotic_names_reach_exactly_their_account(place: Place, user: str) -> None:
    make(place, user)
    assert user in place.names()
    set_up(place, "ws_exotic", user)
    assert place.let_in(user, CANARY, "ws_exotic") is Answer.DONE
    assert database_change(place, "ws_exotic", None).before == {"grantees": [user]}
    change = user_change(place, user, None)
    place.system().connectors[USER].remove(change)
    assert place.system().connectors[USER].verify(change)
    assert user not in place.names()


@pytest.mark.parametrize(
    "user", ["eve ", " eve", "a😀b", "", "x" * 129, "tab\t", "nul\0", "\ud800"]
)
def test_names_that_would_reach_somebody_else_are_refused(place: Place, user: str) -> None:
    place.make_account("eve", "x")
    connector = place.system().connectors[USER]
    change = Change(kind=USER, subject="", target={"user": user}, after=None)
    for call in (connector.remove, connector.apply, connector.verify):
        with pytest.raises(Invalid):
            call(change)
    assert "eve" in place.names()


@pytest.mark.parametrize("user", ["root", "mysql", "postgres", "ws-left", "admin", "own"])
def test_technical_accounts_are_nobodys(place: Place, user: str) -> None:
    name = place.settings.admin_username if user == "own" else user
    change = Change(kind=USER, subject="", target={"user": name}, after=None)
    connector = place.system().connectors[USER]
    before = place.accounts()
    for call in (connector.remove, connector.apply, connector.verify):
        with pytest.raises(Conflict):
            call(change)
    assert place.accounts() == before


def test_an_account_with_privileges_on_the_server_is_nobodys(place: Place) -> None:
    place.make_account("backup", "x")
    place.make_powerful("backup")
    connector = place.system().connectors[USER]
    with pytest.raises(Conflict, match="whole server"):
        connector.remove(user_change(place, "backup", None))
    with pytest.raises(Conflict, match="whole server"):
        connector.apply(user_change(place, "backup", EXISTS, password="vault/1"))
    assert place.let_in("backup", "x") is Answer.DONE


def test_without_a_password_no_account_is_made(place: Place) -> None:
    connector = place.system().connectors[USER]
    with pytest.raises(NotFound):
        connector.apply(user_change(place, "alice", {"exists": True, "locked": True}))
    place.secrets["vault/empty"] = Secret("")
    with pytest.raises(Invalid, match="empty"):
        connector.apply(user_change(place, "alice", EXISTS, password="vault/empty"))
    assert "alice" not in place.names()


def test_locking_ends_sessions_and_can_be_undone(place: Place) -> None:
    make(place)
    connector = place.system().connectors[USER]
    with contextlib.closing(place.sign_in("alice", CANARY)) as session:
        lock = user_change(place, "alice", {"exists": True, "locked": True})
        assert lock.before == {"exists": True, "locked": False}
        assert connector.apply(lock).result is Result.CHANGED
        assert place.tell(session, "SELECT 1") is Answer.ENDED
    assert connector.apply(lock).result is Result.ALREADY
    assert connector.verify(lock)
    assert place.let_in("alice", CANARY) is Answer.LOCKED
    unlock = user_change(place, "alice", {"exists": True, "locked": False})
    assert connector.verify(unlock) is None
    assert connector.apply(unlock).result is Result.CHANGED
    assert connector.apply(unlock).result is Result.ALREADY
    assert connector.verify(unlock)
    assert place.let_in("alice", CANARY) is Answer.DONE


def test_where_there_is_no_account_nobody_signs_in_with_it(place: Place) -> None:
    connector = place.system().connectors[USER]
    lock = user_change(place, "alice", {"locked": True})
    assert not gives(lock)
    assert connector.apply(lock).result is Result.ALREADY
    evidence = connector.verify(lock)
    assert evidence
    assert "no account" in evidence.text
    make(place)
    assert connector.verify(lock) is None
    assert connector.apply(lock).result is Result.CHANGED
    assert connector.verify(lock)
    assert place.let_in("alice", CANARY) is Answer.LOCKED


def test_a_password_for_somebody_locked_leaves_the_lock(place: Place) -> None:
    make(place)
    connector = place.system().connectors[USER]
    connector.apply(user_change(place, "alice", {"exists": True, "locked": True}))
    place.secrets["vault/2"] = Secret(OTHER)
    change = user_change(place, "alice", EXISTS, password="vault/2")
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    assert connector.verify(change)
    assert place.let_in("alice", OTHER) is Answer.LOCKED
