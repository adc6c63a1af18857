"""The data layer: an RDF4J server in this process, one pyoxigraph store per repository, or a real
RDF4J behind an address.

Both take and give the calls of RDF4J's REST interface. Queries see the union of all graphs.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import quote

import aiohttp
import pyoxigraph as ox

from workspace_sandbox.stand_ins.triplestore import formats
from workspace_sandbox.stand_ins.triplestore.statements import NO_FORMAT, Statements
from workspace_sandbox.stand_ins.triplestore.wire import Call, Reply, plain

RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
NEW = "tag:rdf4j.org,2023:config/"
OLD = "http://www.openrdf.org/config/repository#"
ID_PREDICATES = {f"{NEW}rep.id", f"{OLD}repositoryID"}
TYPE_PREDICATES = {f"{NEW}rep.type", f"{OLD}repositoryType"}
SAIL_PREDICATES = {f"{NEW}sail.type", "http://www.openrdf.org/config/sail#sailType"}
BASE_IRI = "http://localhost/"
LONGEST_ID = 255
"""In bytes: the id is the name of a folder."""
INVALID_CONFIG = "MALFORMED DATA: Supplied repository configuration is invalid: "


class Down(Exception):
    """The data layer does not answer."""


class Storage(Protocol):
    """The layer below, as the user layer needs it."""

    down: bool
    """Whether it shall look as if it did not answer."""

    async def send(self, call: Call) -> Reply: ...

    async def clear(self) -> None:
        """Forget every repository, before a reset."""


class RemoteStorage:
    """A real RDF4J server; `url` is its base, usually ending in /rdf4j-server."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.down = False

    async def clear(self) -> None:
        headers = {"Accept": "application/sparql-results+json"}
        listed = await self.send(Call("GET", "repositories", "/repositories", {}, headers, b""))
        for row in json.loads(listed.body)["results"]["bindings"]:
            await self.send(plain_call("DELETE", row["id"]["value"]))

    async def send(self, call: Call) -> Reply:
        if self.down:
            raise Down
        kept = {"accept", "content-type"}
        headers = {n: v for n, v in call.headers.items() if n.lower() in kept}
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as session,
                session.request(
                    call.method,
                    self.url + call.raw_path,
                    data=call.body,
                    headers=headers,
                    # A body without a type stays without one: RDF4J refuses it in words of its own.
                    skip_auto_headers={"Content-Type"},
                ) as got,
            ):
                body = await got.read()
        except (aiohttp.ClientError, TimeoutError) as broken:
            raise Down from broken
        copied = {
            n: v
            for n, v in got.headers.items()
            if n.lower() in {"content-language", "content-disposition"}
        }
        return Reply(got.status, body, got.headers.get("Content-Type"), copied)


class LocalStorage:
    """RDF4J's interface over pyoxigraph. Data is kept in the stand-in's state as N-Quads, so that
    it survives a kill.
    """

    def __init__(self, state: Callable[[], dict[str, Any]], changed: Callable[[], None]) -> None:
        self._state = state
        self._changed = changed
        self._of: object = None
        self._open: dict[str, Statements] = {}
        self.down = False
        self.slow_from = 0
        """So many statements or more take longer to export or count than OpenGDB waits; 0: any
        number is quick.
        """

    @property
    def kept(self) -> dict[str, Any]:
        kept: dict[str, Any] = self._state()["stored"]
        if self._of is not kept:
            # A reset gave a new document: what was open belongs to the old one.
            self._of, self._open = kept, {}
        return kept

    async def clear(self) -> None:
        """Nothing to do: what is stored is part of the state, which a reset replaces."""

    def statements(self, repository_id: str) -> Statements:
        kept = self.kept
        if repository_id not in self._open:
            self._open[repository_id] = Statements(kept[repository_id], self._changed)
        return self._open[repository_id]

    def size(self, repository_id: str) -> int:
        return len(self.statements(repository_id).store)

    async def send(self, call: Call) -> Reply:
        if self.down:
            raise Down
        parts = call.path.split("/")
        if parts[0] == "repositories" and "%2f" in call.raw_path.partition("?")[0].lower():
            return Reply(400, b"", None)
        if parts[1:2] in (["."], [".."]):
            return Reply(400, b"", None)
        if len(parts) == 1:
            return self._list(call)
        if len(parts) == 2 and call.method == "PUT":
            return self._create(parts[1], call)
        if parts[1] not in self.kept:
            return _without_repository(call, parts[1])
        if len(parts) == 2 and call.method == "DELETE":
            return self._delete(parts[1])
        if self._is_slow(call, parts[2:]):
            raise Down
        return self.statements(parts[1]).answer(call, parts[2:])

    def _is_slow(self, call: Call, rest: list[str]) -> bool:
        """A query is answered as its rows are found, and an export when all of it is there."""
        if not self.slow_from or call.method != "GET" or rest not in (["statements"], ["size"]):
            return False
        return self.statements(call.path.split("/")[1]).count(call) >= self.slow_from

    def _list(self, call: Call) -> Reply:
        rows = [
            {
                "uri": f"http://127.0.0.1/rdf4j-server/repositories/{name}",
                "id": name,
                "title": one["title"],
            }
            for name, one in self.kept.items()
        ]
        columns = ["uri", "id", "title", "readable", "writable"]
        found = formats.table(call.headers.get("Accept"), "repositories", columns, rows)
        return found or plain(NO_FORMAT, status=406)

    def _create(self, repository_id: str, call: Call) -> Reply:
        if repository_id in self.kept:
            return plain(
                f"REPOSITORY EXISTS: repository already exists: {repository_id}", status=409
            )
        if refused := _not_rdf(call):
            return refused
        rdf = formats.rdf_of(call.content_type)
        try:
            triples = list(ox.parse(_lenient(call.body), format=rdf, base_iri=BASE_IRI))
        except (SyntaxError, ValueError) as wrong:
            return plain(f"org.eclipse.rdf4j.rio.RDFParseException: {wrong}", status=500)
        said = _wrong_with(triples, repository_id)
        if said:
            return plain(INVALID_CONFIG + said, status=400)
        if len(repository_id.encode()) > LONGEST_ID:
            return plain(f"Unable to create data directory for {repository_id}", status=500)
        title = next((t.object.value for t in triples if t.predicate.value == RDFS_LABEL), "")
        self.kept[repository_id] = {
            "title": title,
            "nquads": "",
        }
        self._changed()
        return Reply(204, b"", None, {"Content-Language": "en"})

    def _delete(self, repository_id: str) -> Reply:
        del self.kept[repository_id]
        self._open.pop(repository_id, None)
        self._changed()
        return Reply(204, b"", None, {"Content-Language": "en"})


def _without_repository(call: Call, repository_id: str) -> Reply:
    """Refuse what is asked of a repository that is not there; a PUT is not looked up and falls on
    its face.
    """
    if call.method != "PUT":
        return plain(f"Unknown repository: {repository_id}", status=404)
    asked = "org.eclipse.rdf4j.repository.Repository.getValueFactory()"
    return plain(f'Cannot invoke "{asked}" because "repository" is null', status=500)


def _not_rdf(call: Call) -> Reply | None:
    if formats.rdf_of(call.content_type) is not None:
        return None
    return plain(f"unrecognized content type {call.content_type or 'null'}", status=400)


def _wrong_with(triples: list[Any], repository_id: str) -> str:
    """Return what RDF4J 4.3 says is invalid in a configuration; "" when nothing is."""

    def values(predicates: set[str]) -> set[str]:
        return {t.object.value for t in triples if t.predicate.value in predicates}

    if repository_id not in values(ID_PREDICATES):
        return "could not read repository config from supplied data"
    types = values(TYPE_PREDICATES)
    if not types:
        return "Repository implementation for repository missing"
    unknown = types - {"openrdf:SailRepository"}
    if unknown:
        return f"Unsupported repository type: {min(unknown)}"
    return "" if values(SAIL_PREDICATES) else "No Sail implementation specified for Sail repository"


def create_call(repository_id: str, turtle: str) -> Call:
    """Make the call with which OpenGDB creates a repository in RDF4J."""
    headers = {"Content-Type": "text/turtle"}
    return Call(
        "PUT", f"repositories/{repository_id}", _raw(repository_id), {}, headers, turtle.encode()
    )


def plain_call(method: str, repository_id: str, rest: str = "") -> Call:
    return Call(
        method, f"repositories/{repository_id}{rest}", _raw(repository_id) + rest, {}, {}, b""
    )


def _raw(repository_id: str) -> str:
    return f"/repositories/{quote(repository_id, safe='/')}"


def _lenient(turtle: bytes) -> bytes:
    """Take a backslash literally where it escapes nothing, as RDF4J's parser does in a title like
    C:\\x.
    """
    return re.sub(rb'\\(?![tbnrf"\'\\uU])', rb"\\\\", turtle)
