"""Groups and their members. Joining and leaving may be repeated; a name with a slash makes paths ambiguous. Facts: A9, O12."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import people
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.admin_users import managed, viewed
from workspace_sandbox.stand_ins.identity_provider.answers import (
    NO_CACHE,
    Doc,
    admin_error,
    as_json,
    created,
    done,
    forbidden,
    found,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.realm import new_id
from workspace_sandbox.stand_ins.identity_provider.representations import GROUP

ROUTES = Routes()
MISSING = "Could not find group by id"
ACCESS = ("view", "viewMembers", "manageMembers", "manage", "manageMembership")


def _group(call: AdminCall) -> Doc:
    group = call.realm.groups.get(call.parts["group"])
    if group is None:
        raise not_found(MISSING)
    return group


def _viewed(call: AdminCall) -> Doc:
    group = _group(call)
    call.need_view("users")
    return group


def _managed(call: AdminCall) -> Doc:
    group = _group(call)
    call.need_manage("users")
    return group


def _shown(
    call: AdminCall, group: Doc, *, brief: bool = False, count: bool = True, access: bool = True
) -> Doc:
    realm = call.realm
    document: Doc = {"id": group["id"], "name": group["name"], "path": realm.group_path(group)}
    if group.get("parentId"):
        document["parentId"] = group["parentId"]
    if count:
        document["subGroupCount"] = len(realm.children(group["id"]))
    document["subGroups"] = []
    if not brief:
        roles = [realm.roles[role_id] for role_id in group["roles"]]
        clients: Doc = {}
        for role in roles:
            if role["clientRole"]:
                client = realm.clients[role["containerId"]]["clientId"]
                clients.setdefault(client, []).append(role["name"])
        document |= {
            "attributes": group["attributes"],
            "realmRoles": [role["name"] for role in roles if not role["clientRole"]],
            "clientRoles": clients,
        }
    if access:
        manages = "manage-users" in call.rights
        document["access"] = {name: manages or name.startswith("view") for name in ACCESS}
    return document


# --- groups ------------------------------------------------------------------------------------------------------------


@ROUTES.on("GET", "groups")
async def listed(call: AdminCall) -> web.Response:
    if not call.may_view("users") and "query-groups" not in call.rights:
        raise forbidden()
    if not call.may_view("users"):
        return found([])
    brief = bool(call.flag("briefRepresentation", True))
    count = bool(call.flag("subGroupsCount", True))
    hits = _hits(call)
    if hits is None:
        return found(
            [
                _shown(call, g, brief=brief, count=count)
                for g in call.page(call.realm.children(None))
            ]
        )
    if call.flag("populateHierarchy", True):
        return found(call.page(_trees(call, hits, brief)))
    return found([_shown(call, group, brief=brief, count=count) for group in call.page(hits)])


def _hits(call: AdminCall) -> list[Doc] | None:
    """The groups a search names, or None when nothing was searched for."""
    wanted, query = call.text("search"), call.text("q")
    groups = sorted(call.realm.groups.values(), key=lambda group: str(group["name"]))
    if wanted:
        if call.flag("exact", False):
            return [group for group in groups if group["name"] == wanted]
        return [group for group in groups if wanted.lower() in group["name"].lower()]
    if query:
        pairs = [word.partition(":")[::2] for word in query.split()]
        return [g for g in groups if all(v in g["attributes"].get(k, []) for k, v in pairs)]
    return None


def _trees(call: AdminCall, hits: list[Doc], brief: bool) -> list[Doc]:
    """The hits inside their parents, from the top."""
    wanted: set[str] = set()
    for hit in hits:
        group: Doc | None = hit
        while group:
            wanted.add(group["id"])
            group = call.realm.groups.get(group.get("parentId") or "")

    def tree(group: Doc) -> Doc:
        document = _shown(call, group, brief=brief)
        children = call.realm.children(group["id"])
        document["subGroups"] = [tree(child) for child in children if child["id"] in wanted]
        return document

    return [tree(group) for group in call.realm.children(None) if group["id"] in wanted]


@ROUTES.on("GET", "groups/count")
async def count(call: AdminCall) -> web.Response:
    call.need_view("users")
    hits = _hits(call)
    return found({"count": len(call.realm.groups if hits is None else hits)})


@ROUTES.on("POST", "groups")
async def create(call: AdminCall) -> web.Response:
    call.need_manage("users")
    given = call.json(GROUP)
    name = _name(given)
    known = call.realm.groups.get(given.get("id", ""))
    if any(g["name"] == name and g is not known for g in call.realm.children(None)):
        raise admin_error(409, f"Top level group named '{name}' already exists.")
    if known:
        known["parentId"] = None
        call.changed("UPDATE", "GROUP", f"groups/{known['id']}", given)
        return done()
    group = _new(call, given, None)
    return created(call.location(f"groups/{group['id']}"))


def _name(given: Doc) -> str:
    name = str(given.get("name", ""))
    if not name.strip():
        raise admin_error(400, "Group name is missing")
    return name


def _new(call: AdminCall, given: Doc, parent: str | None) -> Doc:
    group: Doc = {
        "id": new_id(),
        "name": given["name"],
        "parentId": parent,
        "attributes": given.get("attributes", {}),
        "roles": [],
    }
    call.realm.groups[group["id"]] = group
    path = f"groups/{parent}/children" if parent else f"groups/{group['id']}"
    call.changed("CREATE", "GROUP", path, given)
    return group


@ROUTES.on("GET", "groups/{group}")
async def read(call: AdminCall) -> web.Response:
    return found(_shown(call, _viewed(call)))


@ROUTES.on("PUT", "groups/{group}")
async def update(call: AdminCall) -> web.Response:
    group = _managed(call)
    given = call.json(GROUP)
    name = _name(given)
    siblings = call.realm.children(group.get("parentId"))
    if any(other["name"] == name and other["id"] != group["id"] for other in siblings):
        raise admin_error(409, f"Sibling group named '{name}' already exists.")
    group["name"] = name
    if "attributes" in given:
        group["attributes"] = given["attributes"]
    call.changed("UPDATE", "GROUP", f"groups/{group['id']}", given)
    return done()


@ROUTES.on("DELETE", "groups/{group}")
async def delete(call: AdminCall) -> web.Response:
    group = _managed(call)
    call.realm.drop_group(group["id"])
    call.changed("DELETE", "GROUP", f"groups/{group['id']}")
    return done()


@ROUTES.on("GET", "groups/{group}/children")
async def children(call: AdminCall) -> web.Response:
    group = _viewed(call)
    brief = bool(call.flag("briefRepresentation", False))
    return found(
        [_shown(call, g, brief=brief) for g in call.page(call.realm.children(group["id"]))]
    )


@ROUTES.on("POST", "groups/{group}/children")
async def create_child(call: AdminCall) -> web.Response:
    parent = _managed(call)
    given = call.json(GROUP)
    name = _name(given)
    known = call.realm.groups.get(given.get("id", ""))
    if any(g["name"] == name and g is not known for g in call.realm.children(parent["id"])):
        raise admin_error(409, f"Sibling group named '{name}' already exists.")
    if known:
        known["parentId"] = parent["id"]
        call.changed("UPDATE", "GROUP", f"groups/{known['id']}", given)
        return done()
    child = _new(call, given, parent["id"])
    headers = {**NO_CACHE, "Location": call.location(f"groups/{child['id']}")}
    return as_json(_shown(call, child, count=False), 201, headers=headers)


@ROUTES.on("GET", "groups/{group}/members")
async def members(call: AdminCall) -> web.Response:
    group = _viewed(call)
    brief = bool(call.flag("briefRepresentation", False))
    users = [user for user in call.realm.users.values() if group["id"] in user["groups"]]
    users.sort(key=lambda user: str(user["username"]))
    return found([people.shown(call.realm, user, brief=brief) for user in call.page(users, 100)])


async def by_path(call: AdminCall, path: str) -> web.Response:
    """`group-by-path/{path}`, whose path may have several segments."""
    group = call.realm.group_at(path) if path.strip("/") else None
    if group is None:
        raise not_found("Group path does not exist")
    call.need_view("users")
    return found(_shown(call, group, access=False))


# --- people in groups --------------------------------------------------------------------------------------------------


@ROUTES.on("GET", "users/{user}/groups")
async def groups_of_user(call: AdminCall) -> web.Response:
    user = viewed(call)
    brief = bool(call.flag("briefRepresentation", True))
    groups = call.page([call.realm.groups[group_id] for group_id in user["groups"]])
    return found([_shown(call, g, brief=brief, count=False, access=False) for g in groups])


@ROUTES.on("GET", "users/{user}/groups/count")
async def count_groups_of_user(call: AdminCall) -> web.Response:
    return found({"count": len(viewed(call)["groups"])})


@ROUTES.on("PUT", "users/{user}/groups/{group}")
async def join(call: AdminCall) -> web.Response:
    user, group_id = managed(call), _joined(call)
    if group_id not in user["groups"]:
        user["groups"].append(group_id)
        call.changed("CREATE", "GROUP_MEMBERSHIP", f"users/{user['id']}/groups/{group_id}")
    return done(cached=False)


@ROUTES.on("DELETE", "users/{user}/groups/{group}")
async def leave(call: AdminCall) -> web.Response:
    user, group_id = managed(call), _joined(call)
    if group_id in user["groups"]:
        user["groups"].remove(group_id)
        call.changed("DELETE", "GROUP_MEMBERSHIP", f"users/{user['id']}/groups/{group_id}")
    return done(cached=False)


def _joined(call: AdminCall) -> str:
    if call.parts["group"] not in call.realm.groups:
        raise not_found("Group not found")
    return call.parts["group"]


@ROUTES.on("GET", "default-groups")
async def default_groups(call: AdminCall) -> web.Response:
    call.need_view("realm")
    return found([])
