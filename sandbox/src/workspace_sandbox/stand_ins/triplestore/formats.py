"""The representation that a client gets: the media types RDF4J reads and writes, chosen by Accept
and Content-Type.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pyoxigraph as ox

from workspace_sandbox.stand_ins.triplestore.wire import Reply


class Representation(NamedTuple):
    """One way to write data: its media type, charset and file ending as RDF4J names them."""

    media: str
    ending: str
    format: Any
    charset: str = "UTF-8"


RDF = (
    Representation("application/n-triples", "nt", ox.RdfFormat.N_TRIPLES),
    Representation("application/n-quads", "nq", ox.RdfFormat.N_QUADS),
    Representation("text/turtle", "ttl", ox.RdfFormat.TURTLE),
    Representation("application/trig", "trig", ox.RdfFormat.TRIG),
    Representation("application/rdf+xml", "rdf", ox.RdfFormat.RDF_XML),
    Representation("application/ld+json", "jsonld", ox.RdfFormat.JSON_LD),
    Representation("text/n3", "n3", ox.RdfFormat.N3),
)
TABLES = (
    Representation("text/csv", "csv", ox.QueryResultsFormat.CSV),
    Representation("application/sparql-results+json", "srj", ox.QueryResultsFormat.JSON),
    Representation("application/sparql-results+xml", "srx", ox.QueryResultsFormat.XML),
    Representation("text/tab-separated-values", "tsv", ox.QueryResultsFormat.TSV),
)
BOOLEANS = (*TABLES[1:3], Representation("text/boolean", "txt", None, "US-ASCII"))

ALIASES: Mapping[str, str] = {
    "text/plain": "application/n-triples",
    "text/x-nquads": "application/n-quads",
    "text/nquads": "application/n-quads",
    "application/x-turtle": "text/turtle",
    "text/ttl": "text/turtle",
    "application/x-trig": "application/trig",
    "text/rdf+n3": "text/n3",
    "text/xml": "application/rdf+xml",
    "application/xml": "application/rdf+xml",
}
TABLE_ALIASES: Mapping[str, str] = {
    "application/json": "application/sparql-results+json",
    "application/xml": "application/sparql-results+xml",
}


def choose_representation(
    accept: str | None, offered: Sequence[Representation], aliases: Mapping[str, str]
) -> Representation | None:
    """Choose by Accept, the first offer when it does not matter; None is "No acceptable file format
    found.".
    """
    if not accept or not accept.strip():
        return offered[0]
    by_media = {one.media: one for one in offered}
    for media in _by_preference(accept):
        if media == "*/*":
            return offered[0]
        found = by_media.get(media) or by_media.get(aliases.get(media, ""))
        if found is not None:
            return found
    return None


def rdf_of(content_type: str) -> Any:
    """Give the format a body is in, None for one that is not RDF."""
    media = ALIASES.get(content_type, content_type)
    return next((one.format for one in RDF if one.media == media), None)


def pretty_json(document: Any) -> bytes:
    """Write JSON as RDF4J and the editor do: two blanks, a blank on either side of the colon, `{ }`
    for nothing.
    """
    written = json.dumps(document, indent=2, separators=(",", " : "), ensure_ascii=False)
    return re.sub(
        r"(?m)(?<=: )(\{\}|\[\])(?=,?$)", lambda m: f"{m[0][0]} {m[0][1]}", written
    ).encode()


def table(
    accept: str | None, name: str, columns: Sequence[str], rows: Sequence[Mapping[str, str]]
) -> Reply | None:
    """Answer a small table as RDF4J does, CSV unless asked otherwise; None when nothing acceptable
    is offered.
    """
    offered = [one for one in TABLES if one.ending != "tsv"]
    choice = choose_representation(accept, offered, TABLE_ALIASES)
    if choice is None:
        return None
    if choice.ending == "csv":
        lines = [
            ",".join(columns),
            *(",".join(row.get(c, "true") for c in columns) for row in rows),
        ]
        body = "".join(f"{line}\r\n" for line in lines).encode()
    elif choice.ending == "srx":
        body = _xml(columns, rows)
    else:
        bindings = [{column: _cell(column, row) for column in columns} for row in rows]
        body = pretty_json({"head": {"vars": list(columns)}, "results": {"bindings": bindings}})
    return Reply(
        200, body, f"{choice.media}; charset=UTF-8", make_download_headers(name, choice.ending)
    )


def make_download_headers(name: str, ending: str) -> dict[str, str]:
    return {
        "Content-Language": "en",
        "Content-Disposition": f"attachment; filename={name}.{ending}",
    }


def _cell(column: str, row: Mapping[str, str]) -> dict[str, str]:
    if column == "contextID" and row[column].startswith("_:"):
        return {"type": "bnode", "value": row[column][2:]}
    if column in {"uri", "contextID"}:
        return {"type": "uri", "value": row[column]}
    if column in row:
        return {"type": "literal", "value": row[column]}
    boolean = "http://www.w3.org/2001/XMLSchema#boolean"
    return {"datatype": boolean, "type": "literal", "value": "true"}


def _xml(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> bytes:
    document = ElementTree.Element("sparql", xmlns="http://www.w3.org/2005/sparql-results#")
    head = ElementTree.SubElement(document, "head")
    for column in columns:
        ElementTree.SubElement(head, "variable", name=column)
    results = ElementTree.SubElement(document, "results")
    for row in rows:
        result = ElementTree.SubElement(results, "result")
        for column in columns:
            cell = _cell(column, row)
            binding = ElementTree.SubElement(result, "binding", name=column)
            typed = {"datatype": cell["datatype"]} if "datatype" in cell else {}
            ElementTree.SubElement(binding, cell["type"], typed).text = cell["value"]
    written: bytes = ElementTree.tostring(document, encoding="utf-8", xml_declaration=True)
    return written


def _by_preference(accept: str) -> list[str]:
    weighted: list[tuple[float, str]] = []
    for part in accept.split(","):
        media, *parameters = [piece.strip().lower() for piece in part.split(";")]
        weight = next((p[2:] for p in parameters if p.startswith("q=")), "1")
        try:
            weighted.append((-float(weight), media))
        except ValueError:
            weighted.append((-1.0, media))
    return [media for _, media in sorted(weighted, key=lambda one: one[0])]
