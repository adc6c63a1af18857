"""Cases of the inventory, for every SQL server; a module that imports everything from here gives
the fixture `server`.
"""

from collections.abc import Iterator

import pytest

from tests.systems.sql_server.database_server import (
    DATABASE,
    USER,
    DatabaseServer,
    database_change,
    make,
    set_up,
    user_change,
)
from tests.systems.whole_inventory import everything
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import SYSTEM, inventory, names


@pytest.fixture(autouse=True)
def cleared(server: DatabaseServer) -> Iterator[None]:
    yield
    server.clear()


def test_what_was_made_is_listed_until_removed(
    server: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "ACCOUNTS", 2)
    monkeypatch.setattr(inventory, "DATABASES", 1)
    machine = names.machine_name("alice", "lab", "0a1b2c3d")
    for user in ("alice", "bob", "eve", "Carol", machine):
        make(server, user)
    set_up(server, "ws_lab_1", "alice", "bob")
    set_up(server, "ws_labx1", "eve")
    set_up(server, "ws_lonely_1")
    server.lock_account("bob")
    server.make_powerful("eve")
    system, pages = server.system(), list[int]()
    found = everything(SYSTEM, system, pages)
    assert max(pages) == 2
    users = {name: one for (kind, name), one in found.items() if kind == USER}
    assert {name for name, one in users.items() if one.kept is None} == {
        *("alice", "bob", "Carol", machine),
    }
    assert server.settings.admin_username in users
    assert "whole server" in str(users["eve"].kept)
    assert [users[one].open for one in ("alice", "bob", machine)] == [True, False, True]
    assert [users[one].username for one in ("alice", "Carol", machine)] == ["alice", "", ""]
    assert [users[one].ours for one in ("alice", machine)] == [False, True]
    assert users["alice"].target == names.user_target("alice")

    databases = {name: one for (kind, name), one in found.items() if kind == DATABASE}
    assert {name: one.holders for name, one in databases.items()} == {
        "ws_lab_1": ("alice", "bob"),
        "ws_labx1": ("eve",),
        "ws_lonely_1": (),
    }
    assert databases["ws_lab_1"].levels == {"alice": "own", "bob": "own"}
    assert databases["ws_lab_1"].target == names.database_target("ws_lab_1")

    connectors = system.connectors
    connectors[USER].remove(user_change(server, "alice", None))
    connectors[DATABASE].remove(database_change(server, "ws_labx1", None))
    left = everything(SYSTEM, system)
    assert (USER, "alice") not in left
    assert (DATABASE, "ws_labx1") not in left
    assert left[DATABASE, "ws_lab_1"].holders == ("bob",)


def test_how_much_everybody_may_is_told(server: DatabaseServer) -> None:
    machine, reading = (names.machine_name("alice", "lab", one) for one in ("0a1b", "0c2d"))
    for user in ("alice", "bob", "carol", "dora", "eve", machine, reading):
        make(server, user)
    set_up(server, "ws_lab_1", "alice")
    system = server.system()
    for user, use in (("bob", "read"), ("carol", "write"), (machine, "define"), (reading, "read")):
        change = system.connectors[names.GRANT_KIND].plan(
            names.grant_target("ws_lab_1", user), {"use": use}
        )
        system.connectors[names.GRANT_KIND].apply(change)
    server.grant_oddly("ws_lab_1", "dora", "eve")

    found = everything(SYSTEM, system)[DATABASE, "ws_lab_1"]

    assert found.levels == {
        "alice": "own", "bob": "read", "carol": "write", "dora": "other", "eve": "other",
        machine: "define", reading: "read",
    }  # fmt: skip


def test_others_databases_are_not_listed(server: DatabaseServer) -> None:
    for name in ("wsXlab", "ws_", "ws_UPPER"):
        server.make_database(name)
    set_up(server, "ws_lab_1")
    found = everything(SYSTEM, server.system())
    assert [name for kind, name in found if kind == DATABASE] == ["ws_lab_1"]


@pytest.mark.parametrize("cursor", ["", "accounts:a", "databases", "databases:ws_a"])
def test_who_is_shown_less_is_told_so(server: DatabaseServer, cursor: str) -> None:
    read = SYSTEM.lister()
    assert read
    for warden in server.make_feeble_wardens():
        with pytest.raises(Denied):
            read(server.system(admin_username=warden, admin_password=Secret("w")), cursor)
