"""`client-scopes` and protocol mappers, of scopes and of clients. Facts: `keycloak.md` A10; `mapper-*.http`."""

import re

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import clients
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.admin_clients import client_of
from workspace_sandbox.stand_ins.identity_provider.answers import (
    NO_CACHE,
    Doc,
    admin_error,
    done,
    failed,
    found,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.realm import new_id
from workspace_sandbox.stand_ins.identity_provider.representations import MAPPER, SCOPE

ROUTES = Routes()


def _created(location: str) -> web.Response:
    return web.Response(status=201, headers={**NO_CACHE, "Location": location})


def _scope(call: AdminCall, right: str = "view") -> Doc:
    call.need_view("clients") if right == "view" else call.need_manage("clients")
    scope = call.realm.scopes.get(call.parts["scope"])
    if scope is None:
        raise not_found("Could not find client scope")
    return scope


@ROUTES.on("GET", "client-scopes")
async def listed(call: AdminCall) -> web.Response:
    call.need_query("clients")
    return found(list(call.realm.scopes.values()) if call.may_view("clients") else [])


@ROUTES.on("POST", "client-scopes")
async def create(call: AdminCall) -> web.Response:
    call.need_manage("clients")
    given = call.json(SCOPE)
    if not given.get("name"):
        raise failed()
    if not re.fullmatch(r"[A-Za-z0-9_.:/\-]+", given["name"]):
        raise admin_error(400, f'Unexpected name "{given["name"]}" for ClientScope')
    if given.get("protocol") not in {"openid-connect", "saml", "oid4vc"}:
        raise admin_error(400, "Unexpected protocol")
    if call.realm.scope_named(given["name"]):
        raise admin_error(409, f"Client Scope {given['name']} already exists")
    scope: Doc = {"id": given.get("id") or new_id(), "name": given["name"]}
    if "description" in given:
        scope["description"] = given["description"]
    scope |= {"protocol": given["protocol"], "attributes": given.get("attributes", {})}
    mappers = [clients.new_mapper(mapper) for mapper in given.get("protocolMappers", [])]
    if mappers:
        scope["protocolMappers"] = mappers
    call.realm.scopes[scope["id"]] = scope
    call.changed("CREATE", "CLIENT_SCOPE", f"client-scopes/{scope['id']}", given)
    return _created(call.location(f"client-scopes/{scope['id']}"))


@ROUTES.on("GET", "client-scopes/{scope}")
async def read(call: AdminCall) -> web.Response:
    return found(_scope(call))


@ROUTES.on("PUT", "client-scopes/{scope}")
async def update(call: AdminCall) -> web.Response:
    scope = _scope(call, "manage")
    given = call.json(SCOPE)
    old = scope["name"]
    for member in ("name", "description", "protocol"):
        if member in given:
            scope[member] = given[member]
    scope["attributes"] |= given.get("attributes", {})
    for client in call.realm.clients.values():
        for member in ("defaultClientScopes", "optionalClientScopes"):
            client[member] = [scope["name"] if name == old else name for name in client[member]]
    call.changed("UPDATE", "CLIENT_SCOPE", f"client-scopes/{scope['id']}", given)
    return done()


@ROUTES.on("DELETE", "client-scopes/{scope}")
async def delete(call: AdminCall) -> web.Response:
    scope = _scope(call, "manage")
    del call.realm.scopes[scope["id"]]
    for part in ("default_scopes", "optional_scopes"):
        call.realm.data[part] = [kept for kept in call.realm.data[part] if kept != scope["id"]]
    for client in call.realm.clients.values():
        for member in ("defaultClientScopes", "optionalClientScopes"):
            client[member] = [name for name in client[member] if name != scope["name"]]
    call.changed("DELETE", "CLIENT_SCOPE", f"client-scopes/{scope['id']}")
    return done(cached=False)


# --- the scopes new clients get ----------------------------------------------------------------------------------------


def _part(call: AdminCall) -> str:
    return "optional_scopes" if "/default-optional-" in call.request.path else "default_scopes"


@ROUTES.on("GET", "default-default-client-scopes")
@ROUTES.on("GET", "default-optional-client-scopes")
async def defaults(call: AdminCall) -> web.Response:
    call.need_view("clients")
    scopes = [call.realm.scopes[scope_id] for scope_id in call.realm.data[_part(call)]]
    return found([{"id": s["id"], "name": s["name"], "protocol": s["protocol"]} for s in scopes])


@ROUTES.on("PUT", "default-default-client-scopes/{scope}")
@ROUTES.on("PUT", "default-optional-client-scopes/{scope}")
@ROUTES.on("DELETE", "default-default-client-scopes/{scope}")
@ROUTES.on("DELETE", "default-optional-client-scopes/{scope}")
async def change_default(call: AdminCall) -> web.Response:
    call.need_manage("clients")
    scope = call.realm.scopes.get(call.parts["scope"])
    if scope is None:
        raise not_found("Client scope not found")
    part = _part(call)
    kept = [other for other in call.realm.data[part] if other != scope["id"]]
    call.realm.data[part] = kept if call.request.method == "DELETE" else [*kept, scope["id"]]
    call.store.changed()
    return done(cached=False)


# --- protocol mappers --------------------------------------------------------------------------------------------------


def _holder(call: AdminCall, right: str = "view") -> Doc:
    return client_of(call, right) if "client" in call.parts else _scope(call, right)


def _path(call: AdminCall) -> str:
    kind = "clients" if "client" in call.parts else "client-scopes"
    return f"{kind}/{call.parts.get('client') or call.parts['scope']}/protocol-mappers/models"


def _mapper(call: AdminCall, holder: Doc) -> Doc:
    for mapper in holder.get("protocolMappers") or []:
        if mapper["id"] == call.parts["mapper"]:
            found_mapper: Doc = mapper
            return found_mapper
    raise not_found("Model not found")


async def mapper_list(call: AdminCall) -> web.Response:
    return found(_holder(call).get("protocolMappers") or [])


async def mappers_of_protocol(call: AdminCall) -> web.Response:
    mappers = _holder(call).get("protocolMappers") or []
    return found([mapper for mapper in mappers if mapper["protocol"] == call.parts["protocol"]])


async def add_mapper(call: AdminCall) -> web.Response:
    holder = _holder(call, "manage")
    given = call.json(MAPPER)
    mapper = clients.add_mapper(holder, given)
    call.changed("CREATE", "PROTOCOL_MAPPER", f"{_path(call)}/{mapper['id']}", given)
    return _created(call.location(f"{_path(call)}/{mapper['id']}"))


async def add_mappers(call: AdminCall) -> web.Response:
    holder = _holder(call, "manage")
    for given in call.json_list(MAPPER):
        clients.add_mapper(holder, given)
    call.changed("CREATE", "PROTOCOL_MAPPER", _path(call))
    return done(cached=False)


async def read_mapper(call: AdminCall) -> web.Response:
    return found(_mapper(call, _holder(call)))


async def update_mapper(call: AdminCall) -> web.Response:
    mapper = _mapper(call, _holder(call, "manage"))
    given = call.json(MAPPER)
    mapper |= {name: value for name, value in given.items() if name != "id"}
    call.changed("UPDATE", "PROTOCOL_MAPPER", f"{_path(call)}/{mapper['id']}", given)
    return done(cached=False)


async def remove_mapper(call: AdminCall) -> web.Response:
    holder = _holder(call, "manage")
    mapper = _mapper(call, holder)
    holder["protocolMappers"] = [m for m in holder["protocolMappers"] if m["id"] != mapper["id"]]
    if not holder["protocolMappers"]:
        del holder["protocolMappers"]
    call.changed("DELETE", "PROTOCOL_MAPPER", f"{_path(call)}/{mapper['id']}")
    return done(cached=False)


for _of in ("clients/{client}", "client-scopes/{scope}"):
    _models = f"{_of}/protocol-mappers/models"
    ROUTES.on("GET", _models)(mapper_list)
    ROUTES.on("POST", _models)(add_mapper)
    ROUTES.on("GET", f"{_models}/{{mapper}}")(read_mapper)
    ROUTES.on("PUT", f"{_models}/{{mapper}}")(update_mapper)
    ROUTES.on("DELETE", f"{_models}/{{mapper}}")(remove_mapper)
    ROUTES.on("POST", f"{_of}/protocol-mappers/add-models")(add_mappers)
    ROUTES.on("GET", f"{_of}/protocol-mappers/protocol/{{protocol}}")(mappers_of_protocol)
