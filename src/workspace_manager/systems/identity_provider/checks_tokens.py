"""Checks of the future content of the manager's tokens and userinfo, as scopes and mappers of the
realm decide: given scopes, the subject, and the audiences.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.realm import AUDIENCE_MAPPER
from workspace_manager.systems.identity_provider.checks_clients import finding
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.realm.clients import (
    effective_value,
    mappers_in_effect,
)
from workspace_manager.systems.identity_provider.realm.services import ASKED_SCOPES
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import Settings

Document = Mapping[str, Any]
AUDIENCES: Final = ("included.client.audience", "included.custom.audience")
LIGHTWEIGHT: Final = "client.use.lightweight.access.token.enabled"
SUB_MAPPER: Final = "oidc-sub-mapper"
PAIRWISE: Final = "oidc-sha256-pairwise-sub-mapper"
SOURCES: Final = {
    "preferred_username": "username",
    "email": "email",
    "email_verified": "emailVerified",
}
"""Claims that the manager trusts, and the source of each in a user."""
SHOWN: Final = (
    *("check_own_client_scopes", "check_own_client_sub", "check_own_client_tokens"),
    *("check_own_client_claims", "check_audience", "check_subject"),
)
"""Names of these findings."""


def token_findings(
    clients: Sequence[Document], scopes: Sequence[Document], wants: RealmWants, settings: Settings
) -> Iterable[Finding]:
    """Check the content of the tokens of each required client, and of our own closely."""
    for want in wants.clients:
        client = next((c for c in clients if c.get("clientId") == want.client_id), None)
        if client and client.get("enabled") and not want.service_roles:
            yield from _subject(client, _mappers(client, scopes))
    own = next((c for c in clients if c.get("clientId") == settings.client_id), None)
    if own is None or not own.get("enabled"):
        return
    mappers = _mappers(own, scopes)
    calls = any(client.takes_our_tokens for client in wants.clients)
    without = list(_without_scopes(own, settings))
    yield from without
    yield from _access_tokens(own, mappers, settings, calls=calls)
    if not without:
        yield from _claims(mappers, settings)


def _mappers(client: Document, scopes: Sequence[Document]) -> list[Document]:
    """Return the mappers of a client, of its default scopes, and of optional scopes that a sign-in
    requests.
    """
    asked = [one for one in client.get("optionalClientScopes") or [] if one in ASKED_SCOPES]
    given = {
        **client,
        "defaultClientScopes": [*(client.get("defaultClientScopes") or []), *asked],
    }
    return mappers_in_effect(given, scopes)


def _without_scopes(client: Document, settings: Settings) -> Iterable[Finding]:
    there = {
        "openid",
        *(client.get("defaultClientScopes") or []),
        *(client.get("optionalClientScopes") or []),
    }
    if lacking := ", ".join(one for one in ASKED_SCOPES if one not in there):
        yield finding(
            message("check_own_client_scopes"),
            Severity.FAILING,
            message("scopes_missing", scopes=lacking),
            message("add_scopes", scopes=lacking, client_id=settings.client_id),
        )


def _access_tokens(
    client: Document, mappers: Sequence[Document], settings: Settings, *, calls: bool
) -> Iterable[Finding]:
    """Report whether access tokens name their subject and, if a system accepts them, their
    audience.
    """
    subs = [one for one in mappers if _says_sub(one)]
    audiences = [one for one in mappers if _audience(one, settings.client_id)]
    if (client.get("attributes") or {}).get(LIGHTWEIGHT) == "true":
        needed = [subs, audiences] if calls else [subs]
        if not all(any(map(_in_lightweight, some)) for some in needed):
            yield finding(
                message("check_own_client_tokens"),
                Severity.FAILING,
                message("tokens_are_lightweight"),
                message("switch_lightweight_off", client_id=settings.client_id),
                (message("check_audience").code, message("check_own_client_sub").code),
            )
            return
    if "basic" not in (client.get("defaultClientScopes") or []) or not subs:
        listed = "basic" in (client.get("defaultClientScopes") or [])
        yield finding(
            message("check_own_client_sub"),
            Severity.FAILING,
            message("no_sub_mapper" if listed else "scope_basic_missing"),
            message("add_sub_mapper")
            if listed
            else message("add_scope_basic", client_id=settings.client_id),
        )
    if calls:
        yield _audience_finding(named=bool(audiences))


def _audience_finding(*, named: bool) -> Finding:
    if named:
        return finding(message("check_audience"), Severity.OK, message("audience_set"))
    return finding(
        message("check_audience"),
        Severity.FAILING,
        message("no_audience_mapper"),
        message("setup_adds_mapper"),
    )


def _claims(mappers: Sequence[Document], settings: Settings) -> Iterable[Finding]:
    """Check that the claims we read exist and have the right source."""
    name = message("check_own_client_claims")
    for claim, source in SOURCES.items():
        writers = [one for one in mappers if _writes(one, claim)]
        for one in writers:
            if _config(one).get("user.attribute") != source:
                text = message("claim_from_elsewhere", claim=claim, mapper=str(one.get("name")))
                remedy = message("map_claim", claim=claim, attribute=source)
                yield finding(name, Severity.FAILING, text, remedy)
        if not writers and claim == "preferred_username":
            text = message("claim_missing", claim=claim, client_id=settings.client_id)
            remedy = message("map_claim", claim=claim, attribute=source)
            yield finding(name, Severity.FAILING, text, remedy)


def _subject(client: Document, mappers: Iterable[Document]) -> Iterable[Finding]:
    """Report a client that gets another `sub` than the user's id."""
    for one in mappers:
        if one.get("protocolMapper") == PAIRWISE or _writes(one, "sub"):
            yield finding(
                message("check_subject", name=str(client.get("clientId"))),
                Severity.FAILING,
                message("another_subject", mapper=str(one.get("name"))),
                message("remove_mapper", mapper=str(one.get("name"))),
            )


def _config(mapper: Document) -> Mapping[str, str]:
    return mapper.get("config") or {}


def _writes(mapper: Document, claim: str) -> bool:
    config = _config(mapper)
    places = ("userinfo.token.claim", "id.token.claim")
    return config.get("claim.name") == claim and any(
        effective_value(config, one) == "true" for one in places
    )


def _says_sub(mapper: Document) -> bool:
    config = _config(mapper)
    return (
        mapper.get("protocolMapper") == SUB_MAPPER
        and effective_value(config, "access.token.claim") == "true"
    )


def _audience(mapper: Document, own: str) -> bool:
    """Return whether a mapper adds another audience to access tokens."""
    config = _config(mapper)
    named = next((config[name] for name in AUDIENCES if config.get(name)), "")
    return (
        mapper.get("protocolMapper") == AUDIENCE_MAPPER
        and named not in {"", own}
        and effective_value(config, "access.token.claim") == "true"
    )


def _in_lightweight(mapper: Document) -> bool:
    return _config(mapper).get("lightweight.claim") == "true"
