"""The meanings of the answers of OpenGDB, and of the RDF4J server behind it
(docs/systems/triplestore.md).

Three different 404 matter: one that names the thing is absence, an empty one hides it for want of a
right, a page is a wrong address.
"""

from collections.abc import Mapping
from typing import Any

from tests.recorded.expected_meaning import NO_ANSWER, Table, rows

USER, USERS = "/rest/security/users/{user}", "/rest/security/users"
REPOSITORY, REPOSITORIES = "/rest/repositories/{repository}", "/rest/repositories"
DATA, STORED = "/repositories/{repository}", "/repositories"
TOKEN, PRODUCT = "/api-token-auth/", "/rest/security"

ROUTES = (
    TOKEN,
    PRODUCT,
    USERS,
    USER,
    REPOSITORIES,
    REPOSITORY,
    f"{REPOSITORY}/{{part...}}",
    STORED,
    DATA,
    f"{DATA}/{{part...}}",
    "/rdf4j-server/{part...}",
    "/admin",
    "/admin/{page...}",
    "/query/{repository}",
    "/rest/{unknown...}",
    "/{unknown...}",
)


def code(
    status: int | None, kind: str, text: str, document: Any, headers: Mapping[str, str]
) -> str:
    """`page`, `nothing`, the sentence of a refusal (of RDF4J's, what stands before the colon), or
    the content type of a success.
    """
    if kind == "text/html" and text.lstrip()[:1] == "<":
        return "page"
    if 300 <= (status or 0) < 400:
        return f"to {headers.get('location', '').partition('?')[0]}"
    if not text.strip():
        return "nothing"
    if (status or 0) < 300:
        return kind
    if isinstance(document, dict):
        return _sentence(document)
    line = text.strip().splitlines()[0]
    return line.partition(":")[0] if kind == "text/plain" else line


def _sentence(document: dict[str, Any]) -> str:
    error = document.get("error")
    inner = error.get("message") if isinstance(error, dict) else None
    several = document.get("non_field_errors") or [None]
    found = document.get("detail") or document.get("message") or inner or several[0]
    return str(found or "fields: " + ", ".join(sorted(document)))


TABLE = Table(
    "triplestore",
    ROUTES,
    rows(
        (
            ("*", "*", NO_ANSWER, "*", "unavailable"),
            ("*", "*", 429, "*", "unavailable"),
            ("*", "*", "5xx", "*", "unavailable"),
            # What the client asks in order to know which product it is: OpenGDB has no such
            # address.
            ("GET", PRODUCT, 404, "page", "done"),
            ("*", "*", 401, "*", "denied"),
            ("*", "*", 403, "*", "denied"),
            ("*", "*", "3xx", "to /admin*", "denied"),
            ("*", "*", "3xx", "*", "invalid"),
            ("*", "*", 404, "nothing", "denied"),
            ("*", "*", 404, "No * matches the given query.", "gone"),
            ("*", "*", 404, "Not found.", "gone"),
            ("*", "*", 404, "Unknown repository*", "gone"),
            ("*", "*", 404, "*", "invalid"),
            ("*", "*", 409, "*", "conflict"),
            ("*", "*", 400, "*already exists*", "conflict"),
            ("*", "*", 400, "UNIQUE constraint*", "conflict"),
            ("POST", TOKEN, 400, "Unable to log in*", "denied"),
            ("*", "*", "4xx", "*", "invalid"),
        ),
        (
            ("*", "*", "2xx", "page", "invalid"),
            ("POST", TOKEN, 200, "application/json", "done"),
            ("GET", USERS, 200, "application/json", "done"),
            ("GET", USER, 200, "application/json", "done"),
            ("POST", USER, 201, "nothing", "done"),
            ("PUT", USER, 200, "nothing", "done"),
            ("DELETE", USER, 204, "nothing", "done"),
            ("PATCH", USER, 200, "nothing", "done"),
            ("GET", REPOSITORIES, 200, "application/json", "done"),
            ("POST", REPOSITORIES, 200, "nothing", "done"),
            ("POST", REPOSITORIES, 201, "nothing", "done"),
            ("PUT", REPOSITORY, "2xx", "nothing", "done"),
            ("DELETE", REPOSITORY, "2xx", "nothing", "done"),
            # The client reads the list as JSON: a table in another form is not what it asked for.
            ("GET", STORED, 200, "application/sparql-results+json", "done"),
            ("GET", STORED, 200, "*", "invalid"),
            ("*", "*", "2xx", "*", "done"),
        ),
    ),
    code,
)
