"""Repositories of a triplestore with and without content, past the connector."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyoxigraph as ox
import pytest

from tests.conformance.triplestore import OpenGdbPlace
from workspace_manager.systems.triplestore.snapshots import TriplestoreSnapshots, snapshots

LIVE, FRESH = "ts-live", "ts-fresh"
PART = "repository.nq"
N_QUADS = {"Content-Type": "application/n-quads", "Accept": "*/*"}
CONTENT = rb"""_:a <http://e/p> "x"@de-DE .
_:a <http://e/knows> _:b <http://e/g> .
_:b <http://e/knows> "1"^^<http://www.w3.org/2001/XMLSchema#integer> _:g .
_:b <http://e/says> "tab\tnew\nline\"quote\\back \u00e9 \U0001F98A" <http://e/g> .
<e:\u00e9> <e:p> "not a number"^^<http://www.w3.org/2001/XMLSchema#integer> <http://e/h> .
<http://e/s> <http://e/p> <http://e/o> .
<http://e/s> <http://e/p> <http://e/o> <http://e/g> .
"""
GRAPHS = {"default graph": 2, "graphs without a name": 1, "http://e/g": 3, "http://e/h": 1}


Address = Callable[[str], str]


class Killed(BaseException):
    """Nothing catches it."""


@dataclass
class Repositories:
    """The repositories of a triplestore, past the connector."""

    triplestore: OpenGdbPlace
    made: list[str] = field(default_factory=list)

    def make(self, name: str, content: bytes = b"") -> None:
        self.triplestore.make_repository(name, name)
        self.made.append(name)
        if content:
            self.add(name, content)

    def add(self, name: str, content: bytes) -> None:
        where = f"/repositories/{name}/statements"
        self.triplestore.admin.post(where, content=content, headers=N_QUADS).raise_for_status()

    def read(self, name: str) -> str:
        headers = {"Accept": "application/n-quads"}
        where = f"/repositories/{name}/statements?infer=false"
        return self.triplestore.admin.get(where, headers=headers).raise_for_status().text

    def same_graph(self, one: str, other: str) -> bool:
        """Whether they differ in the labels of blank nodes alone: by another's canonical form."""
        found = []
        for name in (one, other):
            data = ox.Dataset(ox.parse(self.read(name).encode(), format=ox.RdfFormat.N_QUADS))
            data.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
            found.append(set(data))
        return found[0] == found[1]

    def size(self, name: str) -> int:
        return len(self.read(name).splitlines())

    def listed(self) -> set[str]:
        rows = self.triplestore.admin.get("/rest/repositories").raise_for_status().json()
        return {row["id"] for row in rows}

    def set_namespace(self, name: str, prefix: str, value: str) -> None:
        where = f"/repositories/{name}/namespaces/{prefix}"
        self.triplestore.admin.put(where, content=value).raise_for_status()

    def drop(self) -> None:
        for name in self.listed() & {*self.made, LIVE, FRESH}:
            self.triplestore.admin.delete(f"/rest/repositories/{name}").raise_for_status()


@pytest.fixture
def repositories(triplestore: OpenGdbPlace) -> Iterator[Repositories]:
    """LIVE with content, FRESH with none."""
    found = Repositories(triplestore)
    found.drop()
    found.make(LIVE, CONTENT)
    found.set_namespace(LIVE, "ex", "http://e/")
    found.make(FRESH)
    yield found
    found.drop()


@pytest.fixture
def source(triplestore: OpenGdbPlace) -> TriplestoreSnapshots:
    return snapshots(triplestore.connect())


@pytest.fixture
def address(triplestore: OpenGdbPlace) -> Callable[[str], str]:
    return triplestore.connect().address
