"""Misconfigurations of the realm's clients: secrets, audience, redirect addresses, direct grants, passwords in tokens."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.realm import ATTRIBUTE_MAPPER, AUDIENCE_MAPPER, ClientWants
from workspace_manager.systems.identity_provider.client_answers import RUN_SETUP
from workspace_manager.systems.identity_provider.client_realm import RealmClient
from workspace_manager.systems.identity_provider.client_token import SYSTEM
from workspace_manager.systems.identity_provider.realm.clients import (
    BACKCHANNEL,
    client_facts,
    effective,
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

BUILT_IN: Final = frozenset(
    {"account", "account-console", "admin-cli", "broker", "realm-management"}
    | {"security-admin-console"}
)
"""Clients every realm is born with. Their relative redirect addresses and admin-cli's direct grants are Keycloak's own affair."""

IN_TOKENS: Final = ("access.token.claim", "id.token.claim", "introspection.token.claim")
AUDIENCES: Final = ("included.client.audience", "included.custom.audience")


def client_findings(
    clients: Sequence[Mapping[str, Any]],
    scopes: Sequence[Mapping[str, Any]],
    wants: RealmWants,
    settings: Settings,
    realm: RealmClient,
) -> Iterable[Finding]:
    """Look at the manager's own client closely and at all others for what would harm."""
    own = next((c for c in clients if c.get("clientId") == settings.client_id), None)
    yield from _own_client(own, scopes, settings, realm)
    for client in clients:
        if client.get("enabled") and client.get("clientId") not in BUILT_IN:
            yield from _any_client(client)
            yield from _passwords(client, mappers_in_effect(client, scopes), wants)
    for want in wants.clients:
        yield from _as_wanted(clients, scopes, want)


def _as_wanted(
    clients: Sequence[Mapping[str, Any]], scopes: Sequence[Mapping[str, Any]], wanted: ClientWants
) -> Iterable[Finding]:
    """Compare a client with what one of the connected systems needs of it."""
    label = f"client: {wanted.client_id}"
    client = next((c for c in clients if c.get("clientId") == wanted.client_id), None)
    if client is None:
        yield finding(label, Severity.FAILING, "the realm has no such client", RUN_SETUP)
        return
    want = client_want(wanted)
    have = client_facts(client, want)
    lacking = [name for name in want if not covers(have, {name: want[name]})]
    mappers = mappers_in_effect(client, scopes)
    lacking += [m.name for m in wanted.mappers if not equivalent(mappers, mapper_want(m))]
    if lacking:
        text = f"not as its system needs it: {', '.join(lacking)}"
        yield finding(label, Severity.FAILING, text, RUN_SETUP)
    else:
        yield finding(label, Severity.OK, "as its system needs it")


def _own_client(
    client: Mapping[str, Any] | None,
    scopes: Sequence[Mapping[str, Any]],
    settings: Settings,
    realm: RealmClient,
) -> Iterable[Finding]:
    if client is None or not client.get("enabled"):
        yield finding(
            "own client",
            Severity.FAILING,
            f"the realm has no enabled client {settings.client_id}: nobody can sign in to the manager",
            RUN_SETUP,
        )
        return
    yield from _own_secret(client, settings, realm)
    if "basic" not in (client.get("defaultClientScopes") or []):
        yield finding(
            "own client: sub",
            Severity.FAILING,
            "the default scope basic is missing, so access tokens carry no sub and the drive cannot tell whose they are",
            f"Add the scope basic to the default client scopes of {settings.client_id}.",
        )
    if any(_audience(mapper, settings.client_id) for mapper in mappers_in_effect(client, scopes)):
        yield finding("audience", Severity.OK, "access tokens name another service as audience")
    else:
        yield finding(
            "audience",
            Severity.FAILING,
            "no audience mapper puts the drive's client id into the manager's access tokens: the drive refuses them with 401",
            f"{RUN_SETUP} It adds the mapper audience-drive. People must sign out and in again to get a fresh token.",
        )


def _own_secret(
    client: Mapping[str, Any], settings: Settings, realm: RealmClient
) -> Iterable[Finding]:
    label = "own client: secret"
    if client.get("publicClient"):
        yield finding(
            label, Severity.FAILING, "the manager's client is public: it has no secret", RUN_SETUP
        )
        return
    try:
        same = realm.client_secret(str(client["id"])) == settings.client_secret
    except ConnectorError:
        return  # Not ours to see without manage-clients; a sign-in will show it.
    if same:
        yield finding(label, Severity.OK, "the same on both sides")
    else:
        yield finding(
            label,
            Severity.FAILING,
            "the client secret in the settings is not the one of the realm: every sign-in fails",
            f"Copy it from Clients, {settings.client_id}, Credentials into the settings.",
        )


def _audience(mapper: Mapping[str, Any], own: str) -> bool:
    """Whether a mapper puts somebody else into the audience of access tokens."""
    config = mapper.get("config") or {}
    named = next((config[name] for name in AUDIENCES if config.get(name)), "")
    return (
        mapper.get("protocolMapper") == AUDIENCE_MAPPER
        and named not in {"", own}
        and effective(config, "access.token.claim") == "true"
    )


def _any_client(client: Mapping[str, Any]) -> Iterable[Finding]:
    name = client.get("clientId")
    redirects = [str(uri) for uri in client.get("redirectUris") or []]
    if anywhere := [uri for uri in redirects if _host_is_open(uri)]:
        yield finding(
            f"redirect addresses: {name}",
            Severity.FAILING,
            f"sign-ins may be sent anywhere ({', '.join(anywhere)}): whoever lures a person there gets their code",
            "List the exact addresses.",
        )
    elif wild := [uri for uri in redirects if "*" in uri]:
        yield finding(
            f"redirect addresses: {name}",
            Severity.WARNING,
            f"wildcards: {', '.join(wild)}",
            "List the exact addresses, as the service's own documentation gives them.",
        )
    if "*" in post_logout_uris(client):
        yield finding(
            f"post-logout addresses: {name}",
            Severity.WARNING,
            "sign-outs may be sent anywhere",
            "List the service's own address, with a wildcard for its paths if it needs one.",
        )
    if client.get("publicClient") and client.get("directAccessGrantsEnabled"):
        yield finding(
            f"direct grants: {name}",
            Severity.WARNING,
            "a public client takes passwords directly: anybody can try passwords there without a browser",
            "Switch off Direct access grants on this client.",
        )
    if (client.get("attributes") or {}).get(BACKCHANNEL) and client.get("frontchannelLogout"):
        yield finding(
            f"sign-out: {name}",
            Severity.WARNING,
            "Front channel logout is on, so the client is not told behind the browser when a session is ended",
            "Switch off Front channel logout on this client.",
        )


def _passwords(
    client: Mapping[str, Any], mappers: Iterable[Mapping[str, Any]], wants: RealmWants
) -> Iterable[Finding]:
    """Find passwords that get into tokens. The SQL tool must have its one there, on its own client (specification, 2.3)."""
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
        leaks = any(effective(config, place) == "true" for place in IN_TOKENS)
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
                f"password in tokens: {name}",
                Severity.FAILING,
                f"the mapper {mapper.get('name')} writes {attribute} into tokens, and so to every service they are sent to",
                "Let it write to userinfo alone (Add to userinfo on, the rest off), on the client that needs it.",
            )


def _host_is_open(uri: str) -> bool:
    """Whether a wildcard stands where the host is: `*`, `https://*`, `https://*.example.org/`."""
    _, scheme, rest = uri.partition("://")
    return uri == "*" or (bool(scheme) and "*" in rest.partition("/")[0])


def finding(name: str, severity: Severity, text: str, remedy: str = "") -> Finding:
    """One line of the report."""
    return Finding(system=SYSTEM, name=name, severity=severity, text=text, remedy=remedy)
