"""One repository of the data layer: queries, updates, statements and their number, as RDF4J answers
them.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pyoxigraph as ox

from workspace_sandbox.stand_ins.triplestore import content, formats
from workspace_sandbox.stand_ins.triplestore.wire import Call, Reply, plain

Graph: TypeAlias = Any
NIL = re.compile(
    r"\bFROM\s+<http://(?:www\.openrdf\.org/schema/sesame|rdf4j\.org/schema/rdf4j)#nil>",
    re.IGNORECASE,
)
EVERYTHING = re.compile(r"\b(SELECT(?:\s+(?:DISTINCT|REDUCED))?)\s*\*", re.IGNORECASE)
NO_FORMAT = "No acceptable file format found."
NO_TYPE = 'Cannot invoke "String.hashCode()" because "<local5>" is null'
"""What RDF4J says to a query in a body of no type."""
DONE = Reply(204, b"", None, {"Content-Language": "en"})


class BadParameter(ValueError):
    """A parameter that is no RDF term."""


class Statements:
    """The data of one repository. `kept` is its part of the stand-in's state; `changed`
    keeps it.
    """

    def __init__(self, kept: dict[str, Any], changed: Callable[[], None]) -> None:
        self.kept = kept
        kept.setdefault("namespaces", {})
        self._changed = changed
        self.store = ox.Store()
        self.store.load(kept["nquads"], format=ox.RdfFormat.N_QUADS)

    def answer(self, call: Call, rest: list[str]) -> Reply:
        """Answer a call on this repository that RDF4J supports; `rest` is the path behind
        its id.
        """
        try:
            if not rest:
                return self._query(call)
            if rest == ["size"]:
                return plain(str(self.count(call)))
            if rest == ["contexts"]:
                return content.list_graphs(call, self.store) or plain(NO_FORMAT, status=406)
            if rest[0] == "namespaces":
                return self._namespaces(call, rest[1:])
            return self._statements(call)
        except BadParameter as wrong:
            return plain(str(wrong), status=400)

    def count(self, call: Call) -> int:
        """Return how many statements a call asks for."""
        return len(list(self._matching(call)))

    # --- queries ----------------------------------------------------------------------------------

    def _query(self, call: Call) -> Reply:
        if call.method == "POST" and call.content_type == "application/sparql-query":
            query: str | None = call.body.decode("utf-8", errors="replace")
        elif call.method == "POST" and "Content-Type" not in call.headers:
            return plain(NO_TYPE, status=500)
        elif call.method == "POST" and call.content_type != "application/x-www-form-urlencoded":
            return plain(f"Unsupported MIME type: {call.content_type or 'null'}", status=415)
        else:
            query = call.form().get("query", call.last("query"))
        if query is None:
            return plain("Missing parameter: query", status=400)
        language = call.last("queryLn") or "SPARQL"
        if language.upper() != "SPARQL":
            return plain(f"Unknown query language: {language}", status=400)
        try:
            return self._run(query, call)
        except SyntaxError as wrong:
            return plain(f"MALFORMED QUERY: {wrong}", status=400)
        except (ValueError, OSError) as wrong:
            return plain(f"QUERY EVALUATION ERROR: {wrong}", status=500)

    def _run(self, query: str, call: Call) -> Reply:
        """Run a query over the union of all graphs; RDF4J's own name for the default graph alone is
        `FROM sesame:nil`.
        """
        accept = call.headers.get("Accept")
        found = self._found(query, call)
        if isinstance(found, ox.QuerySolutions) and EVERYTHING.search(query):
            # RDF4J gives the columns as the query names them first.
            order = sorted(found.variables, key=lambda one: _first(query, one.value))
            columns = " ".join(str(one) for one in order)
            found = self._found(EVERYTHING.sub(rf"\1 {columns} ", query, count=1), call)
        if isinstance(found, ox.QueryTriples):
            # RDF4J gives the sides of a UNION in order: what a query makes up comes after the data.
            triples = sorted(found, key=self._is_made_up)
            quads = [ox.Quad(t.subject, t.predicate, t.object, ox.DefaultGraph()) for t in triples]
            return _rdf(quads, accept, "query-result")
        offered = formats.BOOLEANS if isinstance(found, ox.QueryBoolean) else formats.TABLES
        choice = formats.choose_representation(accept, offered, formats.TABLE_ALIASES)
        if choice is None:
            return plain(NO_FORMAT, status=406)
        if choice.ending == "txt":
            body = b"true" if found else b"false"
        elif choice.ending == "srj":
            body = formats.pretty_json(json.loads(found.serialize(format=choice.format) or b""))
        else:
            body = found.serialize(format=choice.format) or b""
        return _typed(body, choice, "query-result")

    def _is_made_up(self, triple: ox.Triple) -> bool:
        found = self.store.quads_for_pattern(triple.subject, triple.predicate, triple.object)
        return next(found, None) is None

    def _found(self, query: str, call: Call) -> Any:
        default: list[Any] = [ox.NamedNode(one) for one in call.query.get("default-graph-uri", [])]
        named: list[Any] = [ox.NamedNode(one) for one in call.query.get("named-graph-uri", [])]
        if NIL.search(query):
            return self.store.query(NIL.sub("", query), default_graph=[ox.DefaultGraph()])
        if default or named:
            return self.store.query(query, default_graph=default, named_graphs=named)
        given = re.search(r"\bFROM\s*<", query, re.IGNORECASE) is not None
        return self.store.query(query, use_default_graph_as_union=not given)

    def _namespaces(self, call: Call, prefix: list[str]) -> Reply:
        known = self.kept["namespaces"]
        if not prefix:
            return content.list_namespaces(call, known) or plain(NO_FORMAT, status=406)
        reply = content.change_namespace(call, known, prefix[0])
        self._changed()
        return reply

    # --- statements -------------------------------------------------------------------------------

    def _statements(self, call: Call) -> Reply:
        if call.method == "GET":
            return _rdf(
                sorted(self._matching(call), key=_order), call.headers.get("Accept"), "statements"
            )
        update = call.form().get("update", call.last("update"))
        if call.method == "POST" and call.content_type == "application/sparql-update":
            update = call.body.decode("utf-8", errors="replace")
        if call.method == "POST" and update is not None:
            return self._update(update)
        return self._load(call)

    def _load(self, call: Call) -> Reply:
        """Add what the body holds; PUT replaces everything first, an empty body too. A blank node
        is one of this call, unless the caller says that labels stay.
        """
        if call.content_type == content.TRANSACTION:
            return self._transact(call)
        rdf = formats.rdf_of(call.content_type)
        if rdf is None:
            return plain(f"Unsupported MIME type: {call.content_type or 'null'}", status=415)
        graphs = _graphs(call)
        try:
            base = (call.last("baseURI") or "").removeprefix("<").removesuffix(">")
            renamed = call.last("preserveNodeId") != "true"
            parser = ox.parse(
                call.body, format=rdf, base_iri=base or None, rename_blank_nodes=renamed
            )
            quads = list(parser)
        except (SyntaxError, ValueError) as wrong:
            return plain(f"MALFORMED DATA: {wrong}", status=400)
        if call.method == "PUT":
            for quad in list(self._matching(call)):
                self.store.remove(quad)
        for quad in quads:
            for graph in graphs or [quad.graph_name]:
                self.store.add(ox.Quad(quad.subject, quad.predicate, quad.object, graph))
        content.take_prefixes(self.kept["namespaces"], parser.prefixes)
        return self._keep()

    def _transact(self, call: Call) -> Reply:
        """Carry a document of changes out, or none of it."""
        try:
            found, known = content.read_transaction(call.body, self.store, self.kept["namespaces"])
        except (ValueError, KeyError) as wrong:
            return content.transaction_failed(wrong)
        self.store.clear()
        self.store.extend(found)
        self.kept["namespaces"] = known
        return self._keep()

    def _update(self, update: str) -> Reply:
        if not update:
            return plain("Updates must be non-empty", status=400)
        try:
            self._change(update)
        except SyntaxError as wrong:
            return plain(f"MALFORMED QUERY: {wrong}", status=400)
        except (ValueError, OSError, RuntimeError) as wrong:
            said = f"org.eclipse.rdf4j.query.UpdateExecutionException: {wrong}"
            return plain(said, status=500)
        return self._keep()

    def _change(self, update: str) -> None:
        """Change the store as RDF4J does, to which a graph without statements and one that is
        absent are the same.
        """
        made: set[str] = set()
        while True:
            try:
                self.store.update(update)
                break
            except RuntimeError as wrong:
                absent = re.fullmatch(r"The graph <(.+)> does not exist", str(wrong))
                if absent is None or absent[1] in made:
                    raise
                made.add(absent[1])
                self.store.add_graph(ox.NamedNode(absent[1]))
        for graph in list(self.store.named_graphs()):
            if next(self.store.quads_for_pattern(None, None, None, graph), None) is None:
                self.store.remove_graph(graph)

    def _keep(self) -> Reply:
        dump = self.store.dump(format=ox.RdfFormat.N_QUADS) or b""
        self.kept["nquads"] = dump.decode()
        self._changed()
        return Reply(DONE.status, b"", None, dict(DONE.headers))

    def _matching(self, call: Call) -> Iterable[ox.Quad]:
        """Find the quads of the given graphs and terms; without any, all of them."""
        subj, pred, obj = (_term(call.last(name), name) for name in ("subj", "pred", "obj"))
        graphs = _graphs(call) or [None]
        found = (self.store.quads_for_pattern(subj, pred, obj, graph) for graph in graphs)
        return (quad for quads in found for quad in quads)


def _rdf(quads: list[ox.Quad], accept: str | None, name: str) -> Reply:
    choice = formats.choose_representation(accept, formats.RDF, formats.ALIASES)
    if choice is None:
        return plain(NO_FORMAT, status=406)
    if choice.format.supports_datasets:
        data: Iterable[Any] = quads
    else:
        # Formats without graphs lose them; RDF4J says nothing about it.
        data = [quad.triple for quad in quads]
    body = ox.serialize(data, format=choice.format) or b""
    return _typed(body, choice, name)


def _order(quad: ox.Quad) -> tuple[str, bool, str]:
    """Sort for people and for comparing: the default graph first, blank nodes last."""
    graph = "" if isinstance(quad.graph_name, ox.DefaultGraph) else str(quad.graph_name)
    return graph, isinstance(quad.subject, ox.BlankNode), str(quad)


def _typed(body: bytes, choice: formats.Representation, name: str) -> Reply:
    headers = formats.make_download_headers(name, choice.ending)
    return Reply(200, body, f"{choice.media}; charset={choice.charset}", headers)


def _first(query: str, variable: str) -> int:
    found = re.search(rf"[?$]{re.escape(variable)}\b", query)
    return found.start() if found else len(query)


def _graphs(call: Call) -> list[Graph]:
    named = call.query.get("context", [])
    return [ox.DefaultGraph() if value == "null" else _term(value, "context") for value in named]


def _term(value: str | None, name: str) -> Any:
    """Read an N-Triples term. Raises BadParameter with RDF4J's sentence."""
    if value is None:
        return None
    wrong_with_it = "Not a legal N-Triples resource: " if name == "context" else ""
    said = f"Invalid value for parameter '{name}': {wrong_with_it}{value}"
    if name == "context" and not value.startswith(("<", "_:")):
        raise BadParameter(said)
    try:
        line = f"<http://s> <http://p> {value} ."
        return next(iter(ox.parse(line, format=ox.RdfFormat.N_TRIPLES))).object
    except (SyntaxError, StopIteration) as wrong:
        raise BadParameter(said) from wrong
