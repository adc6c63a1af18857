"""Repositories through the connector: created once, never over data, gone on both sides."""

import threading
from typing import Any

import httpx
import pytest

from workspace_manager.contract.connector import ALREADY, CHANGED, Change
from workspace_manager.contract.errors import Conflict, Invalid, Unavailable
from workspace_manager.systems.triplestore.connector import Triplestore
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn, accounts

from .conftest import connected

KIND = "triplestore.repository"
WANT = {"title": "Pottery"}
DATA = '<http://a> <http://p> "precious" .\n'


def plan_change(system: Triplestore, want: dict[str, Any] | None, name: str = "ts-a") -> Change:
    return system.connectors[KIND].plan({"repository": name}, want)


def make_content(nquads: str = DATA) -> dict[str, Any]:
    return {"title": "", "config": "", "nquads": nquads, "namespaces": {}}


def row(name: str = "ts-a", title: str = "Pottery") -> dict[str, Any]:
    flags = {"publicRead": False, "publicWrite": False}
    return {"id": name, "codename": name, "title": title, **flags}


def posts(stand_in: TriplestoreStandIn) -> int:
    calls = httpx.get(f"{stand_in.control_url}/calls").json()["items"]
    return sum(one["method"] == "POST" and one["path"] == "/rest/repositories" for one in calls)


def test_the_life_of_a_repository(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    repositories = system.connectors[KIND]
    change = plan_change(system, WANT)
    assert change.before is None
    assert repositories.verify(change) is None
    assert repositories.apply(change) == CHANGED
    assert repositories.apply(change) == ALREADY
    assert repositories.verify(change)
    assert plan_change(system, WANT).before == WANT
    assert posts(stand_in) == 1

    assert repositories.apply(plan_change(system, {"title": "Clay"})) == CHANGED
    assert repositories.verify(plan_change(system, {"title": "Clay"}))
    assert repositories.verify(change) is None

    gone = plan_change(system, None)
    assert gone.before == {"title": "Clay"}
    assert repositories.remove(gone) == CHANGED
    assert repositories.remove(gone) == ALREADY
    assert repositories.verify(gone)
    assert stand_in.what_exists()["stored"] == {}


def test_data_survives_a_repeated_creation(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    repositories = system.connectors[KIND]
    repositories.apply(plan_change(system, WANT))
    stand_in.state["stored"]["ts-a"]["nquads"] = DATA
    repositories.apply(plan_change(system, {"title": "Other"}))
    repositories.apply(plan_change(system, {"title": "Other"}))
    assert stand_in.state["stored"]["ts-a"]["nquads"] == DATA


def test_a_title_is_made_storable(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    change = plan_change(system, {"title": 'the "big"\none'})
    assert change.after == {"title": "the 'big' one"}
    assert system.connectors[KIND].apply(change) == CHANGED
    assert plan_change(system, {"title": 'the "big"\none'}).before == change.after


def test_data_nobody_lists_is_not_created_over(opengdb: TriplestoreStandIn) -> None:
    opengdb.state["stored"]["ts-a"] = make_content()
    system = connected(opengdb)
    with pytest.raises(Conflict) as caught:
        system.connectors[KIND].apply(plan_change(system, WANT))
    assert "RDF4J" in caught.value.advice
    assert opengdb.state["stored"]["ts-a"]["nquads"] == DATA
    assert posts(opengdb) == 0


def test_a_half_made_repository_is_finished(opengdb: TriplestoreStandIn) -> None:
    opengdb.state["repositories"].append(row())
    system = connected(opengdb)
    change = plan_change(system, WANT)
    assert change.before == {"half_made": True}
    assert system.connectors[KIND].verify(change) is None
    assert system.connectors[KIND].apply(change) == CHANGED
    assert system.connectors[KIND].verify(change)


def test_an_orphan_of_ours_is_removed(opengdb: TriplestoreStandIn) -> None:
    """A deletion while RDF4J was down left the data behind: creating the id again is the one call
    that reaches it.
    """
    opengdb.state["stored"]["ts-a"] = make_content()
    system = connected(opengdb)
    change = plan_change(system, None)
    assert change.before == {"orphan": True}
    assert system.connectors[KIND].verify(change) is None
    assert system.connectors[KIND].remove(change) == CHANGED
    assert system.connectors[KIND].verify(change)
    assert opengdb.what_exists() | {"users": {}} == {"users": {}, "repositories": [], "stored": {}}


def test_a_removal_waits_while_the_store_is_down(opengdb: TriplestoreStandIn) -> None:
    """OpenGDB would answer 200 and leave the data."""
    system = connected(opengdb)
    system.connectors[KIND].apply(plan_change(system, WANT))
    change = plan_change(system, None)
    httpx.post(f"{opengdb.control_url}/storage", json={"down": True})
    assert plan_change(system, None).before == WANT
    with pytest.raises(Unavailable):
        system.connectors[KIND].remove(change)
    httpx.post(f"{opengdb.control_url}/storage", json={"down": False})
    assert opengdb.state["repositories"]
    assert system.connectors[KIND].remove(change) == CHANGED
    assert system.connectors[KIND].verify(change)


def test_a_deletion_without_effect_creates_nothing(opengdb: TriplestoreStandIn) -> None:
    """Creating a listed id again ends in an id that no call can repair."""
    system = connected(opengdb)
    system.connectors[KIND].apply(plan_change(system, WANT))
    opengdb.faults.add({"method": "DELETE", "fault": "garbage"})
    with pytest.raises(Unavailable):
        system.connectors[KIND].remove(plan_change(system, None))
    assert posts(opengdb) == 1
    assert system.connectors[KIND].remove(plan_change(system, None)) == CHANGED


def test_rights_that_are_left_are_shown(stand_in: TriplestoreStandIn) -> None:
    """A removal that was cut off after the deletion has something to do still."""
    rights = {"rights": ["READ_REPO_ts-a"]}
    stand_in.state["users"]["bob"] = accounts.new_account("x") | rights
    change = plan_change(connected(stand_in), None)
    assert change.before == ({"rights left": True} if stand_in.flavour == "graphdb" else None)


def test_a_creation_waits_while_the_store_is_down(opengdb: TriplestoreStandIn) -> None:
    system = connected(opengdb)
    httpx.post(f"{opengdb.control_url}/storage", json={"down": True})
    with pytest.raises(Unavailable):
        system.connectors[KIND].apply(
            Change(kind=KIND, subject="", target={"repository": "ts-a"}, after=WANT)
        )
    httpx.post(f"{opengdb.control_url}/storage", json={"down": False})
    assert posts(opengdb) == 0


@pytest.mark.parametrize("fault", ["timeout_after_effect", "status"])
def test_an_unsure_creation_is_looked_at_before_it_is_repeated(
    opengdb: TriplestoreStandIn, fault: str
) -> None:
    system = connected(opengdb)
    repositories = system.connectors[KIND]
    change = plan_change(system, WANT)
    where = {"method": "POST", "path": "/rest/repositories$"}
    opengdb.faults.add({**where, "fault": fault, "status": 500, "seconds": 0})
    if fault == "status":
        with pytest.raises(Unavailable):
            repositories.apply(change)
    else:
        assert repositories.apply(change) == CHANGED
    repositories.apply(change)
    assert repositories.verify(change)
    assert len(opengdb.state["repositories"]) == 1


def test_a_doubled_id_is_shown_to_a_person(opengdb: TriplestoreStandIn) -> None:
    opengdb.state["repositories"] += [row(), row()]
    system = connected(opengdb)
    for want in (WANT, None):
        with pytest.raises(Conflict) as caught:
            plan_change(system, want)
        assert "database" in caught.value.advice


def test_two_creations_at_once_make_one(opengdb: TriplestoreStandIn) -> None:
    system = connected(opengdb)
    change = plan_change(system, WANT)
    results = []

    def create() -> None:
        results.append(connected(opengdb).connectors[KIND].apply(change))

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results, key=str) == sorted([CHANGED, ALREADY, ALREADY, ALREADY], key=str)
    assert posts(opengdb) == 1


def test_rights_on_a_deleted_id_go_with_it(stand_in: TriplestoreStandIn) -> None:
    """On GraphDB they stay behind as text, and would open the next repository of that id."""
    system = connected(stand_in)
    system.connectors[KIND].apply(plan_change(system, WANT))
    rights = ["READ_REPO_ts-a", "READ_REPO_ts-other"]
    stand_in.state["users"]["bob"] = accounts.new_account("x") | {"rights": rights}
    change = plan_change(system, None)
    system.connectors[KIND].remove(change)
    assert system.connectors[KIND].verify(change)
    assert stand_in.state["users"]["bob"]["rights"] == ["READ_REPO_ts-other"]
    assert accounts.matches(stand_in.state["users"]["bob"]["password"], "x")


def test_look_alikes_are_left_alone(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    for name in ("ts-a2", "TS-A", "ts-"):
        system.connectors[KIND].apply(plan_change(system, WANT, name))
    assert system.connectors[KIND].remove(plan_change(system, None)) == ALREADY
    assert len(stand_in.state["repositories"]) == 3


def test_a_repository_needs_a_title(stand_in: TriplestoreStandIn) -> None:
    with pytest.raises(Invalid):
        plan_change(connected(stand_in), {"title": None})
