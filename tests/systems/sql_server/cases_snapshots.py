"""Snapshots of every SQL server: what goes wrong leaves nothing behind.

Each product gives `filled`, a place with content in LIVE and nothing in FRESH, its `source`, the
`part` with its content, and the `wire` that its statements take.
"""

import base64
import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.systems.sql_server.chest import Broken, Chest
from tests.systems.sql_server.database_server import CANARY, Answer, DatabaseServer, make, set_up
from tests.systems.sql_server.database_server_postgresql import PostgreSQLServer
from workspace_manager.contract.errors import Conflict, Denied, Invalid, NotFound
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.snapshots import SqlServerSnapshots, snapshots

LIVE = "ws_live"
FRESH = "ws_fresh"
ROOT = Path(__file__).parents[3]


@pytest.fixture(
    params=[
        pytest.param(range(12, 1000, 41), id="some"),
        pytest.param(range(1, 1000), id="each", marks=pytest.mark.everything),
    ]
)
def points(request: pytest.FixtureRequest) -> range:
    """At which statements whoever switches is killed."""
    chosen: range = request.param
    return chosen


def address(name: str) -> str:
    return f"sql://127.0.0.1:1/{name}"


def list_leftovers(server: DatabaseServer) -> set[str]:
    """Accounts of snapshots, and descriptors of files with their passwords."""
    accounts = {name for name in server.names() if name.startswith(names.SNAPSHOT)}
    files = {os.readlink(one) for one in Path("/proc/self/fd").iterdir() if one.is_symlink()}
    return accounts | {name for name in files if "memfd:login" in name}


def is_empty(server: DatabaseServer) -> bool:
    where = "table_schema NOT IN ('pg_catalog', 'information_schema')"
    if not isinstance(server, PostgreSQLServer):
        where = f"table_schema = '{FRESH}'"
    asked = f"SELECT COUNT(*) FROM information_schema.tables WHERE {where}"
    return server.run_in(FRESH, asked) == [(0,)]


def test_a_database_with_something_in_it_is_left_alone(
    filled: DatabaseServer, source: SqlServerSnapshots
) -> None:
    chest = Chest()
    before = source.capture(address(LIVE), chest)
    with pytest.raises(Conflict):
        source.restore(address(LIVE), chest)
    assert source.facts(address(LIVE)) == before
    with pytest.raises(Conflict):
        source.facts(address("mysql"))
    databases = filled.databases()
    for failing in (
        lambda: source.facts(address("ws_nowhere")),
        lambda: source.capture(address("ws_nowhere"), chest),
        lambda: source.restore(address("ws_nowhere"), chest),
        lambda: source.switch(address("ws_nowhere"), address("ws_neither")),
    ):
        with pytest.raises(NotFound):
            failing()
    assert filled.databases() == databases


def test_a_store_that_is_full_leaves_nothing(
    filled: DatabaseServer, source: SqlServerSnapshots
) -> None:
    whole = Chest()
    source.capture(address(LIVE), whole)
    for room in (0, whole.taken // 2, whole.taken - 1):
        with pytest.raises(Broken):
            source.capture(address(LIVE), Chest(room=room))
        assert not list_leftovers(filled)


def test_a_stream_that_breaks_off_leaves_an_empty_database(
    filled: DatabaseServer, source: SqlServerSnapshots, part: str
) -> None:
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    size = len(chest.parts[part])
    for breaks_at in (0, size // 2, size - 1):
        with pytest.raises(Broken):
            source.restore(address(FRESH), Chest(chest.parts, breaks_at=breaks_at))
        assert is_empty(filled)
        assert not list_leftovers(filled)
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)).tables == facts.tables


def test_whoever_loads_is_killed_and_the_next_one_finds_it(
    filled: DatabaseServer, source: SqlServerSnapshots, part: str
) -> None:
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    settings = filled.settings
    assert settings.admin_password
    told = {
        "settings": {**vars(settings), "admin_password": settings.admin_password.reveal()},
        "parts": {name: base64.b64encode(data).decode() for name, data in chest.parts.items()},
        "address": address(FRESH),
        "of": part,
    }
    with subprocess.Popen(
        [sys.executable, "-m", __name__.replace("cases_snapshots", "killed")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdin
        assert child.stdout
        child.stdin.write(json.dumps(told).encode())
        child.stdin.close()
        assert child.stdout.readline() == b"half\n"
        child.send_signal(signal.SIGKILL)
    assert list_leftovers(filled) == {names.snapshot_account(FRESH, "loading")}
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)).tables == facts.tables
    assert not list_leftovers(filled)


def test_accounts_that_a_killed_run_left_are_swept(
    filled: DatabaseServer, source: SqlServerSnapshots
) -> None:
    used = names.snapshot_account(LIVE, "reading")
    unused = names.snapshot_account("ws_gone", "loading")
    with source._accounts.session(quote_words("leaving accounts")) as session:
        for user in (used, unused):
            session.create_account(user, Secret(CANARY))
    assert list_leftovers(filled) == {used, unused}
    assert source.sweep(lambda: [address(LIVE)]) == 1
    assert list_leftovers(filled) == {used}
    assert source.sweep(list) == 1
    assert not list_leftovers(filled)
    assert source.sweep(list) == 0


def test_what_lies_beside_is_made_and_discarded(
    filled: DatabaseServer, source: SqlServerSnapshots
) -> None:
    databases = filled.databases()
    assert not source.has_beside(address(LIVE))
    for _ in range(2):
        source.make_beside(address(LIVE))
        assert source.has_beside(address(LIVE))
        beside = names.database_of(source.address_beside(address(LIVE)))
        assert filled.databases() - databases == {beside}
        assert not filled.users_of(beside)
    source.discard_beside(address(LIVE))
    assert filled.databases() == databases
    assert not source.has_beside(address(LIVE))
    with pytest.raises(NotFound):
        source.make_beside(address("ws_nowhere"))


def test_a_tool_that_is_missing_is_named(
    filled: DatabaseServer, source: SqlServerSnapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    chest = Chest()
    source.capture(address(LIVE), chest)
    monkeypatch.setenv("PATH", "/nonexistent")
    for failing in (
        lambda: source.capture(address(LIVE), Chest()),
        lambda: source.restore(address(FRESH), chest),
    ):
        with pytest.raises(Invalid, match="is not installed") as missing:
            failing()
        assert "Debian" in missing.value.advice
        assert not list_leftovers(filled)
    assert is_empty(filled)


def test_a_wrong_password_is_ours(filled: DatabaseServer) -> None:
    source = snapshots(filled.system(admin_password=Secret("wrong")))
    for failing in (
        lambda: source.capture(address(LIVE), Chest()),
        lambda: source.restore(address(FRESH), Chest()),
    ):
        with pytest.raises(Denied):
            failing()


def test_no_password_can_be_read_by_others(
    filled: DatabaseServer, source: SqlServerSnapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in what a tool is called with, nor in its environment, nor in any file."""
    called: list[str] = []
    real = subprocess.Popen

    def noted(command: list[str], **options: object) -> object:
        called.extend([*map(str, command), json.dumps(options["env"])])
        return real(command, **options)  # type: ignore[call-overload]

    passwords = [Secret("Zyx-987-password-of-a-snapshot")]
    monkeypatch.setattr(subprocess, "Popen", noted)
    chest = Chest()
    source = snapshots(replace(filled.system(), passwords=lambda: passwords[0]))
    source.capture(address(LIVE), chest)
    source.restore(address(FRESH), chest)
    assert called
    assert passwords[0].reveal() not in " ".join(called)


class Killed(BaseException):
    """Nothing catches it."""


@dataclass
class Wire:
    """Where all statements pass: of `doomed`, the one with this number, and none after it."""

    connection: type[Any]
    calls: int = 0

    def doom(self, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
        real, self.calls = self.connection._execute, 0

        def counted(*given: Any) -> Any:
            self.calls += 1
            if self.calls >= number:
                raise Killed
            return real(*given)

        monkeypatch.setattr(self.connection, "_execute", counted)


def count_of(server: DatabaseServer, user: str) -> int | None:
    """What somebody reads; None where nobody is let in."""
    try:
        with contextlib.closing(server.sign_in(user, CANARY, LIVE)) as session:
            [(count,)] = server.ask(session, "SELECT COUNT(*) FROM parent")
    except Exception:  # noqa: BLE001 - each driver has its own
        return None
    return int(count)


def shared(server: DatabaseServer) -> None:
    """LIVE is Alice's; Bob reads it, and Carol writes."""
    for user, use in (("bob", "read"), ("carol", "write")):
        make(server, user)
        change = (
            server.system()
            .connectors[names.GRANT_KIND]
            .plan(names.grant_target(LIVE, user), {"use": use})
        )
        server.system().connectors[names.GRANT_KIND].apply(change)


def use_of(server: DatabaseServer, user: str) -> object:
    grants = server.system().connectors[names.GRANT_KIND]
    return grants.plan(names.grant_target(LIVE, user), {"use": "read"}).before


def put_beside(server: DatabaseServer, source: SqlServerSnapshots, chest: Chest) -> None:
    """What was kept, in a database that nobody may use; and something else in its old place."""
    set_up(server, FRESH)
    source.restore(address(FRESH), chest)
    with contextlib.closing(server.sign_in("alice", CANARY, LIVE)) as session:
        server.ask(session, "DELETE FROM parent WHERE word IS NULL")
        server.ask(session, "CREATE TABLE later (a INT)")
        server.ask(session, "CREATE VIEW seen_later AS SELECT a FROM later")


def test_what_was_kept_takes_the_place_of_what_is_there(
    filled: DatabaseServer, source: SqlServerSnapshots
) -> None:
    shared(filled)
    filled.drop_database(FRESH)
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    before = (filled.databases(), [use_of(filled, user) for user in ("alice", "bob", "carol")])
    put_beside(filled, source, chest)
    assert source.facts(address(LIVE)) != facts
    with contextlib.closing(filled.sign_in("alice", CANARY, LIVE)) as session:
        source.switch(address(LIVE), address(FRESH))
        assert filled.tell(session, "SELECT 1") is Answer.ENDED
    for _ in range(2):
        assert source.facts(address(LIVE)).tables == facts.tables
        after = [use_of(filled, user) for user in ("alice", "bob", "carol")]
        assert (filled.databases(), after) == before
        assert [count_of(filled, user) for user in ("alice", "bob", "carol")] == [4, 4, 4]
        source.switch(address(LIVE), address(FRESH))
    if not isinstance(filled, PostgreSQLServer):
        asked = "SELECT DISTINCT DEFINER FROM information_schema.{} WHERE {}_SCHEMA = '{}'"
        for what in ("VIEWS", "ROUTINES", "TRIGGERS", "EVENTS"):
            of = what.removesuffix("S").replace("VIEW", "TABLE")
            assert filled.run(asked.format(what, of, LIVE)) == [("alice@%",)]
    for user, may in (("alice", True), ("bob", False), ("carol", True)):
        with contextlib.closing(filled.sign_in(user, CANARY, LIVE)) as session:
            said = f"INSERT INTO parent (word) VALUES ('{user}')"
            assert (filled.tell(session, said) is Answer.DONE) is may, user
            assert filled.tell(session, "SELECT a FROM seen_later") is not Answer.DONE
    with contextlib.closing(filled.sign_in("alice", CANARY, LIVE)) as session:
        assert filled.tell(session, "CREATE TABLE more_of_mine (a INT)") is Answer.DONE


def test_whoever_switches_is_killed_and_it_ends_whole(
    filled: DatabaseServer,
    source: SqlServerSnapshots,
    wire: Wire,
    monkeypatch: pytest.MonkeyPatch,
    points: range,
) -> None:
    shared(filled)
    filled.drop_database(FRESH)
    chest, databases = Chest(), filled.databases()
    facts = source.capture(address(LIVE), chest)
    for point in points:
        put_beside(filled, source, chest)
        with monkeypatch.context() as patch:
            wire.doom(patch, point)
            with contextlib.suppress(Killed):
                source.switch(address(LIVE), address(FRESH))
        done = wire.calls < point
        assert {count_of(filled, user) for user in ("alice", "bob")} <= {None, 3, 4}
        source.switch(address(LIVE), address(FRESH))
        assert source.facts(address(LIVE)).tables == facts.tables, point
        assert {count_of(filled, user) for user in ("alice", "bob", "carol")} == {4}, point
        assert filled.databases() == databases
        if done:
            return
    pytest.fail("it never came to its end")


def test_a_switch_that_broke_off_is_finished_before_the_next_one(
    filled: DatabaseServer, source: SqlServerSnapshots, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each of a few statements: whoever comes next finds one whole content."""
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    for point in (8, 20, 32):
        source.make_beside(address(LIVE))
        beside = source.address_beside(address(LIVE))
        source.restore(beside, chest)
        with monkeypatch.context() as patch:
            wire.doom(patch, point)
            with contextlib.suppress(Killed):
                source.switch(address(LIVE), beside)
        source.make_beside(address(LIVE))
        source.discard_beside(address(LIVE))
        assert source.facts(address(LIVE)).tables == facts.tables, point
