"""OCS calls on accounts: the provisioning interface (facts B2)."""

from typing import Any

from workspace_sandbox.stand_ins.drive.accounts import LOCAL, hash_password, permitted
from workspace_sandbox.stand_ins.drive.ocs import SUB_ADMIN, Call, OcsError, Route, route
from workspace_sandbox.stand_ins.drive.ocs_core import describe

CHARACTERS = 'Only the following characters are allowed in an Login: "a-z", "A-Z", "0-9", spaces and "_.@-\'"'
LONGEST_ID = 64


async def _list(call: Call) -> dict[str, Any]:
    text = str(call.fields.get("search", "")).lower()
    found = sorted(
        account["id"]
        for account in call.world.accounts.all.values()
        if any(text in str(account[key] or "").lower() for key in ("id", "display_name", "email"))
    )
    offset = _number(call.fields.get("offset"), 0)
    limit = _number(call.fields.get("limit"), len(found))
    return {"users": found[offset : offset + limit]}


def _number(value: Any, default: int) -> int:
    return int(value) if str(value).isdigit() else default


async def _details(call: Call) -> dict[str, Any]:
    ids = (await _list(call))["users"]
    accounts = call.world.accounts.all
    return {
        "users": {uid: describe(call.world, accounts[uid], own=False, admin=True) for uid in ids}
    }


async def _get(call: Call) -> dict[str, Any]:
    account = call.world.accounts.find(call.parts[0])
    if account is None:
        raise OcsError(404, "User does not exist")
    own = account is call.me.account
    if not own and not call.me.admin:
        raise OcsError(998)
    return describe(call.world, account, own=own, admin=call.me.admin)


async def _create(call: Call) -> dict[str, Any]:
    fields, accounts = call.fields, call.world.accounts
    uid, password = str(fields.get("userid", "")), str(fields.get("password", ""))
    email = str(fields.get("email", "") or "") or None
    if accounts.find(uid):
        raise OcsError(102, "User already exists")
    groups = [str(g) for g in fields.get("groups[]", fields.get("groups", [])) or []]
    if any(group != "admin" for group in groups):
        raise OcsError(104, "Group does not exist")
    if not password and not email:
        raise OcsError(108, "An email address or a password is required, to set the password")
    if not permitted(uid) or uid != uid.strip():
        raise OcsError(101, CHARACTERS)
    if len(uid) > LONGEST_ID:
        raise OcsError(101, "Bad request")
    accounts.add(
        uid,
        LOCAL,
        password=hash_password(password) if password else "",
        display_name=str(fields.get("displayName", "") or uid),
        email=email,
        groups=groups,
        quota=str(fields.get("quota", "") or "none"),
    )
    options = call.world.options
    if options["broken_creation"] or (email and options["broken_mail"]):
        raise OcsError(996)
    return {"id": uid}


def _other(call: Call, *, missing: int) -> dict[str, Any]:
    account = call.world.accounts.find(call.parts[0])
    if account is None:
        raise OcsError(missing)
    if account is call.me.account:
        raise OcsError(101)
    return account


async def _delete(call: Call) -> list[Any]:
    call.world.accounts.delete(_other(call, missing=998))
    return []


async def _enable(call: Call) -> list[Any]:
    return _set_enabled(call, on=True)


async def _disable(call: Call) -> list[Any]:
    return _set_enabled(call, on=False)


def _set_enabled(call: Call, *, on: bool) -> list[Any]:
    _other(call, missing=101)["enabled"] = on
    call.world.changed()
    return []


async def _edit(call: Call) -> list[Any]:
    account = call.world.accounts.find(call.parts[0])
    if account is None or not (call.me.admin or account is call.me.account):
        raise OcsError(998)
    key, value = str(call.fields.get("key", "")), str(call.fields.get("value", ""))
    names = {"displayname": "display_name", "display": "display_name", "email": "email"}
    if key == "password" and account["backend"] == LOCAL:
        call.world.accounts.set_password(account, value)
    elif key in names and (key == "email" or account["backend"] == LOCAL):
        account[names[key]] = value or None if key == "email" else value
    elif key == "quota" and call.me.admin:
        account["quota"] = value
    else:
        raise OcsError(103 if key not in {"password", "displayname", "display"} else 101)
    call.world.changed()
    return []


async def _edit_collection(call: Call) -> list[Any]:
    raise OcsError(103)


async def _groups(call: Call) -> dict[str, Any]:
    account = call.world.accounts.find(call.parts[0])
    if account is None:
        raise OcsError(998)
    return {"groups": account["groups"]}


async def _join(call: Call) -> list[Any]:
    account, group = call.world.accounts.find(call.parts[0]), str(call.fields.get("groupid", ""))
    if account is None:
        raise OcsError(103)
    if group != "admin":
        raise OcsError(102)
    if group not in account["groups"]:
        account["groups"].append(group)
        call.world.changed()
    return []


async def _all_groups(call: Call) -> dict[str, Any]:
    return {"groups": ["admin"]}


def routes() -> list[Route]:
    one = r"/cloud/users/([^/]+)"
    return [
        route("GET", r"/cloud/users", _list, SUB_ADMIN),
        route("POST", r"/cloud/users", _create, SUB_ADMIN),
        route("GET", r"/cloud/users/details", _details, SUB_ADMIN),
        route("GET", one, _get),
        route("PUT", one, _edit),
        route("DELETE", one, _delete, SUB_ADMIN),
        route("PUT", one + "/enable", _enable, SUB_ADMIN),
        route("PUT", one + "/disable", _disable, SUB_ADMIN),
        route("GET", one + "/groups", _groups),
        route("POST", one + "/groups", _join, SUB_ADMIN),
        # Why `DELETE /users/a%2Fb` answers 405 and not "unknown route": the slash is decoded first and this path exists.
        route("PUT", one + "/[a-zA-Z0-9_]+", _edit_collection),
        route("GET", r"/cloud/groups", _all_groups, SUB_ADMIN),
    ]
