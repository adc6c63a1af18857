"""OCS calls on accounts: the provisioning interface."""

from typing import Any

from workspace_sandbox.stand_ins.drive.accounts import LOCAL, hash_password, permitted
from workspace_sandbox.stand_ins.drive.ocs import SUB_ADMIN, Call, OcsError, OcsRoute
from workspace_sandbox.stand_ins.drive.ocs_core import describe

CHARACTERS = (
    'Only the following characters are allowed in an Login: "a-z", "A-Z", "0-9", spaces and '
    '"_.@-\'"'
)
LONGEST_ID = 64


async def _list(call: Call) -> dict[str, Any]:
    return {"users": _found(call)}


async def _details(call: Call) -> dict[str, Any]:
    """An empty answer is a list, as PHP writes an empty array."""
    accounts = call.world.accounts.all
    hidden = call.world.options["gone_in_their_directory"]
    shown = {
        uid: describe(call.world, accounts[uid], own=False, admin=call.me.admin)
        for uid in _found(call)
        if uid not in hidden
    }
    return {"users": shown or []}


def _found(call: Call) -> list[str]:
    """Each back-end gives a page of its own, and all of them together are sorted."""
    text = str(call.fields.get("search", "")).lower()
    by_backend: dict[str, list[str]] = {}
    for account in call.world.accounts.all.values():
        if any(text in str(account[key] or "").lower() for key in ("id", "display_name", "email")):
            by_backend.setdefault(account["backend"], []).append(account["id"])
    offset = _number(call.fields.get("offset"), 0)
    page: list[str] = []
    for found in by_backend.values():
        limit = _number(call.fields.get("limit"), len(found))
        page += sorted(found)[offset : offset + limit]
    return sorted(page)


def _number(value: Any, default: int) -> int:
    return int(value) if str(value).isdigit() else default


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
    account = _other(call, missing=998)
    if refused := str(call.world.options["deletion_refused"]):
        raise OcsError(101, refused.removeprefix("-"))
    call.world.accounts.delete(account)
    return []


async def _disable(call: Call) -> list[Any]:
    _other(call, missing=101)["enabled"] = False
    call.world.changed()
    return []


async def _enable(call: Call) -> list[Any]:
    _other(call, missing=101)["enabled"] = True
    call.world.changed()
    return []


async def _shares(call: Call) -> list[Any]:
    """One's own: nobody is shown the shares of somebody else."""
    own = call.me.account["id"] if call.me.account else ""
    return [one for one in call.world.options["shares"] if one["uid_owner"] == own]


CLIENT = "workspace_manager.systems.drive.client.calls:DriveClient"
ONE = "/cloud/users/{user}"
TRIAL = "tests.conformance.drive:Account"
ROUTES = (
    OcsRoute("GET", "/cloud/users", _list, (f"{CLIENT}.list_users",), SUB_ADMIN),
    OcsRoute("GET", "/cloud/users/details", _details, (f"{CLIENT}.described_users",), SUB_ADMIN),
    OcsRoute("POST", "/cloud/users", _create, (TRIAL,), SUB_ADMIN),
    OcsRoute("GET", ONE, _get, (f"{CLIENT}.user",)),
    OcsRoute("DELETE", ONE, _delete, (f"{CLIENT}.delete_user",), SUB_ADMIN),
    OcsRoute("GET", "/apps/files_sharing/api/v1/shares", _shares, (f"{CLIENT}.shares_of",)),
    OcsRoute("PUT", f"{ONE}/disable", _disable, (f"{CLIENT}.set_enabled",), SUB_ADMIN),
    OcsRoute("PUT", f"{ONE}/enable", _enable, (f"{CLIENT}.set_enabled",), SUB_ADMIN),
)
