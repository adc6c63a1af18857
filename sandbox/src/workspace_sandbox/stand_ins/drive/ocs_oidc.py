"""OCS calls of the OpenID Connect app: accounts made beforehand, and its providers."""

from typing import Any

from workspace_sandbox.stand_ins.drive.accounts import OIDC
from workspace_sandbox.stand_ins.drive.ocs import ADMIN, Call, OcsRoute
from workspace_sandbox.stand_ins.drive.oidc import local_id

SHOWN = (
    "id",
    "identifier",
    "clientId",
    "discoveryEndpoint",
    "endSessionEndpoint",
    "postLogoutUri",
    "scope",
    "settings",
)


async def _create_user(call: Call) -> dict[str, Any]:
    fields, accounts = call.fields, call.world.accounts
    number, sub = int(str(fields.get("providerId", "0")) or 0), str(fields.get("userId", ""))
    # An unknown provider number is not refused there: it gets the default, a hashed id.
    uid = local_id(call.world.oidc.provider(number), sub, number=number)
    account = accounts.find(uid) or accounts.add(uid, OIDC)
    for field, key in (("displayName", "display_name"), ("email", "email")):
        if fields.get(field):
            account[key] = str(fields[field])
    accounts.home(uid)
    call.world.changed()
    return {"user_id": uid}


async def _list(call: Call) -> list[dict[str, Any]]:
    return [{key: one[key] for key in SHOWN} for one in call.world.oidc.providers]


API = "/apps/user_oidc/api/v1"
ROUTES = (
    OcsRoute("POST", f"{API}/user", _create_user, ("workspace_sandbox.storm.settle:main",), ADMIN),
    OcsRoute(
        "GET",
        f"{API}/provider",
        _list,
        ("workspace_manager.systems.drive.client.calls:DriveClient.providers",),
        ADMIN,
    ),
)
