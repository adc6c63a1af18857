"""OCS calls of the core: who am I, app passwords, a version."""

from typing import Any

from workspace_sandbox.stand_ins.drive.accounts import OIDC as OIDC_BACKEND
from workspace_sandbox.stand_ins.drive.ocs import ADMIN, ANYBODY, Call, OcsError, OcsRoute
from workspace_sandbox.stand_ins.drive.sign_in import APP_PASSWORD, OIDC
from workspace_sandbox.stand_ins.drive.world import World, address

ROOM = 80_000_000_000
PROFILE = [
    "phone",
    "address",
    "website",
    "twitter",
    "fediverse",
    "organisation",
    "role",
    "headline",
    "biography",
]
NO_SECOND = "You cannot request an new apppassword with an apppassword"


def describe(world: World, account: dict[str, Any], *, own: bool, admin: bool) -> dict[str, Any]:
    """Show an account as the provisioning interface does; oneself sees scopes, administrators state
    and storage.
    """
    uid = account["id"]
    shown: dict[str, Any] = {}
    if admin:
        shown |= {"enabled": account["enabled"], "storageLocation": f"/srv/ncdata/{uid}"}
    shown |= {
        "id": uid,
        "lastLogin": account["last_login"] * 1000,
        "backend": account["backend"],
        "subadmin": [],
        "quota": _quota(world, account),
        "manager": "",
    }

    def add(name: str, value: Any, scope: Any = "v2-local") -> None:
        shown[name] = value
        if own:
            shown[f"{name}Scope"] = scope

    if own:
        shown["avatarScope"] = "v2-federated"
    add("email", account["email"], "v2-federated")
    add("additional_mail", [], [])
    shown["displayname"] = account["display_name"] or uid
    shown["display-name"] = account["display_name"] or uid
    if own:
        shown["displaynameScope"] = "v2-federated"
    for name in PROFILE:
        add(name, "")
    add("profile_enabled", "1")
    changeable = account["backend"] != OIDC_BACKEND
    return shown | {
        "groups": account["groups"],
        "language": "en",
        "locale": "",
        "notify_email": None,
        "backendCapabilities": {"setDisplayName": changeable, "setPassword": changeable},
    }


def _quota(world: World, account: dict[str, Any]) -> dict[str, Any]:
    if not account["last_login"]:
        return {"quota": "none", "used": 0}
    used = world.accounts.used(account["id"])
    return {"free": ROOM, "used": used, "total": ROOM + used, "relative": 0, "quota": -3}


async def _whoami(call: Call) -> dict[str, Any]:
    return describe(call.world, call.me.account, own=True, admin=call.me.admin)


async def _get_app_password(call: Call) -> dict[str, Any]:
    if call.me.by == APP_PASSWORD:
        raise OcsError(403, NO_SECOND)
    bearer = call.request.headers.get("Authorization", "").lower().startswith("bearer")
    if call.me.by == OIDC and bearer and call.world.oidc.refuses_app_passwords:
        raise OcsError(403, "")
    name = call.request.headers.get("User-Agent", "")
    return {"apppassword": call.world.accounts.mint(call.me.uid, call.me.login_name, name)}


async def _delete_app_password(call: Call) -> list[Any]:
    if call.me.token is None:
        raise OcsError(403, "no app password in use")
    call.world.accounts.revoke(call.me.token)
    return []


async def _app(call: Call) -> dict[str, Any]:
    if call.parts[0] != "user_oidc" or not call.world.options["app_enabled"]:
        raise OcsError(998, "The request app was not found")
    version = str(call.world.options["version"])
    name = "OpenID Connect user backend"
    return {"id": "user_oidc", "name": name, "version": version.replace("HEAD", "8.11.0-dev")}


async def _capabilities(call: Call) -> dict[str, Any]:
    """Return what it tells everybody; to people it tells more, which nobody here reads."""
    text = str(call.world.options["server_version"])
    major, minor, micro = (int(one) for one in text.split("."))
    delay = call.world.throttle.delay_ms(address(call.request))
    return {
        "version": {
            "major": major,
            "minor": minor,
            "micro": micro,
            "string": text,
            "edition": "",
            "extendedSupport": False,
        },
        "capabilities": {
            "bruteforce": {"delay": delay, "allow-listed": False},
            "theming": {"name": "Nextcloud", "url": "https://nextcloud.com"},
        },
    }


CLIENT = "workspace_manager.systems.drive.client.calls:DriveClient"
WHO = "workspace_manager.systems.drive.client.credential_owner"
SESSION = "workspace_manager.systems.drive.client.token_session:TokenSession"
ROUTES = (
    OcsRoute(
        "GET",
        "/cloud/user",
        _whoami,
        (
            f"{WHO}:find_credential_account",
            f"{WHO}:ask_whose_credential",
            f"{SESSION}.end",
            f"{CLIENT}.whoami_admin",
        ),
    ),
    OcsRoute(
        "GET",
        "/core/getapppassword",
        _get_app_password,
        (f"{SESSION}.create_app_password", f"{CLIENT}.before_app_passwords"),
    ),
    OcsRoute(
        "DELETE", "/core/apppassword", _delete_app_password, (f"{CLIENT}.revoke_app_password",)
    ),
    OcsRoute("GET", "/cloud/capabilities", _capabilities, (f"{CLIENT}.capabilities",), ANYBODY),
    OcsRoute("GET", "/cloud/apps/{app}", _app, (f"{CLIENT}.app_version",), ADMIN),
)
