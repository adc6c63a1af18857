"""`python -m benchmarks.snapshots_triplestore [--statements 5000000] [--graphs 20]`: how long a
snapshot of a repository takes beside the bare pipe of the same calls, and how much memory this
process needs for it.

Both read the same repository of a real OpenGDB before a real RDF4J. The pipe reads by `curl` and
writes through `zstd` and `age` into a file; the snapshot goes into a folder store. Each is run in
turn, and the better of two counts: five million statements take an hour.
"""

import argparse
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx

from benchmarks.snapshots import PackedFile, capture, compare
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.client.content import ContentCalls
from workspace_manager.systems.triplestore.connector import Triplestore, connect
from workspace_manager.systems.triplestore.settings import Settings
from workspace_manager.systems.triplestore.snapshots import content_reader, snapshots
from workspace_sandbox.real import rdf4j
from workspace_sandbox.real.opengdb import OpenGDB, why_not

NAME = "ts-bench"
AT_ONCE = 10_000
LINE = '<http://e.org/{n}> <http://e.org/p{p}> "{n} and some words of it" <http://e.org/g{g}> .\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--statements", type=int, default=20_000)
    parser.add_argument("--graphs", type=int, default=4)
    parser.add_argument("--by-graph", action="store_true", help="as a large repository is read")
    chosen = parser.parse_args()
    if reason := rdf4j.why_not() or why_not():
        raise SystemExit(f"not here: {reason}")
    if chosen.by_graph:
        content_reader.WHOLE = 0  # type: ignore[misc]
    store = rdf4j.RDF4J()
    front = OpenGDB(rdf4j_url=store.start())
    try:
        where = front.start()
        settings = Settings(
            url=where.url, admin_username=where.admin_username, admin_password=where.admin_password
        )
        system = connect(settings, lambda _ref: where.admin_password)
        connector = system.connectors["triplestore.repository"]
        connector.apply(connector.plan(names.repository(NAME), {"title": "Benchmark"}))
        _fill(f"{store.url}/repositories/{NAME}/statements", chosen.statements, chosen.graphs)
        print(f"{'statements':>12}{'pipe s':>9}{'snapshot s':>12}{'ratio':>7}{'peak MB':>9}")
        print(_line(system, f"{store.url}/repositories/{NAME}", chosen.statements))
    finally:
        front.stop()
        store.stop()


def _fill(url: str, statements: int, graphs: int) -> None:
    headers = {"Content-Type": "application/n-quads"}
    for begins in range(0, statements, AT_ONCE):
        numbers = range(begins, min(begins + AT_ONCE, statements))
        block = "".join(LINE.format(n=n, p=n % 20, g=n % graphs) for n in numbers)
        httpx.post(url, content=block, headers=headers, timeout=3600).raise_for_status()


def _line(system: Triplestore, url: str, statements: int) -> str:
    source, address = snapshots(system), system.address(NAME)
    commands = list(_commands(system.client, url, statements))
    compared = compare(
        lambda folder: _pipe(commands, folder), lambda folder: capture(source, address, folder)
    )
    return f"{statements:>12}{compared}"


def _commands(client: TriplestoreClient, url: str, statements: int) -> Iterator[list[str]]:
    """Read all of it, as a snapshot does."""
    if statements <= content_reader.WHOLE:
        accept = "Accept: application/n-quads"
        yield ["curl", "-sSf", "-H", accept, f"{url}/statements?infer=false"]
        return
    accept = "Accept: application/n-triples"
    for graph in ContentCalls(client).graphs(NAME):
        query = f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH {graph.decode()} {{ ?s ?p ?o }} }}"
        yield ["curl", "-sSf", "-H", accept, "--data-urlencode", f"query={query}", url]


def _pipe(commands: list[list[str]], folder: Path) -> None:
    packed = PackedFile(folder / "bare")
    for command in commands:
        subprocess.run(command, stdout=packed.input, check=True)
    packed.close()


if __name__ == "__main__":
    main()
