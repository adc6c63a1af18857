"""Which addresses RDF4J's server has, and how it and the servlet container around it refuse (observed on RDF4J 4.3.14, Jetty 12)."""

import re
from html import escape

from workspace_sandbox.stand_ins.triplestore.wire import Call, Reply, plain

BASE = "/rdf4j-server"
ROUTES = tuple(
    (re.compile(pattern, re.DOTALL), methods)
    for pattern, methods in (
        (r"", "GET,HEAD,POST,OPTIONS"),
        (r"protocol", "GET,HEAD,OPTIONS"),
        (r"repositories", "GET,HEAD,OPTIONS"),
        (r"repositories/[^/]*", "GET,POST,PUT,DELETE,HEAD,OPTIONS"),
        (r"repositories/[^/]+/(?:size|contexts)", "GET,HEAD,OPTIONS"),
        (r"repositories/[^/]+/config", "GET,POST,HEAD,OPTIONS"),
        (r"repositories/[^/]+/statements", "GET,POST,HEAD,PUT,DELETE,OPTIONS"),
        (r"repositories/[^/]+/namespaces", "GET,HEAD,DELETE,OPTIONS"),
        (r"repositories/[^/]+/namespaces/[^/]+", "GET,HEAD,PUT,DELETE,OPTIONS"),
    )
)


def methods_of(path: str) -> str:
    """The methods of an address as its `Allow` names them; "" for an address that is none."""
    return next((methods for pattern, methods in ROUTES if pattern.fullmatch(path)), "")


def other_method(call: Call, methods: str) -> Reply | None:
    """Answer OPTIONS and what the address does not support, which is called an error of the server; None for the rest."""
    if call.method == "OPTIONS":
        return Reply(200, b"", None, {"Allow": methods})
    if call.method not in methods.split(","):
        return plain(f"Request method '{call.method}' not supported", status=500)
    return None


def without_repository(call: Call, methods: str, repository_id: str) -> Reply:
    """Refuse what is asked of a repository that is not there; a PUT is not looked up and falls on its face."""
    if call.method != "PUT":
        return plain(f"Unknown repository: {repository_id}", status=404)
    asked = "getValueFactory" if call.path.endswith("/statements") else "getConnection"
    return other_method(call, methods) or _no_object(asked)


def no_name() -> Reply:
    """Answer `/repositories/`, a repository without a name."""
    return _no_object("getConnection")


def front_page() -> Reply:
    return Reply(302, b"", None, {"Location": f"{BASE}/overview.view"})


def no_such_page(call: Call) -> Reply:
    """The container's own page."""
    asked = escape(BASE + call.raw_path.partition("?")[0])
    body = (
        '<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>\n'
        "<title>Error 404 Not Found</title>\n</head>\n<body><h2>HTTP ERROR 404 Not Found</h2>\n<table>\n"
        f"<tr><th>URI:</th><td>{asked}</td></tr>\n<tr><th>STATUS:</th><td>404</td></tr>\n"
        "<tr><th>MESSAGE:</th><td>Not Found</td></tr>\n<tr><th>SERVLET:</th><td>default</td></tr>\n</table>\n</body>\n</html>\n"
    )
    return Reply(404, body.encode("iso-8859-1", errors="replace"), "text/html;charset=iso-8859-1")


def _no_object(asked: str) -> Reply:
    said = f'Cannot invoke "org.eclipse.rdf4j.repository.Repository.{asked}()" because "repository" is null'
    return plain(said, status=500)
