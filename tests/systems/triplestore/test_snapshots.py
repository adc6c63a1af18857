"""Snapshots of repositories on the stand-ins of both products, and faults of the wire."""

from collections.abc import Iterator

import httpx
import pytest

from tests.conformance.triplestore import GraphDbPlace, OpenGdbPlace
from tests.systems.sql_server.chest import Chest
from tests.systems.triplestore.cases_snapshots import *  # noqa: F403
from tests.systems.triplestore.cases_switch import *  # noqa: F403
from tests.systems.triplestore.repositories import (
    FRESH,
    LIVE,
    Address,
    Repositories,
    address,
    repositories,
    source,
)
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.triplestore.client.content import ContentCalls, CutOff
from workspace_manager.systems.triplestore.snapshots import TriplestoreSnapshots, snapshots
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

__all__ = ["address", "repositories", "source"]

PASSWORD = "canary-of-snapshots"


@pytest.fixture(scope="module", params=[OpenGdbPlace, GraphDbPlace])
def triplestore(request: pytest.FixtureRequest) -> Iterator[OpenGdbPlace]:
    kind: type[OpenGdbPlace] = request.param
    stand_in = TriplestoreStandIn(admin_password=PASSWORD, flavour=kind.flavour)
    with running(stand_in):
        yield kind(stand_in, password=PASSWORD)


@pytest.fixture
def points() -> range:
    return range(1, 60)


@pytest.fixture
def stand_in(triplestore: OpenGdbPlace) -> Iterator[TriplestoreStandIn]:
    found = triplestore.front
    assert isinstance(found, TriplestoreStandIn)
    yield found
    found.faults.waiting.clear()
    storage(found)


def storage(stand_in: TriplestoreStandIn, **wanted: int) -> None:
    httpx.post(f"{stand_in.control_url}/storage", json=wanted).raise_for_status()


FAULTS: dict[str, tuple[dict[str, object], type[ConnectorError]]] = {
    "forbidden": ({"fault": "status", "status": 403}, Denied),
    "overloaded": ({"fault": "status", "status": 503}, Unavailable),
    "reset": ({"fault": "reset"}, Unavailable),
    "page": ({"fault": "html"}, Invalid),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("path", ["/statements", "/size", "/namespaces"])
def test_what_the_wire_does_is_one_of_five(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    stand_in: TriplestoreStandIn,
    fault: str,
    path: str,
) -> None:
    document, wanted = FAULTS[fault]
    stand_in.faults.add({**document, "path": path, "times": 100})
    with pytest.raises(wanted):
        source.capture(address(LIVE), Chest())


@pytest.mark.parametrize("fault", ["forbidden", "overloaded", "reset"])
def test_a_store_that_takes_no_more_is_emptied(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    stand_in: TriplestoreStandIn,
    fault: str,
) -> None:
    """Its disk is full, or it does not let us write: the second block is refused."""
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    document, wanted = FAULTS[fault]
    stand_in.faults.add({**document, "method": "POST", "path": f"{FRESH}/statements", "times": 1})
    with pytest.raises(wanted):
        source.restore(address(FRESH), chest)
    assert repositories.size(FRESH) == 0
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)).tables == facts.tables


def test_whoever_may_not_read_gets_nothing(
    repositories: Repositories, triplestore: OpenGdbPlace, address: Address
) -> None:
    source = snapshots(triplestore.connect_poor("a regular account"))
    for failing in (
        lambda: source.capture(address(LIVE), Chest()),
        lambda: source.restore(address(FRESH), Chest({"repository.nq": b""})),
        lambda: source.facts(address(LIVE)),
    ):
        with pytest.raises(Denied):
            failing()


@pytest.fixture
def opengdb(triplestore: OpenGdbPlace) -> None:
    if triplestore.flavour != "opengdb":
        pytest.skip("GraphDB waits as long as it takes")


@pytest.mark.usefixtures("opengdb")
def test_an_export_that_opengdb_does_not_wait_for_is_read_by_graph(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    stand_in: TriplestoreStandIn,
) -> None:
    """The number is not to be had either."""
    wanted = source.facts(address(LIVE))
    storage(stand_in, slow_from=2)
    chest = Chest()
    facts = source.capture(address(LIVE), chest)
    assert (facts.tables, facts.consistent) == (wanted.tables, False)
    assert "graph by graph" in facts.notes[0].english
    storage(stand_in)
    source.restore(address(FRESH), chest)
    assert repositories.same_graph(LIVE, FRESH)


@pytest.mark.usefixtures("opengdb")
def test_what_nobody_could_read_again_is_refused_with_the_limit(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    stand_in: TriplestoreStandIn,
) -> None:
    storage(stand_in, slow_from=1)
    with pytest.raises(Invalid, match="5 seconds"):
        source.capture(address(LIVE), Chest())
    storage(stand_in, down=1)
    with pytest.raises(Unavailable):
        source.capture(address(LIVE), Chest())


def test_numbers_of_graphs_that_opengdb_does_not_wait_for_are_not_needed(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = source.facts(address(LIVE))

    def late(_calls: ContentCalls, _repository: str) -> dict[bytes, int]:
        raise CutOff(quote_words("late"), kind="x", doing=quote_words("counting"))

    monkeypatch.setattr(ContentCalls, "count_by_graph", late)
    assert source.facts(address(LIVE)) == wanted
