"""A real PostgreSQL: the same cases that MariaDB passes, what only this one has, and starting and
stopping it.
"""

import contextlib
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.real.leftovers import check_it_ends_with_its_run
from tests.real_running import a_postgresql
from tests.systems.sql_server.cases_accounts import *  # noqa: F403
from tests.systems.sql_server.cases_databases import *  # noqa: F403
from tests.systems.sql_server.cases_grants import *  # noqa: F403
from tests.systems.sql_server.cases_inventory import *  # noqa: F403
from tests.systems.sql_server.cases_passwords import *  # noqa: F403
from tests.systems.sql_server.cases_rights import *  # noqa: F403
from tests.systems.sql_server.cases_variables import *  # noqa: F403
from tests.systems.sql_server.database_server import (
    CANARY,
    DATABASE,
    EXISTS,
    USER,
    Answer,
    database_change,
    make,
    set_up,
    user_change,
)
from tests.systems.sql_server.database_server_postgresql import PostgreSQLServer
from workspace_manager.contract.connector import CallPolicy, Change, Result, Severity
from workspace_manager.contract.errors import Conflict, Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.settings import POSTGRESQL, Settings
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import postgresql

pytestmark = pytest.mark.real


real_postgresql = pytest.fixture(scope="module", name="real_postgresql")(a_postgresql)
"""Its own: these tests look at everything there is."""


@pytest.fixture
def server(real_postgresql: postgresql.PostgreSQL) -> PostgreSQLServer:
    return reach_server(real_postgresql)


def reach_server(server: postgresql.PostgreSQL) -> PostgreSQLServer:
    address = server.address
    assert address
    return PostgreSQLServer(
        Settings(
            flavour=POSTGRESQL,
            host=address.host,
            port=address.port,
            admin_username=address.admin_username,
            admin_password=address.admin_password,
        )
    )


def test_a_server_that_takes_no_changes_is_found(server: PostgreSQLServer) -> None:
    assert "writing" not in {one.name for one in server.system().check()}
    owner = server.settings.admin_username
    server.run(f'ALTER ROLE "{owner}" SET default_transaction_read_only = on')
    try:
        [found] = [one for one in server.system().check() if one.name == "writing"]
        assert found.severity is Severity.FAILING
    finally:
        server.run("SET default_transaction_read_only = off", f'ALTER ROLE "{owner}" RESET ALL')


def test_what_a_person_owned_stays_with_the_members(server: PostgreSQLServer) -> None:
    """Also what was made past the role that all members act as."""
    own = (
        "SET ROLE NONE",
        "CREATE TABLE mine (a INT)",
        "CREATE VIEW seen AS SELECT 1 AS a",
        "CREATE FUNCTION one() RETURNS INT LANGUAGE sql SECURITY DEFINER RETURN 1",
        "CREATE SCHEMA hers",
        "CREATE TABLE hers.t (a INT)",
        "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC",
    )
    ways: list[dict[str, Any]] = [{}, {"admin_username": "warden", "admin_password": Secret("w")}]
    for administrator in ways:
        server.make_warden()
        system = server.system(**administrator)
        users, databases = system.connectors[USER], system.connectors[DATABASE]
        for name in ("alice", "bob"):
            wish = users.plan(names.user_target(name), EXISTS)
            users.apply(wish.model_copy(update={"secrets": {"password": "vault/1"}}))
        databases.apply(
            databases.plan(names.database_target("ws_a"), {"grantees": ["alice", "bob"]})
        )
        with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as session:
            for statement in own:
                server.ask(session, statement)
        gone = users.plan(names.user_target("alice"), None)
        outcome = users.remove(gone)
        assert (outcome.result, outcome.by_hand) == (Result.CHANGED, ())
        assert users.verify(gone)
        with contextlib.closing(server.sign_in("bob", CANARY, "ws_a")) as session:
            for table in ("mine", "seen", "hers.t"):
                assert server.tell(session, f"SELECT * FROM {table}") is Answer.DONE
            assert server.tell(session, "DROP SCHEMA hers CASCADE") is Answer.DONE
        server.clear()


def test_what_a_person_owned_elsewhere_is_named_and_gains_no_rights(
    server: PostgreSQLServer,
) -> None:
    make(server)
    server.run("CREATE DATABASE wiki", "CREATE DATABASE hers OWNER alice")
    server.run_in("wiki", "GRANT CREATE ON SCHEMA public TO alice", "CREATE TABLE others (a INT)")
    server.run_in("wiki", "GRANT SELECT ON others TO alice")
    with contextlib.closing(server.sign_in("alice", CANARY, "wiki")) as session:
        server.ask(session, "CREATE TABLE t AS SELECT 1 AS a")
    connector = server.system().connectors[USER]
    outcome = connector.remove(user_change(server, "alice", None))
    assert outcome.result is Result.CHANGED
    inside, whole = outcome.by_hand
    assert "something in the database wiki" in inside.english
    assert "the database hers belongs to alice" in whole.english
    assert connector.verify(user_change(server, "alice", None))
    assert server.run_in("wiki", "SELECT tableowner FROM pg_tables WHERE tablename = 't'") == [
        (names.LEFT,)
    ]
    assert server.run_in("wiki", "SELECT a FROM t") == [(1,)]
    assert server.run(f"SELECT rolcanlogin FROM pg_roles WHERE rolname = '{names.LEFT}'") == [
        (False,)
    ]
    server.run("DROP DATABASE hers")


HALVES = [
    ["CREATE ROLE ws_a NOLOGIN"],
    ["CREATE ROLE ws_a NOLOGIN", "CREATE DATABASE ws_a ALLOW_CONNECTIONS false"],
    [
        "CREATE ROLE ws_a NOLOGIN",
        "CREATE DATABASE ws_a ALLOW_CONNECTIONS false",
        "REVOKE ALL ON DATABASE ws_a FROM PUBLIC",
        "ALTER DATABASE ws_a ALLOW_CONNECTIONS true",
    ],
    ["CREATE DATABASE ws_a"],
    [
        "CREATE ROLE ws_a NOLOGIN",
        "CREATE DATABASE ws_a",
        "GRANT ALL ON DATABASE ws_a TO ws_a WITH GRANT OPTION",
    ],
]


@pytest.mark.parametrize("statements", HALVES)
def test_a_database_left_half_made_is_finished(
    server: PostgreSQLServer, statements: list[str]
) -> None:
    make(server)
    server.run(*statements)
    connector = server.system().connectors[DATABASE]
    change = database_change(server, "ws_a", {"grantees": ["alice"]})
    assert connector.verify(change) is None
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    assert connector.verify(change)
    assert {f.severity for f in server.system().check()} == {Severity.OK}
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as session:
        assert server.tell(session, "CREATE TABLE t (a INT)") is Answer.DONE


@pytest.mark.parametrize("statements", HALVES)
def test_a_database_left_half_made_is_removed(
    server: PostgreSQLServer, statements: list[str]
) -> None:
    server.run(*statements)
    connector = server.system().connectors[DATABASE]
    change = database_change(server, "ws_a", None)
    assert change.before is not None
    assert connector.remove(change).result is Result.CHANGED
    assert connector.remove(change).result is Result.ALREADY
    assert connector.verify(change)
    assert "ws_a" not in server.databases() | server.names()


def test_a_database_that_everybody_may_use_is_found(server: PostgreSQLServer) -> None:
    set_up(server, "ws_a")
    server.run("GRANT CONNECT ON DATABASE ws_a TO PUBLIC")
    [finding] = [f for f in server.system().check() if f.severity is not Severity.OK]
    assert (finding.name, finding.severity) == ("grants", Severity.WARNING)
    assert "ws_a" in finding.text
    make(server, "eve")
    with contextlib.closing(server.sign_in("eve", CANARY, "ws_a")) as session:
        change = database_change(server, "ws_a", {"grantees": []})
        assert change.before == {"grantees": ["everybody"]}
        server.system().connectors[DATABASE].apply(change)
        assert server.tell(session, "SELECT 1") is Answer.ENDED
    assert server.let_in("eve", CANARY, "ws_a") is Answer.FORBIDDEN


def test_a_person_who_has_the_name_of_a_database_keeps_it(server: PostgreSQLServer) -> None:
    server.make_account("ws_a", "x")
    with pytest.raises(Conflict, match="exists already"):
        server.system().connectors[DATABASE].apply(
            database_change(server, "ws_a", {"grantees": []})
        )
    assert server.let_in("ws_a", "x") is Answer.DONE


@pytest.mark.parametrize(
    ("name", "error"),
    [
        *(("x" * 64, Invalid), ("ü" * 32, Invalid)),
        *(("pg_monitor", Conflict), ("ws_a", Conflict), ("public", Conflict)),
    ],
)
def test_names_that_the_server_would_cut_or_keeps_for_itself(
    server: PostgreSQLServer, name: str, error: type[Exception]
) -> None:
    server.make_account("x" * 63, "x")
    connector = server.system().connectors[USER]
    change = Change(kind=USER, subject="", target={"user": name}, after=None)
    for call in (connector.remove, connector.apply, connector.verify):
        with pytest.raises(error):
            call(change)
    assert "x" * 63 in server.names()
    long = Change(kind=DATABASE, subject="", target={"database": "ws_" + "x" * 57}, after=None)
    with pytest.raises(Conflict):
        server.system().connectors[DATABASE].remove(long)


def test_an_account_of_63_bytes_is_one_of_its_own(server: PostgreSQLServer) -> None:
    name, other = "ü" * 31 + "a", "ü" * 31 + "b"
    server.make_account(other, "x")
    make(server, name)
    server.system().connectors[USER].remove(user_change(server, name, None))
    assert other in server.names()
    assert name not in server.names()


def test_a_password_is_tried_where_people_may_not_connect_to_postgres(
    server: PostgreSQLServer,
) -> None:
    server.run("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC")
    try:
        change = make(server)
        assert server.system().connectors[USER].verify(change)
        assert server.system().connectors[USER].apply(change).result is Result.ALREADY
    finally:
        server.run("GRANT CONNECT ON DATABASE postgres TO PUBLIC")


def test_what_somebody_s_transaction_blocks_is_tried_again(server: PostgreSQLServer) -> None:
    make(server)
    make(server, "bob")
    set_up(server, "ws_a", "alice", "bob")
    with contextlib.closing(server.sign_in("alice", CANARY, "ws_a")) as session:
        for statement in ("SET ROLE NONE", "CREATE TABLE t (a INT)", "GRANT ALL ON t TO ws_a"):
            server.ask(session, statement)
    quick = server.system(calls=CallPolicy(connect_s=2, answer_s=2)).connectors[USER]
    change = user_change(server, "alice", None)
    with contextlib.closing(server.sign_in("bob", CANARY, "ws_a")) as session:
        server.ask(session, "BEGIN")
        server.ask(session, "SELECT * FROM t")
        with pytest.raises(Unavailable):
            quick.remove(change)
        assert server.let_in("alice", CANARY) is Answer.LOCKED
    assert server.system().connectors[USER].remove(change).result is Result.CHANGED
    assert server.system().connectors[USER].verify(change)


def test_a_server_that_says_nothing_more_is_given_up(server: PostgreSQLServer) -> None:
    quick = CallPolicy(connect_s=2, answer_s=2)
    with server.system(calls=quick).client.session(doing=quote_words("asking")) as session:
        ours = "SELECT pid FROM pg_stat_activity WHERE application_name = 'workspace-manager'"
        [(pid,)] = server.run(ours)
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(Unavailable):
                session.own_account()
        finally:
            os.kill(pid, signal.SIGCONT)


def test_no_password_reaches_the_server_s_log_and_trust_is_found() -> None:
    program = postgresql.PostgreSQL(settings={"log_statement": "all"})
    program.start()
    try:
        server = reach_server(program)
        make(server)
        assert program._home
        log = (program._home / "postgresql.log").read_text()
        assert "CREATE ROLE" in log
        assert CANARY not in log
        assert "canary" not in log
        rules = program._home / "data" / "pg_hba.conf"
        rules.write_text("host all all 127.0.0.1/32 trust\n")
        server.run("SELECT pg_reload_conf()")
        bad = eventually(
            "the rules are read",
            lambda: [f for f in server.system().check() if f.severity is not Severity.OK],
        )
        assert [(f.name, f.severity) for f in bad] == [("passwords", Severity.FAILING)]
        program.stop()
        with pytest.raises(Unavailable):
            server.system().connectors[USER].plan({"user": "alice"}, None)
        [finding] = server.system().check()
        assert (finding.name, finding.severity) == ("reachable", Severity.FAILING)
    finally:
        program.stop()


def test_a_database_that_is_missing_proves_nothing(server: PostgreSQLServer) -> None:
    """The one the administrator signs in to: without it nothing can be seen, which is
    no absence.
    """
    server.run_in("template1", "ALTER DATABASE postgres RENAME TO renamed")
    try:
        with pytest.raises(Invalid):
            server.system().connectors[USER].plan({"user": "alice"}, None)
    finally:
        server.run_in("template1", "ALTER DATABASE renamed RENAME TO postgres")


def test_it_ends_with_the_run_that_started_it(real_postgresql: postgresql.PostgreSQL) -> None:
    check_it_ends_with_its_run(postgresql, "PostgreSQL")
    assert real_postgresql.address


def test_it_does_not_run_as_root(real_postgresql: postgresql.PostgreSQL) -> None:
    assert real_postgresql._process
    owner = Path(f"/proc/{real_postgresql._process.pid}").stat().st_uid
    assert owner != 0
    assert owner == os.geteuid() or os.geteuid() == 0
