"""Snapshots of repositories on a real RDF4J: behind the stand-in of OpenGDB, and behind a real
OpenGDB.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.conformance.triplestore import OpenGdbPlace, RDF4JPlace, RealOpenGdbPlace
from tests.real_parts import Part
from tests.real_running import an_rdf4j
from tests.real_running import running as running_part
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
from workspace_manager.contract.errors import NotFound
from workspace_manager.systems.triplestore.snapshots import TriplestoreSnapshots
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.real import opengdb as real
from workspace_sandbox.real import rdf4j
from workspace_sandbox.server import running

__all__ = ["address", "repositories", "source"]

pytestmark = pytest.mark.real("OpenGDB", "RDF4J")

real_rdf4j = pytest.fixture(scope="module", name="real_rdf4j")(an_rdf4j)


@pytest.fixture(scope="module")
def rdf4j_proxy(real_rdf4j: rdf4j.RDF4J) -> Iterator[FaultProxy]:
    """A door between OpenGDB and RDF4J."""
    assert real_rdf4j.url
    door = FaultProxy(real_rdf4j.url.removesuffix("/rdf4j-server"))
    with running(door):
        yield door


@pytest.fixture(scope="module")
def opengdb(real_part: Callable[..., Part], rdf4j_proxy: FaultProxy) -> Iterator[real.OpenGDB]:
    part = real_part("OpenGDB", version=real.version(), why_not=real.why_not())
    yield from running_part(part, real.OpenGDB(rdf4j_url=f"{rdf4j_proxy.url}/rdf4j-server"))


@pytest.fixture(scope="module", params=[RDF4JPlace, RealOpenGdbPlace])
def triplestore(
    request: pytest.FixtureRequest, real_rdf4j: rdf4j.RDF4J, opengdb: real.OpenGDB
) -> Iterator[OpenGdbPlace]:
    kind: type[OpenGdbPlace] = request.param
    with ExitStack() as stack:
        yield kind.open(stack, real_rdf4j if kind is RDF4JPlace else opengdb)


@pytest.fixture(
    params=[
        pytest.param(range(5, 90, 11), id="some"),
        pytest.param(range(1, 60), id="each", marks=pytest.mark.everything),
    ]
)
def points(request: pytest.FixtureRequest) -> range:
    chosen: range = request.param
    return chosen


@pytest.fixture
def slow(triplestore: OpenGdbPlace, rdf4j_proxy: FaultProxy) -> Iterator[FaultProxy]:
    """RDF4J takes longer for an export than OpenGDB waits, each of the four times."""
    if triplestore.part != "OpenGDB":
        pytest.skip("the stand-in waits as long as it takes")
    for path in ("/statements", "/size"):
        rdf4j_proxy.faults.add(
            {"fault": "delay", "seconds": 7, "method": "GET", "path": path, "times": 1000}
        )
    yield rdf4j_proxy
    rdf4j_proxy.faults.waiting.clear()


def test_an_export_that_opengdb_cuts_is_read_by_graph(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address, slow: FaultProxy
) -> None:
    named = b"".join(b"<a:s%d> <a:p> <a:o> <a:g> .\n" % n for n in range(20))
    repositories.make("ts-named", named)
    chest = Chest()
    facts = source.capture(address("ts-named"), chest)
    slow.faults.waiting.clear()
    assert (len(facts.tables), facts.tables[0].rows, facts.consistent) == (1, 20, False)
    source.restore(address(FRESH), chest)
    assert repositories.same_graph("ts-named", FRESH)


def test_content_of_many_blocks_comes_back(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address
) -> None:
    """A blank node that is in the first block and in the last is one node."""
    line = b'_:n%d <a:p> "%d of many words" <a:g%d> .\n'
    lines = [line % (n % 500, n, n % 7) for n in range(20_000)]
    repositories.make("ts-many", b"".join(lines))
    chest = Chest()
    facts = source.capture(address("ts-many"), chest)
    assert sum(one.rows for one in facts.tables) == len(lines)
    source.restore(address(FRESH), chest)
    assert source.facts(address(FRESH)).tables == facts.tables


def test_what_the_store_loses_is_not_taken_for_empty(
    repositories: Repositories, source: TriplestoreSnapshots, address: Address
) -> None:
    """The repository is there and the server lost it meanwhile."""
    repositories.triplestore.unstore(LIVE)
    with pytest.raises(NotFound):
        source.capture(address(LIVE), Chest())
