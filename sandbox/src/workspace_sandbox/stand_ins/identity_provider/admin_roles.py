"""Roles and who holds them: `roles`, `clients/{id}/roles`, `roles-by-id`, `role-mappings`. Facts: `role-mapping-*.http`, O20."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import people
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.admin_users import managed, viewed
from workspace_sandbox.stand_ins.identity_provider.answers import (
    Doc,
    Refusal,
    admin_error,
    created,
    done,
    found,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.default_realm import add_role
from workspace_sandbox.stand_ins.identity_provider.representations import ROLE

ROUTES = Routes()


def shown(role: Doc, *, full: bool = False) -> Doc:
    document: Doc = {"id": role["id"], "name": role["name"]}
    if "description" in role:
        document["description"] = role["description"]
    document |= {
        "composite": bool(role["composites"]),
        "clientRole": role["clientRole"],
        "containerId": role["containerId"],
    }
    return document | ({"attributes": role["attributes"]} if full else {})


def _container(call: AdminCall, right: str) -> str:
    """The realm or the client whose roles are meant; `right` is view or manage."""
    client_id = call.parts.get("client")
    if client_id is None:
        call.need_view("realm") if right == "view" else call.need_manage("realm")
        return call.realm.id
    if client_id not in call.realm.clients:
        call.need_query("clients")
        raise not_found("Could not find client")
    call.need_view("clients") if right == "view" else call.need_manage("clients")
    return client_id


def _role(call: AdminCall, right: str = "view") -> Doc:
    role = call.realm.role_named(call.parts["role"], _container(call, right))
    if role is None:
        raise not_found("Could not find role")
    return role


def _path(call: AdminCall, name: str) -> str:
    client = call.parts.get("client")
    return f"clients/{client}/roles/{name}" if client else f"roles/{name}"


@ROUTES.on("GET", "roles")
@ROUTES.on("GET", "clients/{client}/roles")
async def listed(call: AdminCall) -> web.Response:
    roles = call.realm.roles_in(_container(call, "view"))
    wanted = (call.text("search") or "").lower()
    return found(call.page([shown(role) for role in roles if wanted in role["name"].lower()]))


@ROUTES.on("POST", "roles")
@ROUTES.on("POST", "clients/{client}/roles")
async def create(call: AdminCall) -> web.Response:
    container = _container(call, "manage")
    given = call.json(ROLE)
    name = given.get("name")
    if not name:
        raise Refusal(400, {"error": "role has no name"})
    if call.realm.role_named(name, container):
        raise admin_error(409, f"Role with name {name} already exists")
    role = add_role(call.realm, name, call.parts.get("client"), given.get("description"))
    role["attributes"] = given.get("attributes", {})
    call.changed(
        "CREATE", "CLIENT_ROLE" if role["clientRole"] else "REALM_ROLE", _path(call, name), given
    )
    return created(call.location(_path(call, name)))


@ROUTES.on("GET", "roles/{role}")
@ROUTES.on("GET", "clients/{client}/roles/{role}")
async def read(call: AdminCall) -> web.Response:
    return found(shown(_role(call), full=True))


@ROUTES.on("PUT", "roles/{role}")
@ROUTES.on("PUT", "clients/{client}/roles/{role}")
async def update(call: AdminCall) -> web.Response:
    role = _role(call, "manage")
    given = call.json(ROLE)
    for member in ("name", "description", "attributes"):
        if member in given:
            role[member] = given[member]
    call.changed(
        "UPDATE", "CLIENT_ROLE" if role["clientRole"] else "REALM_ROLE", _path(call, role["name"])
    )
    return done()


@ROUTES.on("DELETE", "roles/{role}")
@ROUTES.on("DELETE", "clients/{client}/roles/{role}")
async def delete(call: AdminCall) -> web.Response:
    role = _role(call, "manage")
    if role["id"] == call.realm.data["default_role"]:
        raise admin_error(
            400, f"{role['name']} is default role of the realm and cannot be removed."
        )
    drop(call, role)
    kind = "CLIENT_ROLE" if role["clientRole"] else "REALM_ROLE"
    call.changed("DELETE", kind, _path(call, role["name"]), shown(role))
    return done(cached=False)


def drop(call: AdminCall, role: Doc) -> None:
    """Remove a role everywhere it is held or part of another."""
    del call.realm.roles[role["id"]]
    for other in call.realm.roles.values():
        other["composites"] = [part for part in other["composites"] if part != role["id"]]
    for holder in (*call.realm.users.values(), *call.realm.groups.values()):
        holder["roles"] = [held for held in holder["roles"] if held != role["id"]]


@ROUTES.on("GET", "roles/{role}/users")
@ROUTES.on("GET", "clients/{client}/roles/{role}/users")
async def holders(call: AdminCall) -> web.Response:
    role = _role(call)
    access = {"manage": "manage-users" in call.rights}
    users = [user for user in call.realm.users.values() if role["id"] in user["roles"]]
    return found(call.page([people.shown(call.realm, user, access=access) for user in users]))


@ROUTES.on("GET", "roles/{role}/composites")
@ROUTES.on("GET", "clients/{client}/roles/{role}/composites")
async def composites(call: AdminCall) -> web.Response:
    return found([shown(call.realm.roles[part]) for part in _role(call)["composites"]])


@ROUTES.on("POST", "roles/{role}/composites")
@ROUTES.on("POST", "clients/{client}/roles/{role}/composites")
async def add_composites(call: AdminCall) -> web.Response:
    role = _role(call, "manage")
    for part in _named(call, call.json_list(ROLE)):
        if part["id"] not in role["composites"]:
            role["composites"].append(part["id"])
    call.store.changed()
    return done()


@ROUTES.on("GET", "roles-by-id/{role}")
async def by_id(call: AdminCall) -> web.Response:
    call.need_view("realm")
    role = call.realm.roles.get(call.parts["role"])
    if role is None:
        raise not_found("Could not find role with id")
    return found(shown(role, full=True))


# --- who holds them ----------------------------------------------------------------------------------------------------


def _holder(call: AdminCall, *, manage: bool) -> Doc:
    if "user" in call.parts:
        return managed(call) if manage else viewed(call)
    group = call.realm.groups.get(call.parts["group"])
    if group is None:
        raise not_found("Could not find group by id")
    call.need_manage("users") if manage else call.need_view("users")
    return group


def _where(call: AdminCall) -> str:
    client = call.parts.get("client")
    if client is None:
        return call.realm.id
    if client not in call.realm.clients:
        raise not_found("Client not found")
    return client


def _named(call: AdminCall, given: list[Doc]) -> list[Doc]:
    roles = [call.realm.roles.get(item.get("id", "")) for item in given]
    if any(role is None for role in roles):
        raise not_found("Role not found")
    return [role for role in roles if role]


def _both(pattern: str) -> list[str]:
    return [f"users/{{user}}/role-mappings{pattern}", f"groups/{{group}}/role-mappings{pattern}"]


async def mappings(call: AdminCall) -> web.Response:
    holder = _holder(call, manage=False)
    roles = [call.realm.roles[role_id] for role_id in holder["roles"]]
    document: Doc = {}
    realm_roles = [shown(role) for role in roles if not role["clientRole"]]
    if realm_roles and call.may_view("realm"):
        document["realmMappings"] = realm_roles
    for role in roles:
        client = call.realm.clients.get(role["containerId"])
        if client and call.may_view("clients"):
            held = document.setdefault("clientMappings", {}).setdefault(
                client["clientId"],
                {"id": client["id"], "client": client["clientId"], "mappings": []},
            )
            held["mappings"].append(shown(role))
    return found(document)


async def held_roles(call: AdminCall) -> web.Response:
    holder, where = _holder(call, manage=False), _where(call)
    roles = [call.realm.roles[role_id] for role_id in holder["roles"]]
    return found([shown(role) for role in roles if role["containerId"] == where])


async def available(call: AdminCall) -> web.Response:
    holder, where = _holder(call, manage=False), _where(call)
    return found([shown(r) for r in call.realm.roles_in(where) if r["id"] not in holder["roles"]])


async def effective(call: AdminCall) -> web.Response:
    holder, where = _holder(call, manage=False), _where(call)
    roles = call.realm.expanded(holder["roles"])
    return found([shown(role) for role in roles if role["containerId"] == where])


async def add(call: AdminCall) -> web.Response:
    holder = _holder(call, manage=True)
    _where(call)
    added = _named(call, call.json_list(ROLE))
    for role in added:
        if role["id"] not in holder["roles"]:
            holder["roles"].append(role["id"])
    _mapped(call, "CREATE", added)
    return done()


async def remove(call: AdminCall) -> web.Response:
    """Without a body every role of that realm or client is taken away."""
    holder, where = _holder(call, manage=True), _where(call)
    given = call.json_list(ROLE)
    roles = _named(call, given) if given else call.realm.roles_in(where) if not call.body else []
    gone = {role["id"] for role in roles}
    holder["roles"] = [role_id for role_id in holder["roles"] if role_id not in gone]
    _mapped(call, "DELETE", roles)
    return done()


def _mapped(call: AdminCall, operation: str, roles: list[Doc]) -> None:
    holder = call.parts.get("user") or call.parts["group"]
    kind = "users" if "user" in call.parts else "groups"
    client = call.parts.get("client")
    tail = f"clients/{client}" if client else "realm"
    shown_roles = [shown(role) for role in roles]
    resource = "CLIENT_ROLE_MAPPING" if client else "REALM_ROLE_MAPPING"
    call.changed(operation, resource, f"{kind}/{holder}/role-mappings/{tail}", shown_roles)


for _pattern in _both(""):
    ROUTES.on("GET", _pattern)(mappings)
for _tail in ("/realm", "/clients/{client}"):
    for _pattern in _both(_tail):
        ROUTES.on("GET", _pattern)(held_roles)
        ROUTES.on("POST", _pattern)(add)
        ROUTES.on("DELETE", _pattern)(remove)
        ROUTES.on("GET", f"{_pattern}/available")(available)
        ROUTES.on("GET", f"{_pattern}/composite")(effective)
