"""Databases of a real MariaDB, kept and brought back."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.real.test_mariadb import reach_server
from tests.systems.sql_server.cases_snapshots import *  # noqa: F403
from tests.systems.sql_server.cases_snapshots import (
    FRESH,
    LIVE,
    Wire,
    address,
    is_empty,
    list_leftovers,
)
from tests.systems.sql_server.cases_snapshots import __file__ as place_of_cases
from tests.systems.sql_server.chest import Chest, Meddling, uploaded
from tests.systems.sql_server.database_server import CANARY, DatabaseServer, make, set_up
from workspace_manager.contract.errors import Conflict, Invalid
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.snapshots import SqlServerSnapshots, snapshots
from workspace_sandbox.real import mariadb

pytestmark = pytest.mark.real

AGAIN = "ws_again"
"""What is downloaded is uploaded into this one."""

CONTENT = Path(place_of_cases).with_name("content_mariadb.sql").read_text()
"""One of everything. A statement begins in each line that begins with its verb."""


def statements(text: str) -> Iterator[str]:
    lines: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith(("CREATE", "INSERT INTO", "SELECT")) and lines:
            yield "\n".join(lines)
            lines = []
        lines.append(line)
    yield "\n".join(lines)


@pytest.fixture
def server(real_mariadb: mariadb.MariaDB) -> Iterator[DatabaseServer]:
    server = reach_server(real_mariadb)
    clear(server)
    yield server
    left = {name for name in server.accounts() if name.startswith("workspace-snapshot-")}
    clear(server)
    assert not left


def clear(server: DatabaseServer) -> None:
    for name in server.databases():
        if name.startswith("ws_"):
            server.drop_database(name)
    for account in server.accounts():
        user, _, host = account.rpartition("@")
        if user in {"alice", "bob", "carol"} or user.startswith("workspace-snapshot-"):
            server.run(f"DROP USER '{user}'@'{host}'")
    server.run("DELETE FROM mysql.db WHERE Db LIKE 'ws%'", "FLUSH PRIVILEGES")


@pytest.fixture
def source(server: DatabaseServer) -> SqlServerSnapshots:
    return snapshots(server.system())


@pytest.fixture
def wire() -> Wire:
    return Wire(Connection)


@pytest.fixture
def part() -> str:
    return "database.sql"


def as_alice(server: DatabaseServer, *said: str, database: str = LIVE) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    with contextlib.closing(server.sign_in("alice", CANARY, database)) as session:
        for statement in said:
            rows = server.ask(session, statement)
    return rows


@pytest.fixture
def filled(server: DatabaseServer) -> DatabaseServer:
    make(server, "alice")
    set_up(server, LIVE, "alice")
    set_up(server, FRESH, "alice")
    as_alice(server, *statements(CONTENT))
    return server


def test_everything_comes_back(filled: DatabaseServer, source: SqlServerSnapshots) -> None:
    server, chest = filled, Chest()
    facts = source.capture(address(LIVE), chest)
    assert {one.name: one.rows for one in facts.tables} == {
        "parent": 4,
        "child": 2,
        "kinds": 2,
        "odd `name\nof % it": 4,
        "aria": 1,
    }
    assert not facts.consistent
    [aria, floats] = [note.english for note in facts.notes]
    assert "aria" in aria
    assert "kinds" in floats
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)) == facts == source.facts(address(LIVE))
    set_up(server, AGAIN, "alice")
    source.restore(address(AGAIN), uploaded(source, b"".join(chest.parts.values())))
    assert source.facts(address(AGAIN)) == source.facts(address(FRESH))
    assert objects(server, AGAIN) == objects(server, FRESH)
    assert objects(server, FRESH) == objects(server, LIVE)
    said = ("CALL put('new')", "SELECT word FROM a_words WHERE word LIKE 'new%'")
    assert as_alice(server, *said, database=FRESH) == [("new!?",)]


def objects(server: DatabaseServer, name: str) -> dict[str, list[tuple[Any, ...]]]:
    asked = {
        "VIEWS": "TABLE_NAME, VIEW_DEFINITION, DEFINER, SECURITY_TYPE",
        "ROUTINES": "ROUTINE_NAME, ROUTINE_DEFINITION, DEFINER, SQL_MODE",
        "TRIGGERS": "TRIGGER_NAME, ACTION_STATEMENT, ACTION_ORDER, DEFINER, SQL_MODE",
        "EVENTS": "EVENT_NAME, EVENT_DEFINITION, STATUS, DEFINER, TIME_ZONE",
        "TABLES": "TABLE_NAME, TABLE_TYPE, ENGINE, TABLE_COLLATION, AUTO_INCREMENT",
    }
    found = {
        what: sorted(
            server.run(
                f"SELECT {said} FROM information_schema.{what} WHERE"
                f" {what.removesuffix('S').replace('VIEW', 'TABLE')}_SCHEMA = '{name}'"
            ),
            key=repr,
        )
        for what, said in asked.items()
    }
    found["sequence"] = server.run(f"SELECT * FROM {name}.numbers")
    return {
        what: [tuple(str(x).replace(f"`{name}`.", "") for x in row) for row in rows]
        for what, rows in found.items()
    }


HOSTILE = {
    "shell": r"\! touch {file}",
    "system": "system touch {file}",
    "source": "source {script}",
    "short source": r"\. {script}",
    "tee": "tee {file}",
    "short tee": r"\T {file}",
    "pager": "pager touch {file}\nSELECT 1;",
    "local file": "LOAD DATA LOCAL INFILE '{script}' INTO TABLE loot;",
    "server's file": "LOAD DATA INFILE '{script}' INTO TABLE loot;",
    "outfile": "SELECT 'x' INTO OUTFILE '{file}';",
    "account": "CREATE USER eve IDENTIFIED BY 'e';",
    "grant": "GRANT ALL ON ws_other.* TO alice;",
    "use": "USE ws_other;\nINSERT INTO kept VALUES (2);",
    "connect": r"\r ws_other" + "\nINSERT INTO kept VALUES (2);",
    "other": "INSERT INTO ws_other.kept VALUES (2);",
    "other's view": "CREATE VIEW spy AS SELECT * FROM ws_other.kept;",
    "definer": "CREATE DEFINER=`bob`@`%` PROCEDURE p() SELECT 1;",
    "global": "SET GLOBAL max_connections = 1;",
    "new database": "CREATE DATABASE ws_more;",
    "drop": "DROP DATABASE ws_other;",
    "plugin": "INSTALL SONAME 'ha_connect';",
    "quit": r"\q",
    "cut short": "INSERT INTO loot VALUES ('x",
}


SOME = ("shell", "source", "tee", "local file", "account", "use", "definer", "quit")


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(SOME, id="some"),
        pytest.param(tuple(HOSTILE), id="each", marks=pytest.mark.everything),
    ],
)
def test_a_hostile_upload_does_nothing(
    crowded: DatabaseServer, source: SqlServerSnapshots, tmp_path: Path, chosen: tuple[str, ...]
) -> None:
    server = crowded
    before = (server.names(), server.grants(), server.databases())
    file, script = tmp_path / "made", tmp_path / "script"
    tmp_path.chmod(0o777)
    script.write_text(f"\\! touch {file}\n")
    for name in chosen:
        said = HOSTILE[name]
        dump = "CREATE TABLE loot (a TEXT);\n" + said.format(file=file, script=script) + "\n"
        with pytest.raises(Invalid) as refused:
            source.restore(address(FRESH), uploaded(source, dump.encode()))
        assert "Nothing was loaded" in refused.value.advice, name
        assert not file.exists(), name
        assert (server.names(), server.grants(), server.databases()) == before, name
        assert server.run_in("ws_other", "SELECT * FROM kept") == [(1,)], name
        assert is_empty(server), name
        assert not list_leftovers(server), name


@pytest.fixture
def crowded(server: DatabaseServer) -> DatabaseServer:
    make(server, "alice")
    make(server, "bob")
    set_up(server, FRESH, "alice")
    set_up(server, "ws_other", "bob")
    server.run("CREATE TABLE ws_other.kept (a INT)", "INSERT INTO ws_other.kept VALUES (1)")
    return server


def test_names_that_end_a_line_are_names(
    server: DatabaseServer, source: SqlServerSnapshots, tmp_path: Path
) -> None:
    """A snapshot of one's own database is hostile too, where its owner is."""
    file = tmp_path / "made"
    bad = f"x\n\\! touch {file}\n;"[:60]
    make(server, "alice")
    set_up(server, LIVE, "alice")
    set_up(server, FRESH, "alice")
    evil = f"x\n\\! touch {file}\nsystem touch {file}\n-- definer"
    made = [
        f"CREATE TABLE `{bad}` (`{bad}` TEXT DEFAULT 'x' COMMENT '{evil}') COMMENT '{evil}'",
        f"INSERT INTO `{bad}` VALUES ('{evil.replace(chr(92), chr(92) * 2)}')",
        f"CREATE VIEW `v{bad[1:]}` AS SELECT `{bad}` AS b, '{evil}' AS e FROM `{bad}`",
        f"CREATE PROCEDURE `{bad}`() COMMENT '{evil}' SELECT '{evil}'",
        f"CREATE TRIGGER `{bad}` AFTER INSERT ON `{bad}` FOR EACH ROW SET @a = '{evil}'",
        f"CREATE EVENT `{bad}` ON SCHEDULE EVERY 1 DAY DISABLE COMMENT '{evil}' DO SELECT 1",
    ]
    as_alice(server, *made)
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)) == facts
    assert server.run(f"SELECT COUNT(*) FROM {FRESH}.`v{bad[1:]}`") == [(1,)]
    assert not file.exists()


def test_whoever_defined_something_and_is_gone_is_not_revived(
    filled: DatabaseServer, source: SqlServerSnapshots
) -> None:
    """Of somebody who may no longer use the database the owner gets it; of a member it stays."""
    server, chest = filled, Chest()
    make(server, "bob")
    make(server, "carol")
    for name in (LIVE, FRESH):
        server.run(f"GRANT SELECT ON `{name.replace('_', chr(92) + '_')}`.* TO bob")
    server.run(
        f"CREATE DEFINER=bob VIEW {LIVE}.bobs AS SELECT 1 AS a",
        f"CREATE DEFINER=carol VIEW {LIVE}.carols AS SELECT 1 AS a",
        f"CREATE DEFINER=gone VIEW {LIVE}.gones AS SELECT word FROM {LIVE}.parent",
    )
    source.capture(address(LIVE), chest)
    source.restore(address(FRESH), chest)
    views = "SELECT TABLE_NAME, DEFINER FROM information_schema.VIEWS WHERE TABLE_SCHEMA = '{}'"
    found = dict(server.run(views.format(FRESH)))
    assert (found["bobs"], found["carols"], found["gones"]) == ("bob@%", "alice@%", "alice@%")
    assert len(as_alice(server, "SELECT * FROM gones", database=FRESH)) == 4


@pytest.fixture
def large(server: DatabaseServer) -> DatabaseServer:
    """So large that it is not dumped yet when its first piece comes."""
    make(server, "alice")
    set_up(server, LIVE, "alice")
    set_up(server, FRESH, "alice")
    as_alice(
        server,
        "CREATE TABLE a_first (a LONGBLOB)",
        "INSERT INTO a_first SELECT REPEAT(UUID(), 30000) FROM seq_1_to_12",
        "CREATE TABLE z_last (a INT)",
        "INSERT INTO z_last VALUES (1)",
    )
    return server


def test_a_table_that_is_altered_meanwhile_begins_it_anew(
    large: DatabaseServer, source: SqlServerSnapshots
) -> None:
    done: list[str] = []

    def alter() -> None:
        column = f"b{len(done)}"
        if len(done) < most:
            as_alice(large, f"ALTER TABLE z_last ADD {column} INT")
            done.append(column)

    most, chest = 2, Meddling(meddle=alter)
    facts = source.capture(address(LIVE), chest)
    assert chest.opened == ["database.sql"] * 3 + ["definers.sql"]
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)) == facts
    most = 99
    with pytest.raises(Conflict, match="z_last"):
        source.capture(address(LIVE), Meddling(meddle=alter))
    assert not list_leftovers(large)


def test_it_is_of_one_moment(large: DatabaseServer, source: SqlServerSnapshots) -> None:
    """Who writes meanwhile does not wait, and is in none of it."""
    before = source.facts(address(LIVE))
    chest = Meddling(meddle=lambda: as_alice(large, "INSERT INTO z_last VALUES (2)"))
    assert source.capture(address(LIVE), chest) == before != source.facts(address(LIVE))
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)) == before
