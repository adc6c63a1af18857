"""The admin interface's front door: the token first, then the realm, then the route. Facts: `keycloak.md` A2; `admin-*.http`."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import (
    admin_clients,
    admin_groups,
    admin_realm,
    admin_roles,
    admin_scopes,
    admin_search,
    admin_users,
    realms,
    representations,
)
from workspace_sandbox.stand_ins.identity_provider.admin_call import (
    AdminCall,
    Caller,
    Handler,
    caller_of,
    match,
)
from workspace_sandbox.stand_ins.identity_provider.answers import (
    Refusal,
    admin_error,
    created,
    forbidden,
    found,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.realm import MASTER, Realm, Store

TABLE: list[tuple[str, list[str], Handler]] = sorted(
    (
        entry
        for module in (
            admin_realm,
            admin_search,
            admin_users,
            admin_groups,
            admin_clients,
            admin_scopes,
            admin_roles,
        )
        for entry in module.ROUTES.table
    ),
    key=lambda entry: sum(segment.startswith("{") for segment in entry[1]),
)


async def answer(
    store: Store, request: web.Request, body: bytes, segments: list[str]
) -> web.Response:
    """Answer `/admin/realms/…`; `segments` are what follows, decoded."""
    call = Call(store, request, store.master, body)
    if request.method == "OPTIONS":
        return web.Response()
    caller = caller_of(store, call.base, call.bearer())
    if not segments:
        return await _all(call, caller)
    realm = store.realm(segments[0])
    if realm is None:
        raise not_found("Realm not found.")
    rest = segments[1:] or [""]
    handler, parts, known = _handler(request.method, rest)
    admin = AdminCall(store, request, realm, body, parts, caller=caller)
    if rest[0] == "group-by-path" and request.method == "GET":
        return await admin_groups.by_path(admin, "/".join(rest[1:]))
    if handler is None:
        if rest[0] == "users" and rest[1:]:
            admin.parts = {"user": rest[1]}
            admin_users.user_of(admin)
        status, text = (405, "Method Not Allowed") if known else (404, "Not Found")
        raise Refusal(status, {"error": f"HTTP {status} {text}"})
    return await handler(admin)


def _handler(method: str, segments: list[str]) -> tuple[Handler | None, dict[str, str], bool]:
    """The handler of a route with the parts of its path, and whether the path is known at all, if with another method."""
    known = False
    for wanted, pattern, handler in TABLE:
        parts = match(pattern, segments)
        if parts is None:
            continue
        if wanted == ("GET" if method == "HEAD" else method):
            return handler, parts, True
        known = True
    return None, {}, known


async def _all(call: Call, caller: Caller) -> web.Response:
    if call.request.method == "GET":
        return _listed(call, caller)
    if call.request.method != "POST":
        raise Refusal(405, {"error": "HTTP 405 Method Not Allowed"})
    return _created(call, caller)


def _listed(call: Call, caller: Caller) -> web.Response:
    """The realms the caller has anything to do with."""
    brief = call.request.query.get("briefRepresentation") == "true"
    shown = []
    for data in call.store.realms.values():
        realm = Realm(data)
        rights = caller.rights(realm)
        if not rights:
            continue
        if not rights & {"view-realm", "manage-realm"}:
            shown.append({"realm": realm.name})
        elif brief:
            names = ("id", "realm", "displayName", "displayNameHtml", "enabled")
            shown.append({n: realm.setting(n) for n in names if realm.setting(n) is not None})
        else:
            shown.append(admin_realm.shown(realm))
    if not shown:
        raise forbidden()
    return found(shown)


def _created(call: Call, caller: Caller) -> web.Response:
    roles = {role["name"] for role in caller.realm.roles_of(caller.user)}
    if caller.realm.name != MASTER or "create-realm" not in roles:
        raise forbidden()
    try:
        given = representations.read(call.body, realms.REALM)
    except Refusal as refusal:
        raise admin_error(400, "unable to read contents from stream") from refusal
    realm = realms.create(call.store.realms, given)
    call.store.changed()
    return created(f"{call.base}/admin/realms/{realm.name}")
