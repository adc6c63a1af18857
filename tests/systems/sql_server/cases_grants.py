"""Cases of the connector of grants, for every SQL server: others use a database, and only its
owner shapes or drops it.
"""

import contextlib

import pytest

from tests.systems.sql_server.database_server import (
    CANARY,
    OTHER,
    Answer,
    DatabaseServer,
    make,
    set_up,
)
from workspace_manager.contract.connector import Change, Facts, Result
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_sandbox.sample_stack.inside.calls import Failed
from workspace_sandbox.sample_stack.inside.rows import Note, Rows
from workspace_sandbox.sample_stack.inside.values import Sql

GRANT = names.GRANT_KIND
USE: Facts = {"use": "write"}
READ: Facts = {"use": "read"}
OLD: Facts = {"use": True}
"""As plans say it that were stored before there were two uses."""
SHARED = "ws_shared_ab12"


def of_bob(server: DatabaseServer, want: Facts | None = USE, *, database: str = SHARED) -> Change:
    target = names.grant_target(database, "bob")
    return server.system().connectors[GRANT].plan(target, want)


def scene(server: DatabaseServer) -> None:
    """alice owns a database with one table; bob has an account."""
    make(server)
    system = server.system()
    server.secrets["vault/bob"] = Secret(OTHER)
    users, databases = system.connectors[names.USER_KIND], system.connectors[names.DATABASE_KIND]
    bob = users.plan(names.user_target("bob"), {"exists": True})
    users.apply(bob.model_copy(update={"secrets": {"password": "vault/bob"}}))
    databases.apply(databases.plan(names.database_target(SHARED), {"grantees": ["alice"]}))
    with contextlib.closing(server.sign_in("alice", CANARY, SHARED)) as session:
        assert server.tell(session, "CREATE TABLE finds (name VARCHAR(40))") is Answer.DONE


def test_a_member_uses_the_data_and_cannot_change_the_shape(server: DatabaseServer) -> None:
    scene(server)
    connector = server.system().connectors[GRANT]
    change = of_bob(server)
    assert change.before is None
    assert connector.verify(change) is None
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    assert connector.verify(change)
    assert of_bob(server).before == USE
    with contextlib.closing(server.sign_in("bob", OTHER, SHARED)) as session:
        for statement in (
            "INSERT INTO finds VALUES ('axe')",
            "UPDATE finds SET name = 'jar'",
            "SELECT * FROM finds",
            "DELETE FROM finds",
        ):
            assert server.tell(session, statement) is Answer.DONE
        for statement in ("DROP TABLE finds", "CREATE TABLE mine (n INT)"):
            assert server.tell(session, statement) is Answer.FORBIDDEN
    with contextlib.closing(server.sign_in("bob", OTHER)) as session:
        assert server.tell(session, f"DROP DATABASE {SHARED}") is Answer.FORBIDDEN
    with contextlib.closing(server.sign_in("alice", CANARY, SHARED)) as session:
        assert server.tell(session, "CREATE TABLE later (n INT)") is Answer.DONE
    with contextlib.closing(server.sign_in("bob", OTHER, SHARED)) as session:
        assert server.tell(session, "INSERT INTO later VALUES (1)") is Answer.DONE


def test_a_program_makes_its_tables_and_they_stay_the_database_s(server: DatabaseServer) -> None:
    scene(server)
    program = names.machine_name("alice", SHARED, "0123456789")
    make(server, program)
    connector = server.system().connectors[GRANT]
    target = names.grant_target(SHARED, program)
    change = connector.plan(target, {"use": "define"})
    assert connector.apply(change).result is Result.CHANGED
    assert connector.apply(change).result is Result.ALREADY
    assert connector.verify(change)
    assert connector.plan(target, None).before == {"use": "define"}
    with contextlib.closing(server.sign_in(program, CANARY, SHARED)) as session:
        for statement in (
            "CREATE TABLE notes (text VARCHAR(40))",
            "INSERT INTO notes VALUES ('axe')",
            "ALTER TABLE notes ADD COLUMN n INT",
            "INSERT INTO finds VALUES ('jar')",
        ):
            assert server.tell(session, statement) is Answer.DONE
        assert server.tell(session, server.hand_on(SHARED, "bob")) is not Answer.DONE
        connector.apply(connector.plan(target, READ))
        assert server.tell(session, "SELECT 1") is Answer.ENDED
    assert connector.verify(connector.plan(target, READ))
    connector.remove(connector.plan(target, None))
    users = server.system().connectors[names.USER_KIND]
    users.remove(users.plan(names.user_target(program), None))
    with contextlib.closing(server.sign_in("alice", CANARY, SHARED)) as session:
        for statement in ("SELECT * FROM notes", "DROP TABLE notes"):
            assert server.tell(session, statement) is Answer.DONE
    with pytest.raises(Invalid):
        connector.apply(of_bob(server, {"use": "define"}))


def test_a_reader_reads_until_the_role_is_another_and_no_session_goes_on(
    server: DatabaseServer,
) -> None:
    scene(server)
    connector = server.system().connectors[GRANT]

    def become(want: Facts) -> None:
        change = of_bob(server, want)
        assert connector.apply(change).result is Result.CHANGED
        assert connector.apply(change).result is Result.ALREADY
        evidence = connector.verify(change)
        assert evidence
        assert ("write" in evidence.text) is (want != READ)
        assert of_bob(server).before == change.after

    def told(statement: str) -> Answer | int:
        with contextlib.closing(server.sign_in("bob", OTHER, SHARED)) as session:
            return server.tell(session, statement)

    def shape_is_shut() -> None:
        assert told("DROP TABLE finds") is Answer.FORBIDDEN
        assert told("CREATE TABLE mine (n INT)") is Answer.FORBIDDEN

    become(READ)
    assert told("SELECT * FROM finds") is Answer.DONE  # made before anybody read
    with contextlib.closing(server.sign_in("alice", CANARY, SHARED)) as session:
        assert server.tell(session, "CREATE TABLE later (n INT)") is Answer.DONE
    assert told("SELECT * FROM later") is Answer.DONE
    changing = ("INSERT INTO finds VALUES ('axe')", "DELETE FROM later")
    for statement in changing:
        assert told(statement) is Answer.FORBIDDEN
    shape_is_shut()
    become(OLD)
    assert [told(statement) for statement in changing] == [Answer.DONE] * 2
    shape_is_shut()
    with contextlib.closing(server.sign_in("bob", OTHER, SHARED)) as session:
        become(READ)
        assert server.tell(session, changing[0]) in {Answer.FORBIDDEN, Answer.ENDED}
    assert told(changing[0]) is Answer.FORBIDDEN
    assert told("SELECT * FROM finds") is Answer.DONE
    assert connector.remove(of_bob(server, None)).result is Result.CHANGED
    assert server.let_in("bob", OTHER, SHARED) is Answer.FORBIDDEN
    with pytest.raises(Invalid, match="read, write"):
        of_bob(server, {"use": "everything"})


def test_taking_it_away_ends_the_sessions_in_it_and_leaves_the_owner(
    server: DatabaseServer,
) -> None:
    scene(server)
    connector = server.system().connectors[GRANT]
    connector.apply(of_bob(server))
    taken = of_bob(server, None)
    with contextlib.closing(server.sign_in("bob", OTHER, SHARED)) as session:
        assert connector.remove(taken).result is Result.CHANGED
        assert server.tell(session, "SELECT * FROM finds") in {Answer.FORBIDDEN, Answer.ENDED}
    assert connector.remove(taken).result is Result.ALREADY
    assert connector.verify(taken)
    assert server.let_in("bob", OTHER, SHARED) is Answer.FORBIDDEN
    with contextlib.closing(server.sign_in("alice", CANARY, SHARED)) as session:
        assert server.tell(session, "INSERT INTO finds VALUES ('axe')") is Answer.DONE


def test_neither_a_database_nor_an_account_is_made(server: DatabaseServer) -> None:
    scene(server)
    connector = server.system().connectors[GRANT]
    with pytest.raises(NotFound, match="no database"):
        connector.apply(of_bob(server, database="ws_other_ab12"))
    assert of_bob(server, database="ws_other_ab12").before is None
    nobody = connector.plan(names.grant_target(SHARED, "carol"), USE)
    with pytest.raises(NotFound):
        connector.apply(nobody)
    assert "carol" not in server.names()


def test_who_uses_it_is_not_one_of_its_grantees(server: DatabaseServer) -> None:
    scene(server)
    server.system().connectors[GRANT].apply(of_bob(server))
    change = set_up(server, SHARED, "alice")
    assert change.before == {"grantees": ["alice", "bob (not everything)"]}
    assert server.let_in("bob", OTHER, SHARED) is Answer.FORBIDDEN
    assert of_bob(server).before is None


def test_an_owner_and_the_server_s_own_are_left_alone(server: DatabaseServer) -> None:
    scene(server)
    connector = server.system().connectors[GRANT]
    owner = connector.plan(names.grant_target(SHARED, "alice"), USE)
    assert owner.before == {"use": False}
    with pytest.raises(Conflict, match="every right"):
        connector.apply(owner)
    with pytest.raises(Conflict):
        connector.plan(names.grant_target(SHARED, "root"), USE)
    with pytest.raises(Invalid):
        connector.plan(names.grant_target("mysql", "bob"), USE)


def test_the_sample_stack_writes_rows_with_its_account(server: DatabaseServer) -> None:
    """Whichever of the two servers it is; and nothing any more once the account may only read."""
    scene(server)
    program = names.machine_name("alice", SHARED, "0123456789")
    make(server, program)
    connector = server.system().connectors[GRANT]
    target = names.grant_target(SHARED, program)
    connector.apply(connector.plan(target, {"use": "define"}))
    settings = server.settings
    rows = Rows(Sql(settings.flavour, settings.host, settings.port, SHARED, program, CANARY))
    rows.reach()
    for said in ("one", "“two”"):
        rows.write(Note.now("ada", said))
    assert [line.partition("  ")[2] for line in rows.read()] == ["ada: “two”", "ada: one"]
    connector.apply(connector.plan(target, READ))
    assert len(rows.read()) == 2
    with pytest.raises(Failed, match="refused"):
        rows.write(Note.now("ada", "three"))
