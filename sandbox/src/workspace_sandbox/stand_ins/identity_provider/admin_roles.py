"""Roles of a client and which of them an account holds: what a service account is given."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import people
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.admin_users import managed, viewed
from workspace_sandbox.stand_ins.identity_provider.answers import (
    Doc,
    answer_document,
    answer_empty,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.representations import ROLE

ROUTES = Routes()
CLIENT = "workspace_manager.systems.identity_provider.client.roles:RoleClient"
ADMINISTRATORS = (
    "workspace_manager.systems.identity_provider.client.administrators:AdministratorClient.ids"
)
HELD = "users/{user}/role-mappings/clients/{client}"


def render_role(role: Doc) -> Doc:
    document: Doc = {"id": role["id"], "name": role["name"]}
    if "description" in role:
        document["description"] = role["description"]
    return document | {
        "composite": bool(role["composites"]),
        "clientRole": role["clientRole"],
        "containerId": role["containerId"],
    }


@ROUTES.on("GET", "clients/{client}/roles", f"{CLIENT}.give_roles", ADMINISTRATORS)
async def list_roles(call: AdminCall) -> web.Response:
    client = call.parts["client"]
    if client not in call.realm.clients:
        call.need_query("clients")
        raise not_found("Could not find client")
    call.need_view("clients")
    wanted = (call.text("search") or "").lower()
    roles = [role for role in call.realm.roles_in(client) if wanted in role["name"].lower()]
    return answer_document(call.page([render_role(role) for role in roles]))


def _role(call: AdminCall) -> Doc:
    client = _client(call)
    call.need_view("clients")
    role = call.realm.role_named(call.parts["role"], client)
    if role is None:
        raise not_found("Could not find role")
    return role


@ROUTES.on("GET", "clients/{client}/roles/{role}/users", ADMINISTRATORS)
async def holders(call: AdminCall) -> web.Response:
    """Return who was given this very role, not who has it by a group or by another role."""
    role = _role(call)
    users = [user for user in call.realm.users.values() if role["id"] in user["roles"]]
    return answer_document(
        call.page([people.render_user(call.realm, user, brief=True) for user in users])
    )


@ROUTES.on("GET", "clients/{client}/roles/{role}/groups", ADMINISTRATORS)
async def groups_holding(call: AdminCall) -> web.Response:
    """Groups have no roles here."""
    _role(call)
    return answer_document([])


def _client(call: AdminCall) -> str:
    if call.parts["client"] not in call.realm.clients:
        raise not_found("Client not found")
    return call.parts["client"]


@ROUTES.on("GET", HELD, f"{CLIENT}.held_roles")
async def held_roles(call: AdminCall) -> web.Response:
    holder, client = viewed(call), _client(call)
    roles = [call.realm.roles[role_id] for role_id in holder["roles"]]
    return answer_document([render_role(role) for role in roles if role["containerId"] == client])


@ROUTES.on("POST", HELD, f"{CLIENT}.give_roles")
async def add(call: AdminCall) -> web.Response:
    holder = managed(call)
    _client(call)
    roles = [call.realm.roles.get(item.get("id", "")) for item in call.json_list(ROLE)]
    if any(role is None for role in roles):
        raise not_found("Role not found")
    for role in roles:
        if role and role["id"] not in holder["roles"]:
            holder["roles"].append(role["id"])
    call.store.changed()
    return answer_empty()
