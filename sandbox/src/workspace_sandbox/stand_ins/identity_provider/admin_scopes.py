"""`client-scopes`, and the protocol mappers of clients."""

import re

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import clients
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.admin_clients import client_of
from workspace_sandbox.stand_ins.identity_provider.answers import (
    NO_CACHE,
    Doc,
    admin_error,
    answer_document,
    answer_empty,
    failed,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.realm import new_id
from workspace_sandbox.stand_ins.identity_provider.representations import MAPPER, SCOPE

ROUTES = Routes()
CALLER = "workspace_manager.systems.identity_provider.client.realm:RealmClient"
CHECKS = "tests.systems.identity_provider.life_of_checks:CheckLife"


def _created(location: str) -> web.Response:
    return web.Response(status=201, headers={**NO_CACHE, "Location": location})


def _scope(call: AdminCall) -> Doc:
    call.need_manage("clients")
    scope = call.realm.scopes.get(call.parts["scope"])
    if scope is None:
        raise not_found("Could not find client scope")
    return scope


@ROUTES.on(
    "GET",
    "client-scopes",
    f"{CALLER}.client_scopes",
)
async def list_scopes(call: AdminCall) -> web.Response:
    call.need_query("clients")
    return answer_document(list(call.realm.scopes.values()) if call.may_view("clients") else [])


@ROUTES.on(
    "POST",
    "client-scopes",
    f"{CALLER}.create_client_scope",
)
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
    call.store.changed()
    return _created(call.location(f"client-scopes/{scope['id']}"))


@ROUTES.on(
    "PUT",
    "client-scopes/{scope}",
    f"{CALLER}.put_client_scope",
)
async def update(call: AdminCall) -> web.Response:
    scope = _scope(call)
    given = call.json(SCOPE)
    old = scope["name"]
    for member in ("name", "description", "protocol"):
        if member in given:
            scope[member] = given[member]
    scope["attributes"] |= given.get("attributes", {})
    for client in call.realm.clients.values():
        for member in ("defaultClientScopes", "optionalClientScopes"):
            client[member] = [scope["name"] if name == old else name for name in client[member]]
    call.store.changed()
    return answer_empty()


# --- protocol mappers -----------------------------------------------------------------------------


MODELS = "clients/{client}/protocol-mappers/models"


def _mapper(call: AdminCall, holder: Doc) -> Doc:
    for mapper in holder.get("protocolMappers") or []:
        if mapper["id"] == call.parts["mapper"]:
            found_mapper: Doc = mapper
            return found_mapper
    raise not_found("Model not found")


@ROUTES.on("GET", MODELS, CHECKS)
async def mapper_list(call: AdminCall) -> web.Response:
    return answer_document(client_of(call).get("protocolMappers") or [])


@ROUTES.on(
    "POST",
    MODELS,
    f"{CALLER}.create_mapper",
)
async def add_mapper(call: AdminCall) -> web.Response:
    holder = client_of(call, "manage")
    given = call.json(MAPPER)
    mapper = clients.add_mapper(holder, given)
    call.store.changed()
    path = f"clients/{holder['id']}/protocol-mappers/models/{mapper['id']}"
    return _created(call.location(path))


@ROUTES.on(
    "PUT",
    f"{MODELS}/{{mapper}}",
    f"{CALLER}.put_mapper",
)
async def update_mapper(call: AdminCall) -> web.Response:
    mapper = _mapper(call, client_of(call, "manage"))
    given = call.json(MAPPER)
    mapper |= {name: value for name, value in given.items() if name != "id"}
    call.store.changed()
    return answer_empty(cached=False)


@ROUTES.on(
    "DELETE",
    f"{MODELS}/{{mapper}}",
    f"{CALLER}.delete_mapper",
)
async def remove_mapper(call: AdminCall) -> web.Response:
    holder = client_of(call, "manage")
    mapper = _mapper(call, holder)
    holder["protocolMappers"] = [m for m in holder["protocolMappers"] if m["id"] != mapper["id"]]
    if not holder["protocolMappers"]:
        del holder["protocolMappers"]
    call.store.changed()
    return answer_empty(cached=False)
