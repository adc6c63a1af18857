"""Checks of the realm's clients: secrets, redirect addresses, direct grants, and passwords in
tokens.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings, Hides
from workspace_manager.contract.message import Message
from workspace_manager.contract.realm import ATTRIBUTE_MAPPER, ClientWants
from workspace_manager.systems.identity_provider.client.answers import RUN_SETUP
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.members.clients import client_table
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import BUILT_IN_CLIENTS
from workspace_manager.systems.identity_provider.realm.clients import (
    BACKCHANNEL,
    client_facts,
    effective_value,
    equivalent,
    mappers_in_effect,
    post_logout_uris,
)
from workspace_manager.systems.identity_provider.realm.wants import (
    RealmWants,
    client_want,
    covers,
    mapper_want,
)
from workspace_manager.systems.identity_provider.settings import Settings

IN_TOKENS: Final = ("access.token.claim", "id.token.claim", "introspection.token.claim")


def client_findings(
    clients: Sequence[Mapping[str, Any]],
    scopes: Sequence[Mapping[str, Any]],
    wants: RealmWants,
    settings: Settings,
    realm: RealmClient,
) -> Iterable[Finding]:
    """Check the manager's own client closely, and all others for harmful settings."""
    own = next((c for c in clients if c.get("clientId") == settings.client_id), None)
    yield from _own_client(own, settings, realm)
    for client in clients:
        if client.get("enabled") and client.get("clientId") not in BUILT_IN_CLIENTS:
            yield from _any_client(client)
            yield from _passwords(client, mappers_in_effect(client, scopes), wants)
    for want in wants.clients:
        yield from _as_wanted(clients, scopes, want, settings)


def _as_wanted(
    clients: Sequence[Mapping[str, Any]],
    scopes: Sequence[Mapping[str, Any]],
    wanted: ClientWants,
    settings: Settings,
) -> Iterable[Finding]:
    """Compare a client with the requirements of a connected system."""
    label = message("check_client", client_id=wanted.client_id)
    client = next((c for c in clients if c.get("clientId") == wanted.client_id), None)
    if client is None:
        yield finding(label, Severity.FAILING, message("no_such_client"), RUN_SETUP)
        return
    want = client_want(wanted)
    have = client_facts(client, want)
    lacking = [name for name in want if not covers(have, {name: want[name]})]
    mappers = mappers_in_effect(client, scopes)
    lacking += [m.name for m in wanted.mappers if not equivalent(mappers, mapper_want(m))]
    if lacking:
        text = message("not_as_needed", lacking=", ".join(lacking))
        yield finding(label, Severity.FAILING, text, RUN_SETUP)
    members = list(_members(client, wanted, settings))
    yield from members
    if not lacking and not any(one.name_message == label for one in members):
        yield finding(label, Severity.OK, message("as_needed"))


def _members(
    client: Mapping[str, Any], wanted: ClientWants, settings: Settings
) -> Iterable[Finding]:
    """Check a client's members; service accounts and disabled clients sign nobody in."""
    if client.get("enabled") and not wanted.service_roles:
        table = client_table(wanted, settings.client_id)
        yield from table.findings(client, Findings(SYSTEM))


def _own_client(
    client: Mapping[str, Any] | None, settings: Settings, realm: RealmClient
) -> Iterable[Finding]:
    if client is None or not client.get("enabled"):
        yield finding(
            message("check_own_client"),
            Severity.FAILING,
            message("no_own_client", client_id=settings.client_id),
            RUN_SETUP,
        )
        return
    yield from _own_secret(client, settings, realm)


def _own_secret(
    client: Mapping[str, Any], settings: Settings, realm: RealmClient
) -> Iterable[Finding]:
    if client.get("publicClient"):
        return  # Its table reports that.
    label = message("check_own_client_secret")
    if _has_ended(client):
        yield finding(
            label,
            Severity.FAILING,
            message("secret_has_ended"),
            message("make_secret_again", client_id=settings.client_id),
        )
        return
    try:
        same = realm.client_secret(str(client["id"])) == settings.client_secret
    except ConnectorError:
        return  # It is hidden without manage-clients; a sign-in will show it.
    if same:
        yield finding(label, Severity.OK, message("same_on_both_sides"))
    else:
        yield finding(
            label,
            Severity.FAILING,
            message("secret_differs"),
            message("copy_secret", client_id=settings.client_id),
        )


def _has_ended(client: Mapping[str, Any]) -> bool:
    """Return whether the realm's rotation of secrets has ended this one; 0 means no end."""
    text = str((client.get("attributes") or {}).get("client.secret.expiration.time") or "0")
    return text.isascii() and text.isdigit() and 0 < int(text[:12]) <= time.time()


def _any_client(client: Mapping[str, Any]) -> Iterable[Finding]:
    name = str(client.get("clientId"))
    redirects = [str(uri) for uri in client.get("redirectUris") or []]
    if anywhere := [uri for uri in redirects if _host_is_open(uri)]:
        yield finding(
            message("check_redirects", name=name),
            Severity.FAILING,
            message("redirects_anywhere", addresses=", ".join(anywhere)),
            message("list_exact_addresses"),
        )
    elif wild := [uri for uri in redirects if "*" in uri]:
        yield finding(
            message("check_redirects", name=name),
            Severity.WARNING,
            message("redirects_wildcards", addresses=", ".join(wild)),
            message("list_documented_addresses"),
        )
    if "*" in post_logout_uris(client):
        yield finding(
            message("check_post_logout", name=name),
            Severity.WARNING,
            message("sign_outs_anywhere"),
            message("list_services_address"),
        )
    if client.get("publicClient") and client.get("directAccessGrantsEnabled"):
        yield finding(
            message("check_direct_grants", name=name),
            Severity.WARNING,
            message("public_takes_passwords"),
            message("switch_direct_grants_off"),
        )
    if (client.get("attributes") or {}).get(BACKCHANNEL) and client.get("frontchannelLogout"):
        yield finding(
            message("check_sign_out", name=name),
            Severity.WARNING,
            message("front_channel_is_on"),
            message("switch_front_channel_off"),
        )


def _passwords(
    client: Mapping[str, Any], mappers: Iterable[Mapping[str, Any]], wants: RealmWants
) -> Iterable[Finding]:
    """Report passwords that get into tokens. The SQL tool needs its password there, on its own
    client (docs/explanation/realm.md#attributes-of-a-user).
    """
    wanted = {
        (one.client_id, mapper.config.get("user.attribute"))
        for one in wants.clients
        for mapper in one.mappers
        if mapper.config.get("access.token.claim") == "true"
    }
    name = str(client.get("clientId"))
    for mapper in mappers:
        config = mapper.get("config") or {}
        attribute = config.get("user.attribute")
        leaks = any(effective_value(config, place) == "true" for place in IN_TOKENS)
        if (
            mapper.get("protocolMapper") != ATTRIBUTE_MAPPER
            or attribute not in wants.secret_attributes
            or not leaks
            or (name, attribute) in wanted
        ):
            continue
        in_its_place = not wants.clients and attribute == wants.sql_password_attribute
        if not in_its_place:
            yield finding(
                message("check_password_in_tokens", name=name),
                Severity.FAILING,
                message(
                    "mapper_writes_into_tokens", mapper=str(mapper.get("name")), attribute=attribute
                ),
                message("write_to_userinfo"),
            )


def _host_is_open(uri: str) -> bool:
    """Return whether the host contains a wildcard: `*`, `https://*`, `https://*.example.org/`."""
    _, scheme, rest = uri.partition("://")
    return uri == "*" or (bool(scheme) and "*" in rest.partition("/")[0])


SHOWN = (
    *("check_client", "check_own_client", "check_own_client_secret", "check_redirects"),
    *("check_post_logout", "check_direct_grants", "check_sign_out", "check_password_in_tokens"),
)
"""Names of findings about clients."""


def finding(
    name: Message,
    severity: Severity,
    found: Message,
    remedy: Message | None = None,
    hides: Hides = (),
) -> Finding:
    """Return a finding about the identity provider."""
    return Findings(SYSTEM).of(severity, name, found, remedy, hides=hides)
