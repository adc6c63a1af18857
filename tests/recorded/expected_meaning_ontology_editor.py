"""The meanings of WebProtégé's answers (docs/systems/ontology-editor.md).

Content types lie there: a 404 with a `Link` header is a missing project, one without it a wrong
address or a server without the patch.
"""

from collections.abc import Mapping
from typing import Any

from tests.recorded.expected_meaning import NO_ANSWER, Table, rows

PROJECTS, PROJECT = "/data/projects", "/data/projects/{project}"
MEMBER = f"{PROJECT}/collaborators/{{name}}"
SIGN_IN = "/webprotege/oidc/login"

ROUTES = (
    PROJECTS,
    f"{PROJECTS}/",
    PROJECT,
    f"{PROJECT}/",
    MEMBER,
    f"{PROJECT}/{{part...}}",
    "/data",
    "/data/{unknown...}",
    SIGN_IN,
    "/webprotege/oidc/callback",
    "/webprotege/{part...}",
    "/",
    "/{page...}",
)


def code(
    status: int | None, kind: str, text: str, document: Any, headers: Mapping[str, str]
) -> str:
    """`link` or `page` for web pages, the sentence of a refusal, where a redirect leads, or the
    content type of a success.
    """
    if 300 <= (status or 0) < 400:
        to = headers.get("location", "")
        return f"to {to}" if to.startswith("/") else "to another host"
    if kind == "text/html":
        return "page with a link" if "link" in headers else "page"
    if not text.strip():
        return "nothing"
    if (status or 0) < 300:
        return kind
    if isinstance(document, dict):
        return str(document.get("message") or "refused")
    # Jackson goes on with the place in the input and the names of classes.
    return text.strip().splitlines()[0].partition(" `")[0].partition(":")[0]


TABLE = Table(
    "ontology-editor",
    ROUTES,
    rows(
        (
            ("*", "*", NO_ANSWER, "*", "unavailable"),
            ("*", "*", 429, "*", "unavailable"),
            ("*", "*", "5xx", "*", "unavailable"),
            # The client asks whether people can sign in: being sent on and not being there are both
            # an answer.
            ("GET", SIGN_IN, 302, "to *", "done"),
            ("GET", SIGN_IN, 404, "page", "done"),
            ("*", "*", 401, "*", "denied"),
            ("*", "*", 403, "*", "denied"),
            ("*", "*", 404, "page with a link", "gone"),
            ("*", "*", 404, "*", "invalid"),
            ("*", "*", "4xx", "*", "invalid"),
            ("*", "*", "3xx", "*", "invalid"),
        ),
        (
            ("*", "*", "2xx", "page*", "invalid"),
            ("GET", PROJECTS, 200, "application/json", "done"),
            ("POST", PROJECTS, 201, "application/json", "done"),
            ("GET", PROJECT, 200, "application/json", "done"),
            ("DELETE", PROJECT, 204, "nothing", "done"),
            ("PUT|DELETE", MEMBER, 204, "nothing", "done"),
            ("*", "*", "2xx", "*", "done"),
        ),
    ),
    code,
)
