"""The client that a knowledge stack signs people in through: how it is, and the document that makes
it so.

Unlike a client of the connected systems it is the manager's alone: its addresses are exactly those
that are wished for, and everything that would let it do more is off.
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
"""Without full scope its tokens hold no role of the person: a stack that an administrator signs in
to could act as the administrator with one.
"""


def stack_client_facts(client: Mapping[str, Any]) -> Facts:
    """Return the present values of wanted members; members that differ from the fixed ones are
    named besides.
    """
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
    """Return the wish as `stack_client_facts` would say it: the order of addresses does not
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
    """Return the whole client as it shall be; a new one carries its mapper with it."""
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
    """Return the client's own mapper of groups; one of a scope would change with the realm."""
    mappers = client.get("protocolMappers") or []
    return next((dict(one) for one in mappers if one.get("name") == GROUPS), None)


def _name(want: Facts) -> str:
    """Return the name as far as it is stored: a longer one fails with an error that looks temporary
    (seen on Keycloak 26.7.3).
    """
    return str(want.get("name") or "")[:255]


def _without_addresses(client: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if client is None:
        return None
    attributes = dict(client.get("attributes") or {})
    attributes.pop(POST_LOGOUT, None)
    return {**client, "redirectUris": [], "attributes": attributes}
