"""A realm's clients and their mappers: their present state, and the documents with the wanted
one.
"""

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from workspace_manager.contract.connector import Facts
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import SERVICE_ACCOUNT_PREFIX
from workspace_manager.systems.identity_provider.realm.profile import names_in
from workspace_manager.systems.identity_provider.settings import Settings

POST_LOGOUT = "post.logout.redirect.uris"
BACKCHANNEL = "backchannel.logout.url"
BACKCHANNEL_SESSION = "backchannel.logout.session.required"
PKCE = "pkce.code.challenge.method"
LIFESPAN = "access.token.lifespan"


def token_lifespan(realm: Mapping[str, Any], clients: Iterable[Mapping[str, Any]]) -> int | None:
    """Return the longest lifespan of access tokens in seconds, of the realm and of clients with
    their own; None if it is hidden.
    """
    clients = list(clients)
    own = [(client.get("attributes") or {}).get(LIFESPAN) for client in clients]
    found = [realm.get("accessTokenLifespan")]
    if any(client.get("implicitFlowEnabled") for client in clients):
        # Its default is 15 minutes; if no client uses that flow, no token lives that long.
        found.append(realm.get("accessTokenLifespanForImplicitFlow"))
    texts = map(str, [*found, *own])
    # Nine digits are thirty years; no clock counts further.
    seconds = [int(text[:9]) for text in texts if text.isascii() and text.isdigit()]
    return max(seconds, default=None) if isinstance(found[0], int) else None


def client_facts(client: Mapping[str, Any], want: Facts) -> Facts:
    """Return the present values of wanted members. Additional redirect addresses are returned
    separately and are no difference.
    """
    attributes = client.get("attributes") or {}
    redirects = client.get("redirectUris") or []
    logouts = post_logout_uris(client)
    have: Facts = {
        "enabled": bool(client.get("enabled")),
        "public": bool(client.get("publicClient")),
        "standard_flow": bool(client.get("standardFlowEnabled")),
        "service_account": bool(client.get("serviceAccountsEnabled")),
        "redirect_uris": [u for u in names_in(want, "redirect_uris") if u in redirects],
        "post_logout_uris": [u for u in names_in(want, "post_logout_uris") if u in logouts],
        "backchannel_logout_url": attributes.get(BACKCHANNEL, ""),
        "frontchannel_logout": bool(client.get("frontchannelLogout")),
        "pkce": attributes.get(PKCE, ""),
    }
    facts: Facts = {name: have.get(name) for name in want}
    others = [u for u in redirects if u not in names_in(want, "redirect_uris")]
    return {**facts, "other_redirect_uris": others} if others else facts


def changed_client(client: Mapping[str, Any] | None, client_id: str, want: Facts) -> dict[str, Any]:
    """Return the whole wanted client: a new one, or the given one with the wanted values."""
    changed = copy.deepcopy(dict(client)) if client else _new_client(client_id)
    attributes = changed["attributes"] = dict(changed.get("attributes") or {})
    changed.update(enabled=True, publicClient=False)
    changed["standardFlowEnabled"] = want.get("standard_flow", True)
    if want.get("service_account"):
        changed["serviceAccountsEnabled"] = True
    changed["redirectUris"] = _union(
        changed.get("redirectUris") or [], names_in(want, "redirect_uris")
    )
    if logouts := names_in(want, "post_logout_uris"):
        attributes[POST_LOGOUT] = "##".join(_union(post_logout_uris(changed), logouts))
    if url := want.get("backchannel_logout_url"):
        attributes[BACKCHANNEL] = str(url)
        attributes.setdefault(BACKCHANNEL_SESSION, "true")
        changed["frontchannelLogout"] = False
    if want.get("pkce"):
        attributes[PKCE] = str(want["pkce"])
    return changed


def post_logout_uris(client: Mapping[str, Any]) -> list[str]:
    """Return the addresses for after a sign-out: entries joined by `##`; `+` alone means the
    redirect addresses, `-` none.
    """
    text = str((client.get("attributes") or {}).get(POST_LOGOUT) or "")
    entries = [entry for entry in text.split("##") if entry]
    if entries[:1] == ["+"]:
        return list(client.get("redirectUris") or [])
    return [] if entries[:1] == ["-"] else entries


def _new_client(client_id: str) -> dict[str, Any]:
    """Return a new client. `publicClient` and `enabled` have surprising defaults if they are left
    out; direct grants stay off (docs/systems/identity-provider.md#clients-and-mappers).
    """
    return {
        "clientId": client_id,
        "protocol": "openid-connect",
        "directAccessGrantsEnabled": False,
        "frontchannelLogout": False,
        "webOrigins": ["+"],
        "attributes": {},
    }


def _union(have: Sequence[str], more: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*have, *more]))


def secret_to_copy(client_id: str, want: Facts, settings: Settings) -> Message:
    """Return the manual work after a client was made with a secret of the identity provider."""
    if not want.get("service_account"):
        return message("copy_to_system", client_id=client_id)
    return message(
        "copy_to_service_account",
        client_id=client_id,
        username=f"{SERVICE_ACCOUNT_PREFIX}{client_id}",
        token_url=f"{settings.url}/realms/{settings.realm}/protocol/openid-connect/token",
    )


# --- mappers --------------------------------------------------------------------------------------


def mapper_facts(mapper: Mapping[str, Any], want: Facts) -> Facts:
    """Return the present values of wanted members."""
    wanted = want.get("config")
    config = mapper.get("config") or {}
    names = wanted if isinstance(wanted, dict) else {}
    return {
        "protocol_mapper": str(mapper.get("protocolMapper") or ""),
        "config": {name: effective_value(config, name) for name in names},
    }


def effective_value(config: Mapping[str, str], name: str) -> str:
    """Return the effective value of a mapper's member: a missing flag of a claim follows an older
    one, or is off.
    """
    if name in config or not name.endswith(".claim"):
        return str(config.get(name, ""))
    follows = {
        "introspection.token.claim": "access.token.claim",
        "userinfo.token.claim": "id.token.claim",
    }
    return str(config.get(follows.get(name, ""), "false"))


def mappers_in_effect(
    client: Mapping[str, Any], scopes: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return a client's own mappers and those of its default scopes."""
    names = set(client.get("defaultClientScopes") or [])
    shared = [
        m
        for scope in scopes
        if scope.get("name") in names
        for m in scope.get("protocolMappers") or []
    ]
    return [*(client.get("protocolMappers") or []), *shared]


def equivalent(mappers: Iterable[Mapping[str, Any]], want: Facts) -> str:
    """Return the name of a mapper that does what is wanted, under any name, or "".

    See docs/explanation/realm.md#the-audience-of-the-managers-tokens.
    """
    return next((str(m.get("name")) for m in mappers if mapper_facts(m, want) == want), "")


def changed_mapper(mapper: Mapping[str, Any] | None, name: str, want: Facts) -> dict[str, Any]:
    """Return the whole wanted mapper; other members of its configuration stay."""
    changed: dict[str, Any] = copy.deepcopy(dict(mapper)) if mapper else {"name": name}
    wanted = want.get("config")
    config = {**(changed.get("config") or {}), **(wanted if isinstance(wanted, dict) else {})}
    changed.update(
        protocol="openid-connect", protocolMapper=want.get("protocol_mapper"), config=config
    )
    return changed
