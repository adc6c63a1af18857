"""OCS calls of the OpenID Connect app: accounts made beforehand, and its providers (facts B9)."""

from typing import Any

from workspace_sandbox.stand_ins.drive.accounts import OIDC
from workspace_sandbox.stand_ins.drive.ocs import ADMIN, Call, OcsError, Route, route
from workspace_sandbox.stand_ins.drive.oidc import Unreachable, local_id
from workspace_sandbox.stand_ins.drive.options import provider_settings

NEEDED = ("authorization_endpoint", "token_endpoint", "jwks_uri", "issuer")
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


def shown(provider: dict[str, Any], *, settings: bool = True) -> dict[str, Any]:
    """Show a provider without its secret."""
    return {key: provider[key] for key in SHOWN if settings or key != "settings"}


async def _create_user(call: Call) -> dict[str, Any]:
    fields, accounts = call.fields, call.world.accounts
    number, sub = int(str(fields.get("providerId", "0")) or 0), str(fields.get("userId", ""))
    # An unknown provider number is not refused there: it gets the default, a hashed id.
    uid = local_id(call.world.oidc.provider(number), sub, number=number)
    account = accounts.find(uid) or accounts.add(uid, OIDC)
    for field, key in (("displayName", "display_name"), ("email", "email"), ("quota", "quota")):
        if fields.get(field):
            account[key] = str(fields[field])
    accounts.home(uid)
    call.world.changed()
    return {"user_id": uid}


async def _delete_user(call: Call) -> dict[str, Any]:
    account = call.world.accounts.find(call.parts[0])
    if account is None or account["backend"] != OIDC:
        raise OcsError(404, "", {"message": "User not found"})
    call.world.accounts.delete(account)
    return {"user_id": account["id"]}


async def _list(call: Call) -> list[dict[str, Any]]:
    return [shown(provider) for provider in call.world.oidc.providers]


async def _check_discovery(call: Call, url: str) -> None:
    try:
        document = await call.world.oidc.fetch(url)
    except Unreachable:
        message = "The discovery endpoint is not reachable."
        raise OcsError(400, "", {"message": message}) from None
    missing = [name for name in NEEDED if name not in document]
    if missing:
        message = f"Invalid discovery endpoint. Missing fields: {', '.join(missing)}"
        raise OcsError(400, "", {"message": message})


def _apply(provider: dict[str, Any], fields: dict[str, Any]) -> None:
    for key in (*SHOWN[1:7], "clientSecret"):
        if fields.get(key) is not None:
            provider[key] = fields[key]
    if isinstance(fields.get("settings"), dict):
        known = {k: v for k, v in fields["settings"].items() if k in provider["settings"]}
        provider["settings"] |= known


async def _create(call: Call) -> dict[str, Any]:
    state = call.world.state()
    identifier = str(call.fields.get("identifier", ""))
    if any(p["identifier"] == identifier for p in state["providers"]):
        message = "Provider with the given identifier already exists"
        raise OcsError(409, "", {"message": message})
    await _check_discovery(call, str(call.fields.get("discoveryEndpoint", "")))
    provider = new_provider(state, identifier)
    _apply(provider, call.fields)
    call.world.changed()
    return shown(provider)


def new_provider(state: dict[str, Any], identifier: str) -> dict[str, Any]:
    state["next_provider"] += 1
    provider = {
        "id": state["next_provider"],
        "identifier": identifier,
        "clientId": "",
        "clientSecret": "",
        "discoveryEndpoint": "",
        "endSessionEndpoint": None,
        "postLogoutUri": None,
        "scope": "openid email profile",
        "settings": provider_settings(),
    }
    state["providers"].append(provider)
    return provider


async def _update(call: Call) -> dict[str, Any]:
    provider = call.world.oidc.provider(int(call.parts[0]))
    if provider is None:
        message = "Provider with the given identifier does not exist"
        raise OcsError(404, "", {"message": message})
    url = str(call.fields.get("discoveryEndpoint") or provider["discoveryEndpoint"])
    await _check_discovery(call, url)
    _apply(provider, call.fields)
    call.world.oidc.forget_keys()
    call.world.changed()
    return shown(provider)


async def _delete(call: Call) -> list[Any]:
    state = call.world.state()
    kept = [p for p in state["providers"] if p["id"] != int(call.parts[0])]
    if len(kept) == len(state["providers"]):
        raise OcsError(404)
    state["providers"] = kept
    call.world.changed()
    return []


async def _id4me(call: Call) -> list[Any]:
    call.world.options["id4me_enabled"] = str(call.fields.get("enabled")).lower() in {"1", "true"}
    call.world.changed()
    return []


async def _supported(call: Call) -> list[str]:
    return list(provider_settings())


def routes() -> list[Route]:
    api = r"/apps/user_oidc/api/v1"
    return [
        route("POST", api + "/user", _create_user, ADMIN),
        route("DELETE", api + "/user/([^/]+)", _delete_user, ADMIN),
        route("GET", api + "/provider", _list, ADMIN),
        route("POST", api + "/provider", _create, ADMIN),
        route("PUT", api + r"/provider/(\d+)", _update, ADMIN),
        route("DELETE", api + r"/provider/(\d+)", _delete, ADMIN),
        route("POST", api + "/provider/id4me", _id4me, ADMIN),
        route("GET", api + "/supported-settings", _supported, ADMIN),
    ]
