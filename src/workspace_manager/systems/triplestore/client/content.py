"""Calls that read and write the content of a repository of any size.

OpenGDB waits five seconds for the first byte of RDF4J, and RDF4J sends an export only when it is
complete. So large content is read by queries, which RDF4J answers as it reads. The answer to a
query has no length, and a cut one looks complete, so its last row is one that we asked for. See
docs/systems/triplestore.md#snapshots.
"""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Final

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.answer_stream import AnswerStream
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.systems.triplestore.client.calls import RESULTS, TriplestoreClient
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.refusals import OPENGDB, is_page, require
from workspace_manager.systems.triplestore.shapes import RESULTS as RESULTS_SHAPE
from workspace_manager.systems.triplestore.shapes import Term, parse

KIND: Final = "triplestore.repository"
N_QUADS: Final = "application/n-quads"
N_TRIPLES: Final = "application/n-triples"
TURTLE: Final = "text/turtle"
TRANSACTION: Final = "application/x-rdftransaction"
"""RDF4J's media type for several changes made as one."""
END: Final = (b"<urn:workspace-manager:end>", b"<urn:workspace-manager:end>", b'"end"')
"""The last row of a query's answer."""
MOST: Final = 64 * 1024 * 1024
"""The most bytes of a list of graphs."""
_GRAPHS: Final = "SELECT ?g (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g"
_DEFAULT: Final = "FROM <http://www.openrdf.org/schema/sesame#nil>"
_ROWS: Final = "CONSTRUCT { ?s ?p ?o } %s WHERE { { %s } UNION { VALUES (?s ?p ?o) { (%s) } } }"
_ASKED: Final = re.compile(rb'<[^\x00-\x20<>"{}|^`\\]+>\Z')
"""A graph that a query can name."""


class CutOff(Unavailable):
    """OpenGDB gave up on RDF4J, which is down or too slow."""


@dataclass(frozen=True)
class Namespace:
    """A prefix of a repository."""

    prefix: str
    name: str


class ContentCalls:
    """Calls on the content of a repository, one method each."""

    def __init__(self, client: TriplestoreClient) -> None:
        self._client = client

    @property
    def cuts(self) -> bool:
        """Return whether exports and bodies are limited in time and size."""
        return self._client.flavour() == OPENGDB

    # --- reading ----------------------------------------------------------------------------------

    def size(self, repository: str) -> int:
        """Return the number of statements, without inferred ones."""
        doing = message("counting")
        answer = self._send("GET", f"{_data(repository)}/size", doing, accept="text/plain")
        if not answer.text.strip().isdecimal():
            raise answer.error(Invalid, message("other_shape", shape=answer.shape))
        return int(answer.text)

    def count_by_graph(self, repository: str) -> dict[bytes, int]:
        """Return the number of statements in each named graph; graphs that are blank nodes are
        counted together, as `_:`.
        """
        form = {"query": _GRAPHS, "infer": "false"}
        counted: dict[bytes, int] = {}
        for row in self._rows("POST", _data(repository), message("counting"), form=form):
            if "g" in row and row["n"].value != "0":
                graph = _term(row["g"].type, row["g"].value)
                graph = b"_:" if graph.startswith(b"_") else graph
                counted[graph] = counted.get(graph, 0) + int(row["n"].value)
        return counted

    def graphs(self, repository: str) -> list[bytes]:
        """Return the named graphs as terms."""
        rows = self._rows("GET", f"{_data(repository)}/contexts", message("counting"))
        terms = [row["contextID"] for row in rows if "contextID" in row]
        return sorted(_term(one.type, one.value) for one in terms)

    @contextlib.contextmanager
    def export(self, repository: str, graph: bytes | None = None) -> Iterator[Iterator[bytes]]:
        """Yield everything as N-Quads, or one named graph, as the store exports it."""
        params = {"infer": "false"}
        if graph is not None:
            params["context"] = graph.decode()
        path, doing = f"{_data(repository)}/statements", message("capturing")
        headers = {"Accept": N_QUADS}
        with self._client.stream(
            "GET", path, kind=KIND, doing=doing, params=params, headers=headers
        ) as found:
            yield self._pieces(found, N_QUADS)

    def can_be_asked(self, graph: bytes) -> bool:
        """Return whether `read_graph` can read it: a blank node has no name in a query."""
        return not graph or _ASKED.match(graph) is not None

    @contextlib.contextmanager
    def read_graph(self, repository: str, graph: bytes) -> Iterator[Iterator[bytes]]:
        """Yield one graph as N-Triples, while RDF4J reads it; empty: the default graph. Its last
        statement is END.
        """
        end = b" ".join(END).decode()
        pattern = f"GRAPH {graph.decode()} {{ ?s ?p ?o }}" if graph else "?s ?p ?o"
        query = _ROWS % ("" if graph else _DEFAULT, pattern, end)
        with self._client.stream(
            "POST",
            _data(repository),
            kind=KIND,
            doing=message("capturing"),
            params={"infer": "false"},
            content=query.encode(),
            headers={"Accept": N_TRIPLES, "Content-Type": "application/sparql-query"},
        ) as found:
            yield self._pieces(found, N_TRIPLES)

    def namespaces(self, repository: str) -> list[Namespace]:
        """Return the prefixes in order."""
        rows = self._rows("GET", f"{_data(repository)}/namespaces", message("counting"))
        found = [(row["prefix"].value, row["namespace"].value) for row in rows if "prefix" in row]
        return [Namespace(*one) for one in sorted(found)]

    def configuration(self, repository: str) -> tuple[str, str]:
        """Return media type and text of the repository's configuration; OpenGDB shows it only as
        Turtle.
        """
        accept = TURTLE if self.cuts else "application/json"
        path = f"/rest/repositories/{segment(repository, kind=KIND, doing=message('capturing'))}"
        answer = self._send("GET", path, message("capturing"), accept=accept)
        return accept, answer.text

    # --- writing ----------------------------------------------------------------------------------

    def add(self, repository: str, block: bytes, *, media: str = N_QUADS) -> None:
        """Add statements. A blank node keeps its label, and a repetition changes nothing."""
        params = {"preserveNodeId": "true"} if media == N_QUADS else {}
        self._write(repository, block, media, params, message("restoring"))

    def clear(self, repository: str) -> None:
        """Remove all statements. It is an update, because OpenGDB sends each DELETE up to four
        times, and one of them may arrive late.
        """
        self._write(
            *(repository, b"CLEAR ALL", "application/sparql-update", {}, message("restoring"))
        )

    def change_at_once(self, repository: str, transaction: IO[bytes]) -> None:
        """Make several changes as one: readers see all of them or none. It is a POST, which OpenGDB
        sends once.
        """
        self._write(repository, transaction, TRANSACTION, {}, message("switching"))

    def set_namespace(self, repository: str, namespace: Namespace) -> None:
        """Add a prefix."""
        self._write_namespace("PUT", repository, namespace.prefix, namespace.name.encode())

    def remove_namespace(self, repository: str, prefix: str) -> None:
        """Remove a prefix; the answer does not tell whether it existed."""
        self._write_namespace("DELETE", repository, prefix, None)

    # --- sending ----------------------------------------------------------------------------------

    def _write_namespace(
        self, method: str, repository: str, prefix: str, content: bytes | None
    ) -> None:
        doing = message("restoring")
        path = f"{_data(repository)}/namespaces/{segment(prefix, kind=KIND, doing=doing)}"
        headers = {"Content-Type": "text/plain"}
        with self._client.stream(
            method, path, kind=KIND, doing=doing, headers=headers, content=content
        ) as found:
            self._require(found.answer, 204)

    def _write(
        self,
        repository: str,
        content: bytes | IO[bytes],
        media: str,
        params: dict[str, str],
        doing: Message,
    ) -> None:
        path = f"{_data(repository)}/statements"
        headers = {"Content-Type": media, "Accept": "*/*"}
        with self._client.stream(
            *("POST", path),
            kind=KIND,
            doing=doing,
            params=params,
            headers=headers,
            content=content,
        ) as found:
            self._require(found.answer, 200, 204)

    def _send(
        self,
        method: str,
        path: str,
        doing: Message,
        *,
        accept: str,
        form: dict[str, str] | None = None,
    ) -> Answer:
        answer = self._client.send(
            method, path, kind=KIND, doing=doing, accept=accept, form=form, most=MOST
        )
        return self._require(answer, 200)

    def _rows(
        self, method: str, path: str, doing: Message, *, form: dict[str, str] | None = None
    ) -> list[dict[str, Term]]:
        answer = self._send(method, path, doing, accept=RESULTS, form=form)
        return parse(answer, RESULTS_SHAPE, answer.json()).results.bindings

    def _pieces(self, found: AnswerStream, media: str) -> Iterator[bytes]:
        answer = self._require(found.answer, 200)
        if answer.content_type != media:
            raise answer.error(Invalid, message("answered_something_else", shape=answer.shape))
        return found.pieces

    def _require(self, answer: Answer, *expected: int) -> Answer:
        if answer.status == 500 and is_page(answer) and self.cuts:
            cut = message("gave_up_on_rdf4j", shape=answer.shape)
            raise answer.error(CutOff, cut, advice=message("may_have_been_done"))
        return require(answer, *expected, flavour=self._client.flavour())


def _data(repository: str) -> str:
    return f"/repositories/{segment(repository, kind=KIND, doing=message('addressing'))}"


def _term(kind: str, value: str) -> bytes:
    return (f"_:{value}" if kind == "bnode" else f"<{value}>").encode()
