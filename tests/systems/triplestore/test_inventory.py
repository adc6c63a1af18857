"""The inventory of the triplestore, on both products."""

import dataclasses
import json
from typing import Any

import httpx
import pytest
from aiohttp import web

from tests.systems.whole_inventory import NO_LIST, everything
from workspace_manager.contract.connector import Target
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.triplestore import SYSTEM, inventory, names
from workspace_manager.systems.triplestore.connector import Triplestore
from workspace_manager.systems.triplestore.refusals import OPENGDB
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

from .conftest import connected

USER, REPOSITORY, PUBLIC = (f"triplestore.{kind}" for kind in ("user", "repository", "public"))
MACHINE = names.machine_name("alice", "ts-a", "0a1b")


def bring(system: Triplestore, kind: str, target: Target, want: dict[str, Any]) -> None:
    change = system.connectors[kind].plan(target, want)
    secrets = {"password": "vault/1"} if kind == USER else {}
    system.connectors[kind].apply(change.model_copy(update={"secrets": secrets}))


def fill(system: Triplestore) -> None:
    for repository in ("ts-a", "ts-b", "museum"):
        bring(system, REPOSITORY, {"repository": repository}, {"title": repository})
    both = ["ts-a", "museum"]
    bring(system, USER, {"user": "alice"}, {"authorities": names.authorities(write=both)})
    bring(system, USER, {"user": MACHINE}, {"authorities": names.authorities(read=["ts-a"])})
    bring(system, USER, {"user": "Bob"}, {"authorities": names.authorities()})


def test_what_was_made_is_listed_until_removed(
    stand_in: TriplestoreStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "ACCOUNTS", 2)
    monkeypatch.setattr(inventory, "REPOSITORIES", 2)
    system, pages = connected(stand_in), list[int]()
    fill(system)
    if system.client.flavour() == OPENGDB:
        bring(system, PUBLIC, {"repository": "ts-b"}, {"read": True})
    found = everything(SYSTEM, system, pages)
    assert len(pages) >= 4
    users = {name: one for (kind, name), one in found.items() if kind == USER}
    assert {"alice", "Bob", MACHINE, "admin"} <= users.keys()
    assert [users[one].open for one in ("alice", "Bob", MACHINE)] == [True, False, True]
    assert [users[one].ours for one in ("alice", MACHINE)] == [False, True]
    assert [users[one].username for one in ("alice", "Bob", MACHINE)] == ["alice", "Bob", ""]
    assert [one for one in users if users[one].kept] == ["admin"]
    assert found[REPOSITORY, "ts-a"].holders == ("alice", MACHINE)
    assert found[REPOSITORY, "ts-a"].levels == {"alice": "write", MACHINE: "read"}
    assert found[REPOSITORY, "ts-b"].holders == ()
    assert (found[REPOSITORY, "ts-a"].ours, found[REPOSITORY, "museum"].ours) == (True, False)
    assert found[REPOSITORY, "museum"].kept
    opened = {name: one.levels for (kind, name), one in found.items() if kind == PUBLIC}
    assert opened == ({"ts-b": {"": "read"}} if system.client.flavour() == OPENGDB else {})

    for kind, target in ((USER, {"user": "alice"}), (REPOSITORY, {"repository": "ts-b"})):
        system.connectors[kind].remove(system.connectors[kind].plan(target, None))
    left = everything(SYSTEM, system)
    assert not left.keys() & {(USER, "alice"), (REPOSITORY, "ts-b"), (PUBLIC, "ts-b")}
    assert left[REPOSITORY, "ts-a"].holders == (MACHINE,)


def test_what_only_one_side_knows_is_said(opengdb: TriplestoreStandIn) -> None:
    system = connected(opengdb)
    fill(system)
    rows = opengdb.state["repositories"]
    opengdb.state["repositories"] = [row for row in rows if row["id"] != "ts-a"]
    del opengdb.state["stored"]["ts-b"]
    found = everything(SYSTEM, system)
    assert "data of the repository" in found[REPOSITORY, "ts-a"].seen.english
    assert "RDF4J stores no data" in found[REPOSITORY, "ts-b"].seen.english


def test_whoever_is_shut_is_not_open(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    fill(system)
    bring(system, USER, {"user": "alice"}, {"shut": True})
    assert everything(SYSTEM, system)[USER, "alice"].open is False


def test_writing_alone_is_given_to_nobody(opengdb: TriplestoreStandIn) -> None:
    system = connected(opengdb)
    fill(system)
    bring(system, USER, {"user": "Bob"}, {"authorities": ["ROLE_USER", "WRITE_REPO_ts-b"]})
    [row] = [row for row in opengdb.state["repositories"] if row["id"] == "ts-b"]
    row["publicWrite"] = True
    found = everything(SYSTEM, system)
    assert found[REPOSITORY, "ts-b"].levels == {"Bob": "other"}
    assert found[PUBLIC, "ts-b"].levels == {"": "write"}


@pytest.mark.parametrize("cursor", ["", "repositories", "repositories:ts-a"])
@pytest.mark.parametrize(
    ("fault", "error"),
    NO_LIST,
)
def test_an_answer_that_is_no_list_is_never_nothing(
    opengdb: TriplestoreStandIn, fault: dict[str, Any], error: type[ConnectorError], cursor: str
) -> None:
    system = connected(opengdb)
    path = "/rest/repositories" if cursor else "/rest/security/users"
    read = SYSTEM.lister()
    assert read
    httpx.post(f"{opengdb.control_url}/faults", json={"path": path, **fault})
    with pytest.raises(error):
        read(system, cursor)


@pytest.mark.parametrize("cursor", ["", "repositories"])
def test_who_is_no_administrator_is_refused(stand_in: TriplestoreStandIn, cursor: str) -> None:
    fill(connected(stand_in))
    read = SYSTEM.lister()
    assert read
    alice = connected(
        stand_in, admin_username="alice", admin_password=Secret("canary-Zx81-not-to-be-seen")
    )
    with pytest.raises(Denied):
        read(alice, cursor)


class OddRows(FaultProxy):
    """Passes everything on, with two odd entries in each list."""

    name = "odd rows"

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        answer = await super()._pass_on(request)
        member = {"/rest/security/users": "username", "/rest/repositories": "id"}.get(request.path)
        if member and isinstance(answer, web.Response) and isinstance(answer.body, bytes):
            found, odd = (
                json.loads(answer.body),
                {member: "odd-one", "grantedAuthorities": 5, "title": 5},
            )
            rows = [17, *(found.values() if isinstance(found, dict) else found), odd]
            answer.body = json.dumps(rows).encode()
        return answer


def test_an_odd_entry_hides_no_other_one(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    fill(system)
    before = everything(SYSTEM, system)
    door = OddRows(stand_in.url)
    with running(door):
        found = everything(SYSTEM, connected(stand_in, url=door.url))
    odd = {key for key, one in found.items() if one.unread}
    assert odd == {
        (kind, name) for kind in (USER, REPOSITORY, PUBLIC) for name in ("#1", "odd-one")
    }
    read = {key: one for key, one in found.items() if key not in odd}
    assert read.keys() == before.keys()
    # Of whom the odd accounts are, and what they may use, nobody knows.
    assert {one.holders_unread for key, one in read.items() if key[0] == REPOSITORY} == {True}
    assert {
        key: dataclasses.replace(one, holders_unread=False) for key, one in read.items()
    } == before
