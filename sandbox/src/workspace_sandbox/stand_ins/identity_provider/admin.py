"""The admin interface's front door: the token first, then the realm, then the route."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import (
    admin_clients,
    admin_groups,
    admin_realm,
    admin_roles,
    admin_scopes,
    admin_search,
    admin_sign_in,
    admin_users,
)
from workspace_sandbox.stand_ins.identity_provider.admin_call import (
    AdminCall,
    Handler,
    caller_of,
    match,
)
from workspace_sandbox.stand_ins.identity_provider.answers import (
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.realm import Store

MODULES = (
    admin_realm,
    admin_search,
    admin_users,
    admin_groups,
    admin_clients,
    admin_scopes,
    admin_roles,
    admin_sign_in,
)
ROUTES = tuple(route for module in MODULES for route in module.ROUTES.routes)
TABLE: list[tuple[str, list[str], Handler]] = sorted(
    (entry for module in MODULES for entry in module.ROUTES.table),
    key=lambda entry: sum(segment.startswith("{") for segment in entry[1]),
)


async def answer(
    store: Store, request: web.Request, body: bytes, segments: list[str]
) -> web.Response:
    """Answer `/admin/realms/…`; `segments` are what follows, decoded."""
    call = Call(store, request, store.master, body)
    caller = caller_of(store, call.base, call.bearer())
    realm = store.realm(segments[0])
    if realm is None:
        raise not_found("Realm not found.")
    handler, parts = _handler(request.method, segments[1:] or [""])
    return await handler(AdminCall(store, request, realm, body, parts, caller=caller))


def _handler(method: str, segments: list[str]) -> tuple[Handler, dict[str, str]]:
    """Return the handler of a served route, with the parts of its path."""
    for wanted, pattern, handler in TABLE:
        parts = match(pattern, segments)
        if parts is not None and wanted == method:
            return handler, parts
    raise not_found("HTTP 404 Not Found")
