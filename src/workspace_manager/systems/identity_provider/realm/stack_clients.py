"""The client of a knowledge stack: its present state, and the document with the wanted one.

Unlike a client of a connected system, it belongs to the manager alone: its addresses are exactly
the wanted ones, and every further ability is off.
"""

from collections.abc import Mapping
from typing import Any, Final

from workspace_manager.contract.connector import Facts
from workspace_manager.systems.identity_provider.names import CLIENT_MARK
from workspace_manager.systems.identity_provider.realm.clients import (
    PKCE,
    POST_LOGOUT,
    changed_client,
    changed_mapper,
    mapper_facts,
    post_logout_uris,
)
from workspace_manager.systems.identity_provider.realm.profile import names_in

GROUPS: Final = "groups"
GROUPS_MAPPER: Final[Facts] = {
    "protocol_mapper": "oidc-group-membership-mapper",
    "config": {
        "claim.name": GROUPS,
        "full.path": "false",
        "id.token.claim": "true",
        "access.token.claim": "true",
        "userinfo.token.claim": "true",
    },
}
FIXED: Final[Mapping[str, Any]] = {
    "enabled": True,
    "publicClient": False,
    "bearerOnly": False,
    "consentRequired": False,
    "standardFlowEnabled": True,
    "implicitFlowEnabled": False,
    "directAccessGrantsEnabled": False,
    "serviceAccountsEnabled": False,
    "fullScopeAllowed": False,
    "protocol": "openid-connect",
}
"""Without full scope, its tokens contain none of the person's roles: with them, a stack could act
as the administrator who signs in to it.
"""


def stack_client_facts(client: Mapping[str, Any]) -> Facts:
    """Return the present values of wanted members, and fixed members that differ."""
    facts: Facts = {
        "redirect_uris": [*sorted(map(str, client.get("redirectUris") or []))],
        "post_logout_redirect_uris": [*sorted(post_logout_uris(client))],
        "base_url": str(client.get("baseUrl") or ""),
        "name": str(client.get("name") or ""),
    }
    others = [name for name, value in FIXED.items() if client.get(name, value) != value]
    if (client.get("attributes") or {}).get(PKCE) != "S256":
        others.append(PKCE)
    if mapper_facts(groups_mapper(client) or {}, GROUPS_MAPPER) != GROUPS_MAPPER:
        others.append(GROUPS)
    return {**facts, "not_as_needed": [*others]} if others else facts


def wished_facts(want: Facts) -> Facts:
    """Return the wanted state in the form of `stack_client_facts`; the order of addresses does not
    matter.
    """
    lists: Facts = {
        name: [*sorted(names_in(want, name))]
        for name in ("redirect_uris", "post_logout_redirect_uris")
    }
    return {**want, **lists, "name": _name(want)}


def stack_client(
    client: Mapping[str, Any] | None, client_id: str, mark: str, want: Facts
) -> dict[str, Any]:
    """Return the whole wanted client; a new one includes its mapper."""
    addresses: Facts = {
        "redirect_uris": want.get("redirect_uris"),
        "post_logout_uris": want.get("post_logout_redirect_uris"),
        "pkce": "S256",
    }
    changed = changed_client(_without_addresses(client), client_id, addresses)
    changed |= FIXED
    changed["name"], changed["baseUrl"] = _name(want), want.get("base_url")
    changed["attributes"][CLIENT_MARK] = mark
    changed["attributes"].setdefault(POST_LOGOUT, "-")
    if client is None:
        changed["protocolMappers"] = [changed_mapper(None, GROUPS, GROUPS_MAPPER)]
    return changed


def groups_mapper(client: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the client's own mapper of groups; one of a scope could change with the realm."""
    mappers = client.get("protocolMappers") or []
    return next((dict(one) for one in mappers if one.get("name") == GROUPS), None)


def _name(want: Facts) -> str:
    """Return the part of the name that is stored: a longer one fails with an error that looks
    temporary (seen on Keycloak 26.7.3).
    """
    return str(want.get("name") or "")[:255]


def _without_addresses(client: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if client is None:
        return None
    attributes = dict(client.get("attributes") or {})
    attributes.pop(POST_LOGOUT, None)
    return {**client, "redirectUris": [], "attributes": attributes}
