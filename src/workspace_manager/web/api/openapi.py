"""The OpenAPI document, with every error that an operation may answer. What the framework leaves
out is added from the routes themselves.
"""

from collections.abc import Iterator
from typing import Any

from ninja import NinjaAPI
from ninja.operation import Operation

from workspace_manager.web.api.auth import Role
from workspace_manager.web.api.examples import describe
from workspace_manager.web.api.gate import BODIES
from workspace_manager.web.api.problems import MEDIA_TYPE, Problem
from workspace_manager.web.rate import SAFE

DESCRIPTION = """People ask to join, are approved, work, and leave every system again.

Sign in with the session cookie (unsafe methods then need the header `X-CSRFToken` with the value of
the cookie `csrftoken`) or send `Authorization: Bearer <api token>`. Lists take `limit` and `offset`
and answer `{"items": […], "count": n}`. Every error is a problem document (RFC 9457): `type`,
`title`, `status`, `detail`, and `errors` (422), `reason` (409), `plan` (the plan that is in the
way)."""

SECURITY = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": (
            "Unsafe methods also need the header X-CSRFToken with the value of the cookie "
            "csrftoken."
        ),
    },
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": (
            "A personal API token. Its scope is one of: `read` (whatever its person may see, no "
            "secrets), `own` (reading and changing as somebody without a role), `administration` "
            "(whatever its person may do, but nothing that asks for a fresh sign-in). No token "
            "makes tokens. `operation`: settings of systems too; such a token is made on the "
            "server alone."
        ),
    },
}

SAYS = "x-problems"
"""The key under which a route names statuses that its shape does not show; removed from the
published document.
"""

WORDS = {
    400: "The body cannot be read.",
    401: "Nobody is signed in, or the token is not good.",
    403: (
        "The role is lacking, the thing is somebody else's, or the session came without its proof."
    ),
    404: "There is nothing with this id, or nothing that is shown to you.",
    409: "The state does not allow it; `reason` says why and what to do.",
    413: "The body is too large.",
    415: "The body is not declared as JSON.",
    416: "The range is none of it; Content-Range says how long it is.",
    422: "Some fields cannot be used, or nobody knows them; `errors` says which and why.",
    429: "Too often: from this address, by this person or with this token. Retry-After says when.",
    502: "A system refused, or was not understood.",
    503: "A system or the database is not available; Retry-After says when to ask again.",
}
HEADERS = {416: "Content-Range", 429: "Retry-After", 503: "Retry-After", 401: "WWW-Authenticate"}


def says(*statuses: int) -> dict[str, Any]:
    """Name further problems a route may answer: 409 when the state does not allow it, 429, 502."""
    return {SAYS: list(statuses)}


def complete_document(api: NinjaAPI, document: dict[str, Any]) -> dict[str, Any]:
    """Add errors, roles and the problem schema to the framework's document."""
    document["components"].setdefault("schemas", {})
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    document["components"]["schemas"] |= {**problem.pop("$defs"), "Problem": problem}
    document["components"]["securitySchemes"] = SECURITY
    by_id = {operation["operationId"]: operation for operation in _documented(document)}
    for operation in operations(api):
        told = by_id.get(api.get_openapi_operation_id(operation))
        if told is not None:
            _complete(told, operation)
    describe(document)
    return document


def _documented(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in document["paths"].values():
        yield from methods.values()


def operations(api: NinjaAPI) -> Iterator[Operation]:
    """Yield every operation as it is bound to its address."""
    for router in api._get_bound_routers():
        for view in router.path_operations.values():
            yield from view.operations


def role_of(operation: Operation) -> Role:
    """Return the role of an operation. Access is denied by default: nothing starts while a route
    does not have exactly one role.
    """
    (role,) = operation.auth_callbacks
    if not isinstance(role, Role):
        raise TypeError(f"{operation.view_func.__name__} has no role")
    return role


def _complete(told: dict[str, Any], operation: Operation) -> None:
    role = role_of(operation)
    (method,) = operation.methods
    scopes = [scope.value for scope in role.scopes(method)]
    nobody: list[dict[str, list[str]]] = [{}] if role.may_be_nobody else []
    told["security"] = [{"session": []}, *({"token": [scope]} for scope in scopes), *nobody]
    by_token = f"Tokens: {', '.join(scopes) or 'none'}."
    told["description"] = f"{told.get('description', '')}\n\nWho: {role.name}. {by_token}".strip()
    for status in sorted(_statuses(told, operation)):
        told["responses"].setdefault(status, _response(status))
    told.pop(SAYS, None)


def _statuses(told: dict[str, Any], operation: Operation) -> set[int]:
    found = {401, 403, 422, 503, *told.get(SAYS, [])}
    places = {parameter["in"] for parameter in told["parameters"]}
    if "path" in places:
        found.add(404)
    if BODIES & set(operation.methods):
        found |= {400, 413, 415}
    if not set(operation.methods) <= SAFE:
        found.add(429)
    return found


def _response(status: int) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": WORDS[status],
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if status in HEADERS:
        response["headers"] = {HEADERS[status]: {"schema": {"type": "string"}}}
    return response
