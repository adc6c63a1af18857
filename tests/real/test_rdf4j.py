"""A real RDF4J behind the triplestore's stand-in: the tests of the stand-in's own data layer, and
starting and stopping it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from sandbox.tests.stand_ins.triplestore.test_stand_in import (
    NQUADS,
    alice,
    send,
    test_a_restore_replaces_and_a_broken_one_changes_nothing,
    test_data_is_shown_to_whoever_may_read_it,
    test_queries_see_the_union_of_all_graphs,
)
from tests.real.leftovers import check_leftovers_are_cleared
from tests.real_parts import Part
from tests.real_running import an_rdf4j
from tests.systems.triplestore.conftest import ADMIN_PASSWORD, connected
from tests.systems.triplestore.test_client import (
    test_repositories_are_closed_when_they_are_made,
)
from tests.systems.triplestore.test_connector import (
    test_a_new_password_alone_is_a_change,
    test_rights_that_are_too_many_are_taken_only_with_a_password,
    test_the_life_of_an_account,
)
from tests.systems.triplestore.test_connector_repositories import (
    KIND,
    WANT,
    plan_change,
    test_a_creation_waits_while_the_store_is_down,
    test_a_half_made_repository_is_finished,
    test_a_removal_waits_while_the_store_is_down,
    test_a_title_is_made_storable,
    test_an_unsure_creation_is_looked_at_before_it_is_repeated,
    test_two_creations_at_once_make_one,
)
from tests.systems.triplestore.test_connector_repositories import (
    test_look_alikes_are_left_alone as test_look_alikes_of_a_repository_are_left_alone,
)
from workspace_manager.contract.connector import ALREADY, CHANGED
from workspace_manager.contract.errors import Conflict
from workspace_sandbox.real import rdf4j
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn
from workspace_sandbox.stand_ins.triplestore.rdf4j import RemoteStorage

__all__ = [
    "alice",
    "send",
    "test_a_creation_waits_while_the_store_is_down",
    "test_a_half_made_repository_is_finished",
    "test_a_new_password_alone_is_a_change",
    "test_a_removal_waits_while_the_store_is_down",
    "test_a_restore_replaces_and_a_broken_one_changes_nothing",
    "test_a_title_is_made_storable",
    "test_an_unsure_creation_is_looked_at_before_it_is_repeated",
    "test_data_is_shown_to_whoever_may_read_it",
    "test_look_alikes_of_a_repository_are_left_alone",
    "test_queries_see_the_union_of_all_graphs",
    "test_repositories_are_closed_when_they_are_made",
    "test_rights_that_are_too_many_are_taken_only_with_a_password",
    "test_the_life_of_an_account",
    "test_two_creations_at_once_make_one",
]

pytestmark = pytest.mark.real

WRITE = {"Content-Type": "application/n-quads"}


real_rdf4j = pytest.fixture(scope="module", name="real_rdf4j")(an_rdf4j)
"""Its own: these tests look at everything there is."""


@pytest.fixture
def store(real_rdf4j: rdf4j.RDF4J) -> str:
    """The address of RDF4J itself."""
    assert real_rdf4j.url
    return real_rdf4j.url


@pytest.fixture
def opengdb(store: str) -> Iterator[TriplestoreStandIn]:
    """OpenGDB with an empty RDF4J behind it."""
    found = TriplestoreStandIn(admin_password=ADMIN_PASSWORD, rdf4j_url=store)
    with running(found):
        yield found
        httpx.post(f"{found.control_url}/storage", json={"down": False}).raise_for_status()
        httpx.post(f"{found.control_url}/reset").raise_for_status()


@pytest.fixture
def stand_in(opengdb: TriplestoreStandIn) -> TriplestoreStandIn:
    return opengdb


def fill(stand_in: TriplestoreStandIn, name: str = "ts-a") -> None:
    """Put four statements in three graphs into a repository."""
    answer = httpx.post(
        f"{stand_in.url}/repositories/{name}/statements", content=NQUADS, headers=WRITE,
        auth=("admin", ADMIN_PASSWORD),
    )  # fmt: skip
    assert answer.status_code == 204


def size(stand_in: TriplestoreStandIn, name: str = "ts-a") -> str:
    assert isinstance(stand_in.storage, RemoteStorage)
    return httpx.get(f"{stand_in.storage.url}/repositories/{name}/size").text


def test_the_life_of_a_repository(opengdb: TriplestoreStandIn) -> None:
    system = connected(opengdb)
    repositories = system.connectors[KIND]
    change = plan_change(system, WANT)
    assert change.before is None
    assert repositories.apply(change) == CHANGED
    fill(opengdb)
    assert repositories.apply(change) == ALREADY
    assert repositories.apply(plan_change(system, {"title": "Clay"})) == CHANGED
    assert repositories.verify(plan_change(system, {"title": "Clay"}))
    assert size(opengdb) == "4", "a repeated creation and a new title leave the data alone"

    gone = plan_change(system, None)
    assert gone.before == {"title": "Clay"}
    assert repositories.remove(gone) == CHANGED
    assert repositories.remove(gone) == ALREADY
    assert repositories.verify(gone)
    assert size(opengdb) == "Unknown repository: ts-a"


def test_data_nobody_lists_is_found(opengdb: TriplestoreStandIn) -> None:
    """A deletion while RDF4J was down leaves the data behind. Nothing is created over it, and it
    can still be removed.
    """
    system = connected(opengdb)
    repositories = system.connectors[KIND]
    repositories.apply(plan_change(system, WANT))
    fill(opengdb)
    opengdb.state["repositories"].clear()
    with pytest.raises(Conflict):
        repositories.apply(plan_change(system, WANT))
    assert size(opengdb) == "4"
    change = plan_change(system, None)
    assert change.before == {"orphan": True}
    assert repositories.remove(change) == CHANGED
    assert repositories.verify(change)
    assert size(opengdb) == "Unknown repository: ts-a"


def test_a_reset_empties_the_real_store_too(opengdb: TriplestoreStandIn) -> None:
    system = connected(opengdb)
    for name in ("ts-a", "ts-b"):
        system.connectors[KIND].apply(plan_change(system, WANT, name))
    httpx.post(f"{opengdb.control_url}/reset").raise_for_status()
    assert plan_change(system, None, "ts-b").before is None
    assert size(opengdb, "ts-b") == "Unknown repository: ts-b"


def test_it_listens_on_loopback_alone(store: str) -> None:
    port = httpx.URL(store).port
    assert port is not None
    wanted = f":{port:04X}"
    lines = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
    local = [line.split()[1] for line in lines.splitlines() if line.split()[3] == "0A"]
    listening = {address.rpartition(":")[0] for address in local if address.endswith(wanted)}
    assert listening <= {"0100007F", "0000000000000000FFFF00000100007F"}
    assert listening


def test_its_data_comes_back(real_part: Callable[..., Part], store: str, tmp_path: Path) -> None:
    for expected in ("Unknown repository: kept", "0"):
        part = rdf4j.RDF4J(directory=tmp_path / "kept")
        front = TriplestoreStandIn(admin_password=ADMIN_PASSWORD, rdf4j_url=part.start())
        try:
            assert size(front, "kept") == expected
            with running(front):
                answer = httpx.post(f"{front.url}/rest/repositories", json={"id": "kept"})
                assert answer.status_code == (200 if expected != "0" else 500)
        finally:
            part.stop()
    rdf4j.RDF4J(directory=tmp_path).stop()


def test_what_a_killed_run_left_is_cleared(store: str) -> None:
    check_leftovers_are_cleared(rdf4j, "RDF4J()")
    assert httpx.get(f"{store}/protocol").text == "12", "ours is not ended with it"
