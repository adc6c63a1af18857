"""`groups`: made, found, deleted, and who is in them. Groups below others are not imitated."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import people
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.admin_users import managed, viewed
from workspace_sandbox.stand_ins.identity_provider.answers import (
    Doc,
    admin_error,
    answer_document,
    answer_empty,
    created,
    forbidden,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.realm import new_id
from workspace_sandbox.stand_ins.identity_provider.representations import GROUP

ROUTES = Routes()
CALLER = "workspace_manager.systems.identity_provider.client.groups:GroupClient"
LIFE = "tests.systems.identity_provider.life_of_groups:GroupLife"
MOST = 100
MEMBER = "users/{user}/groups/{group}"


def _group(call: AdminCall, otherwise: str = "Could not find group by id") -> Doc:
    """The group of the path; that there is none is told to everybody, as the real one does."""
    group = call.realm.groups.get(call.parts["group"])
    if group is None:
        raise not_found(otherwise)
    return group


def _need_list(call: AdminCall) -> None:
    if not (call.may_view("users") or "query-groups" in call.rights):
        raise forbidden()


def _shown(call: AdminCall, group: Doc, *, brief: bool) -> Doc:
    document: Doc = {"id": group["id"], "name": group["name"], "path": f"/{group['name']}"}
    document |= {"subGroupCount": 0, "subGroups": []}
    if not brief:
        document |= {"attributes": group["attributes"], "realmRoles": [], "clientRoles": {}}
    manages = "manage-users" in call.rights
    flags = ("manageMembers", "manage", "manageMembership")
    access = {"view": True, "viewMembers": True, **dict.fromkeys(flags, manages)}
    return document | {"access": access}


def _chosen(call: AdminCall) -> list[Doc]:
    wanted = (call.text("search") or "").strip()
    exact = bool(call.flag("exact", False))
    return [
        group
        for group in sorted(call.realm.groups.values(), key=lambda group: str(group["name"]))
        if (group["name"] == wanted if exact else wanted.lower() in group["name"].lower())
        or not wanted
    ]


@ROUTES.on("GET", "groups", f"{CALLER}.find_group")
async def list_groups(call: AdminCall) -> web.Response:
    _need_list(call)
    groups = call.page(_chosen(call)) if call.may_view("users") else []
    brief = bool(call.flag("briefRepresentation", True))
    return answer_document([_shown(call, group, brief=brief) for group in groups])


@ROUTES.on("GET", "groups/count", f"{CALLER}.some_group")
async def count(call: AdminCall) -> web.Response:
    _need_list(call)
    return answer_document({"count": len(_chosen(call))})


@ROUTES.on("POST", "groups", f"{CALLER}.create_group")
async def create(call: AdminCall) -> web.Response:
    call.need_manage("users")
    given = call.json(GROUP)
    name = str(given.get("name") or "")
    if not name.strip():
        raise admin_error(400, "Group name is missing")
    if call.realm.group_named(name):
        raise admin_error(409, f"Top level group named '{name}' already exists.")
    group = {"id": new_id(), "name": name, "attributes": given.get("attributes", {}), "members": []}
    call.realm.groups[group["id"]] = group
    call.store.changed()
    return created(call.location(f"groups/{group['id']}"))


@ROUTES.on("DELETE", "groups/{group}", f"{CALLER}.delete_group")
async def delete(call: AdminCall) -> web.Response:
    group = _group(call)
    call.need_manage("users")
    del call.realm.groups[group["id"]]
    call.store.changed()
    return answer_empty(cached=False)


@ROUTES.on("GET", "groups/{group}/members", f"{CALLER}.members")
async def members(call: AdminCall) -> web.Response:
    group = _group(call)
    call.need_view("users")
    inside = [call.realm.users[user] for user in group["members"] if user in call.realm.users]
    brief = bool(call.flag("briefRepresentation", False))
    page = call.page(sorted(inside, key=lambda user: str(user["username"])), MOST)
    return answer_document([people.render_user(call.realm, user, brief=brief) for user in page])


@ROUTES.on("PUT", MEMBER, f"{CALLER}.join")
async def join(call: AdminCall) -> web.Response:
    user = managed(call)
    group = _group(call, "Group not found")
    if user["id"] not in group["members"]:
        group["members"].append(user["id"])
    call.store.changed()
    return answer_empty(cached=False)


@ROUTES.on("DELETE", MEMBER, f"{CALLER}.leave")
async def leave(call: AdminCall) -> web.Response:
    user = managed(call)
    group = _group(call, "Group not found")
    group["members"] = [member for member in group["members"] if member != user["id"]]
    call.store.changed()
    return answer_empty(cached=False)


@ROUTES.on("GET", "users/{user}/groups", LIFE)
async def of_user(call: AdminCall) -> web.Response:
    user = viewed(call)
    return answer_document(
        [
            {"id": group["id"], "name": group["name"], "path": f"/{group['name']}", "subGroups": []}
            for group in call.realm.groups_of(user)
        ]
    )
