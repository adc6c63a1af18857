"""Snapshots of repositories on a real RDF4J: behind the stand-in of OpenGDB, and behind a real
OpenGDB.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conformance.triplestore import OpenGdbPlace, RDF4JPlace, RealOpenGdbPlace
from tests.documentation.page import DOCS, shell_blocks
from tests.real_parts import Part
from tests.real_running import an_rdf4j
from tests.real_running import running as running_part
from tests.systems.sql_server.chest import Chest
from tests.systems.triplestore.cases_snapshots import *  # noqa: F403
from tests.systems.triplestore.cases_switch import *  # noqa: F403
from tests.systems.triplestore.repositories import (
    CONTENT,
    FRESH,
    LIVE,
    Address,
    Repositories,
    address,
    repositories,
    source,
)
from workspace_manager.contract.errors import NotFound
from workspace_manager.snapshots.download import measure_download, read_download
from workspace_manager.snapshots.store.keys import make_key
from workspace_manager.snapshots.store.objects import open_store
from workspace_manager.snapshots.store.snapshot_reader import SnapshotReader
from workspace_manager.snapshots.store.snapshot_writer import SnapshotWriter
from workspace_manager.snapshots_settings import SnapshotsLocation
from workspace_manager.systems.triplestore.snapshots import TriplestoreSnapshots
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.real import jena, rdf4j
from workspace_sandbox.real import opengdb as real
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


@pytest.fixture(scope="module")
def riot(real_part: Callable[..., Part]) -> Path:
    """The folder of the program."""
    real_part("Jena", version=jena.VERSION, why_not=jena.why_not())
    return jena.prepare()


class Reader:
    """Somebody with `riot`, who has downloaded a repository into a folder."""

    def __init__(self, riot: Path, folder: Path) -> None:
        self.riot, self.folder = riot, folder

    def download(self, source: TriplestoreSnapshots, address: str, name: str) -> None:
        store, key = open_store(SnapshotsLocation(folder=self.folder / "kept")), make_key()
        with SnapshotWriter(store, key) as writer:
            source.capture(address, writer)
            reader = SnapshotReader(store, writer.finish(), key)
        content = b"".join(read_download(reader, 0, measure_download(reader)))
        (self.folder / name).write_bytes(content)

    def type(self, commands: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=self.folder,
            env={**os.environ, "PATH": f"{self.riot}{os.pathsep}{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


@pytest.mark.parametrize("triplestore", [RealOpenGdbPlace], indirect=True)
def test_riot_reads_a_download_by_the_commands_of_the_page(
    repositories: Repositories,
    source: TriplestoreSnapshots,
    address: Address,
    riot: Path,
    tmp_path: Path,
) -> None:
    page = (DOCS / "howto" / "open-a-snapshot.md").read_text()
    [block] = [one for one in shell_blocks(page) if "riot" in one]
    [packed] = set(re.findall(r"\S+\.zst", block))
    name, anna = packed.removesuffix(".zst"), Reader(riot, tmp_path)
    lines = CONTENT.splitlines(keepends=True)
    repositories.make("ts-valid", b"".join(one for one in lines if b"not a number" not in one))
    anna.download(source, address("ts-valid"), packed)
    done = anna.type(block)
    assert done.returncode == 0, done.stdout
    assert f"Quads = {len(lines) - 1}" in done.stdout

    anna.download(source, address(LIVE), packed)
    done = anna.type(f"zstd --force -d {packed}; riot --count {name}")
    assert "WARN" in done.stdout
    assert "'not a number' not valid for datatype" in done.stdout
    assert f"Quads = {len(lines)}" in done.stdout
    with (tmp_path / name).open("ab") as spoiled:
        spoiled.write(b"<a:b> <a:c> .\n")
    done = anna.type(f"riot --validate {name}")
    assert done.returncode != 0
    assert "ERROR" in done.stdout
