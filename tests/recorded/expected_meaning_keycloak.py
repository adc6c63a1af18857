"""The meanings of Keycloak's answers (docs/systems/identity-provider.md).

The code in the body decides, not the status: versions differ in the latter. A 404 is an absence
only where it names what was asked for.
"""

from collections.abc import Mapping
from typing import Any

from tests.recorded.expected_meaning import NO_ANSWER, Table, rows

ADMIN = "/admin/realms/{realm}"
USERS, USER = f"{ADMIN}/users", f"{ADMIN}/users/{{user}}"
CLIENTS, CLIENT = f"{ADMIN}/clients", f"{ADMIN}/clients/{{client}}"
MAPPERS = f"{CLIENT}/protocol-mappers/models"
SCOPES = f"{ADMIN}/client-scopes"
GROUP = f"{ADMIN}/groups/{{group}}"
PUBLIC = "/realms/{realm}"
TOKEN = f"{PUBLIC}/protocol/openid-connect/token"
DISCOVERY = f"{PUBLIC}/.well-known/openid-configuration"

ROUTES = (
    "/admin/realms",
    ADMIN,
    USERS,
    f"{USERS}/",
    f"{USERS}/count",
    f"{USERS}/profile",
    f"{USERS}/profile/metadata",
    USER,
    f"{USER}/groups/{{group}}",
    f"{USER}/role-mappings{{roles...}}",
    f"{USER}/{{part...}}",
    CLIENTS,
    f"{CLIENTS}-initial-access",
    CLIENT,
    MAPPERS,
    f"{MAPPERS}/{{mapper}}",
    f"{CLIENT}/{{part...}}",
    SCOPES,
    f"{SCOPES}/{{scope}}",
    f"{SCOPES}/{{scope}}/{{part...}}",
    f"{ADMIN}/groups",
    GROUP,
    f"{GROUP}/{{part...}}",
    f"{ADMIN}/group-by-path/{{path...}}",
    f"{ADMIN}/attack-detection/{{part...}}",
    f"{ADMIN}/{{part...}}",
    TOKEN,
    f"{TOKEN}/introspect",
    DISCOVERY,
    f"{PUBLIC}/{{part...}}",
    PUBLIC,
    "/admin/{unknown...}",
    "/{unknown...}",
)


def code(
    status: int | None, kind: str, text: str, document: Any, headers: Mapping[str, str]
) -> str:
    """The text that identifies a refusal, with its description; `page`, `nothing`, or the content
    type of a success.
    """
    if kind == "text/html":
        return "page"
    if 300 <= (status or 0) < 400:
        to = headers.get("location", "")
        return f"to {to.partition('?')[0]}" + (" with an error" if "error=" in to else "")
    if not text.strip():
        return "nothing"
    if (status or 0) < 300:
        return kind
    if not isinstance(document, dict):
        return text.strip().splitlines()[0]
    said = str(document.get("errorMessage") or document.get("error") or "several")
    more = document.get("error_description")
    return f"{said.partition('.')[0]}: {more}" if more else said.partition(' "')[0]


TABLE = Table(
    "keycloak",
    ROUTES,
    rows(
        (
            ("*", "*", NO_ANSWER, "*", "unavailable"),
            ("*", "*", 429, "*", "unavailable"),
            ("*", "*", "5xx", "*", "unavailable"),
            ("*", "*", "3xx", "*", "invalid"),
            # A refused administrator is the same whether 400 or 401 says so.
            ("POST", TOKEN, 400, "invalid_grant: *", "denied"),
            ("POST", TOKEN, 400, "unauthorized_client: *", "denied"),
            ("POST", TOKEN, 400, "invalid_client: *", "denied"),
            ("*", "*", 401, "*", "denied"),
            ("*", "*", 403, "*", "denied"),
            ("*", f"{USER}*", 404, "User not found", "gone"),
            ("*", f"{CLIENT}*", 404, "Could not find client", "gone"),
            ("*", f"{MAPPERS}*", 404, "Model not found", "gone"),
            ("*", f"{SCOPES}*", 404, "Could not find client scope", "gone"),
            ("*", f"{GROUP}*", 404, "Could not find group by id", "gone"),
            ("*", f"{USER}/groups/{{group}}", 404, "Group not found", "gone"),
            ("GET", f"{ADMIN}/group-by-path*", 404, "Group path does not exist", "gone"),
            ("*", "*", 404, "*", "invalid"),
            ("*", "*", 409, "*", "conflict"),
            ("*", "*", "4xx", "*", "invalid"),
        ),
        (
            ("*", "*", "2xx", "page", "invalid"),
            ("POST", TOKEN, 200, "application/json", "done"),
            ("GET", USERS, 200, "application/json", "done"),
            ("POST", USERS, 201, "nothing", "done"),
            ("GET", USER, 200, "application/json", "done"),
            ("PUT|DELETE", USER, 204, "nothing", "done"),
            ("*", "*", "2xx", "*", "done"),
        ),
    ),
    code,
)
