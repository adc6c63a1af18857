"""The content of a repository besides statements, as RDF4J answers it: its prefixes, the names of
its graphs, and several changes in one document.
"""

import base64
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

import pyoxigraph as ox

from workspace_sandbox.stand_ins.triplestore import formats
from workspace_sandbox.stand_ins.triplestore.wire import Call, Reply, plain

TRANSACTION = "application/x-rdftransaction"
DONE = {"Content-Language": "en"}


def list_graphs(call: Call, store: ox.Store) -> Reply | None:
    """Answer with the graphs that have a name; None when nothing acceptable is offered."""
    rows = [{"contextID": _name(graph)} for graph in store.named_graphs()]
    return formats.table(call.headers.get("Accept"), "contexts", ["contextID"], rows)


def list_namespaces(call: Call, known: dict[str, str]) -> Reply | None:
    """Answer with the prefixes; None when nothing acceptable is offered."""
    rows = [{"prefix": prefix, "namespace": name} for prefix, name in known.items()]
    accept = call.headers.get("Accept")
    return formats.table(accept, "namespaces", ["prefix", "namespace"], rows)


def change_namespace(call: Call, known: dict[str, str], prefix: str) -> Reply:
    """Set or remove one; that there was none is not told."""
    if call.method == "DELETE":
        known.pop(prefix, None)
    else:
        known[prefix] = call.body.decode()
    return Reply(204, b"", None, dict(DONE))


def take_prefixes(known: dict[str, str], found: dict[str, str]) -> None:
    """A file's prefixes are taken over where there are none."""
    for prefix, name in found.items():
        known.setdefault(prefix, name)


def read_transaction(
    body: bytes, quads: Iterable[ox.Quad], known: dict[str, str]
) -> tuple[set[ox.Quad], dict[str, str]]:
    """Give what is there after all of it. Raises ValueError, and nothing has changed."""
    found, prefixes = set(quads), dict(known)
    try:
        operations = list(ElementTree.fromstring(body))
    except ElementTree.ParseError as wrong:
        raise ValueError(str(wrong)) from wrong
    for one in operations:
        if one.tag == "clear":
            found.clear()
        elif one.tag == "clearNamespaces":
            prefixes.clear()
        elif one.tag == "setNamespace":
            prefixes[one.attrib["prefix"]] = one.attrib["name"]
        elif one.tag == "add":
            found.add(_quad(one))
        else:
            raise ValueError(f"unexpected operation {one.tag}")
    return found, prefixes


def transaction_failed(wrong: Exception) -> Reply:
    return plain(str(wrong), status=500)


def _quad(operation: ElementTree.Element) -> ox.Quad:
    *terms, contexts = list(operation)
    graph = [_term(one) for one in contexts if one.tag != "null"] or [ox.DefaultGraph()]
    subject, predicate, value = map(_term, terms)
    return ox.Quad(subject, predicate, value, graph[0])


def _term(element: ElementTree.Element) -> Any:
    text = element.text or ""
    if element.tag == "uri":
        return ox.NamedNode(text)
    if element.tag == "bnode":
        return ox.BlankNode(text)
    if element.attrib.get("encoding") == "base64":
        text = base64.b64decode(text).decode()
    language = element.attrib.get("{http://www.w3.org/XML/1998/namespace}lang")
    datatype = element.attrib.get("datatype")
    if language:
        return ox.Literal(text, language=language)
    return ox.Literal(text, datatype=ox.NamedNode(datatype) if datatype else None)


def _name(graph: Any) -> str:
    return f"_:{graph.value}" if isinstance(graph, ox.BlankNode) else str(graph.value)
