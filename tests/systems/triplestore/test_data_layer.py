"""What RDF4J's own port answers, row by row as RDF4J 4.3.14 in Jetty 12 was seen to answer it."""

import httpx
import pytest

from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

CONFIG = """@prefix c: <tag:rdf4j.org,2023:config/> .
[] a c:Repository ; c:rep.id "a" ; c:rep.impl
[ c:rep.type "openrdf:SailRepository" ; c:sail.impl [ c:sail.type "openrdf:MemoryStore" ] ] ."""
DATA = '<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> "2"@en <urn:g1> .\n'
TURTLE, UPDATE, FORM = "text/turtle", "application/sparql-update", "application/x-www-form-urlencoded"  # fmt: skip
PLAIN, PAGE = "text/plain;charset=utf-8", "text/html;charset=iso-8859-1"
JSON = "application/sparql-results+json; charset=UTF-8"
NULL = '" because "repository" is null'
ALL = "SELECT * {?s ?p ?o} ORDER BY ?o"
A = "/repositories/a"


@pytest.fixture
def store(opengdb: TriplestoreStandIn) -> httpx.Client:
    client = httpx.Client(base_url=opengdb.rdf4j_url, headers={"Accept": "*/*"})
    made = client.put(A, content=CONFIG, headers={"Content-Type": TURTLE})
    filled = client.put(
        f"{A}/statements", content=DATA, headers={"Content-Type": "application/n-quads"}
    )
    assert (made.status_code, filled.status_code) == (204, 204)
    return client


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "content_type", "said"),
    [
        ("POST", f"{A}/size", None, 500, PLAIN, "Request method 'POST' not supported"),
        ("PATCH", A, None, 500, PLAIN, "Request method 'PATCH' not supported"),
        ("PUT", f"{A}/namespaces", None, 500, PLAIN, "Request method 'PUT' not supported"),
        ("POST", "/protocol", None, 500, PLAIN, "Request method 'POST' not supported"),
        ("OPTIONS", f"{A}/statements", None, 200, None, ""),
        ("GET", f"{A}/nonsense", None, 404, PAGE, "HTTP ERROR 404"),
        ("GET", f"{A}/", None, 404, PAGE, "HTTP ERROR 404"),
        ("GET", "/nonsense", None, 404, PAGE, "HTTP ERROR 404"),
        ("GET", "/", None, 302, None, ""),
        ("GET", "/repositories/", None, 500, PLAIN, f"getConnection(){NULL}"),
        ("GET", "/repositories/b/size", None, 404, PLAIN, "Unknown repository: b"),
        ("POST", "/repositories/b/size", None, 404, PLAIN, "Unknown repository: b"),
        ("PUT", "/repositories/b/statements", None, 500, PLAIN, f"getValueFactory(){NULL}"),
        ("PUT", "/repositories/b/config", None, 500, PLAIN, "'PUT' not supported"),
        ("GET", f"{A}/config", None, 200, "application/n-triples; charset=UTF-8", "rep.id"),
        ("POST", f"{A}/config", (TURTLE, CONFIG), 204, None, ""),
        ("POST", f"{A}/config", ("text/html", "x"), 400, PLAIN, "content type text/html"),
        ("POST", f"{A}/statements", (UPDATE, ""), 400, PLAIN, "Updates must be non-empty"),
        ("POST", f"{A}/statements", (FORM, "update="), 400, PLAIN, "Updates must be non-empty"),
        ("POST", f"{A}/statements", (TURTLE, "<r> <urn:p> 1 ."), 400, PLAIN, "MALFORMED DATA: "),
        ("POST", f"{A}/statements?baseURI=%3Curn:b%3E", (TURTLE, "<> a <urn:c> ."), 204, None, ""),
        ("PUT", f"{A}/namespaces/x", ("text/plain", ""), 400, PLAIN, "No namespace name found"),
        ("PUT", f"{A}/namespaces/x", ("text/plain", "x"), 400, PLAIN, "Namespace not valid"),
        ("GET", f"{A}?query=ASK+%7B%7D", None, 200, JSON, '"boolean" : true'),
        ("GET", f"{A}?query=", None, 400, PLAIN, "MALFORMED QUERY: "),
        ("GET", A, None, 400, PLAIN, "Missing parameter: query"),
        ("GET", f"{A}?query=ASK+%7B%7D&queryLn=x", None, 400, PLAIN, "Unknown query language: x"),
        ("GET", f"{A}/statements?pred=p", None, 400, PLAIN, "parameter 'pred': p"),
    ],
)
def test_each_row(
    store: httpx.Client,
    method: str,
    path: str,
    body: tuple[str, str] | None,
    status: int,
    content_type: str | None,
    said: str,
) -> None:
    headers = {"Content-Type": body[0]} if body else {}
    answer = store.request(method, path, content=body[1] if body else None, headers=headers)
    assert (answer.status_code, answer.headers.get("content-type")) == (status, content_type)
    assert said in answer.text


def test_columns_come_as_the_query_names_them(store: httpx.Client) -> None:
    assert store.get(A, params={"query": ALL}).text.splitlines()[0] == "s,p,o"


def test_a_query_may_name_its_graphs_beside(store: httpx.Client) -> None:
    found = store.get(A, params={"query": ALL, "default-graph-uri": "urn:g1"})
    assert found.text.splitlines()[1:] == ["urn:a,urn:p,2"]


def test_a_list_comes_as_xml_too(store: httpx.Client) -> None:
    headers = {"Accept": "application/sparql-results+xml"}
    found = store.get("/repositories", headers=headers)
    assert found.headers["content-type"] == "application/sparql-results+xml; charset=UTF-8"
    assert '<binding name="id"><literal>a</literal></binding>' in found.text


def test_options_name_the_methods(store: httpx.Client) -> None:
    allowed = store.options(f"{A}/statements").headers["allow"]
    assert allowed == "GET,POST,HEAD,PUT,DELETE,OPTIONS"
