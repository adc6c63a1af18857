"""Every misconfiguration of the identity provider that can be seen from here, with what to do (specification, sections 5 and 7).

Looks only, and raises nothing: what cannot be read is a finding itself.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.systems.identity_provider.checks_clients import client_findings, finding
from workspace_manager.systems.identity_provider.client import UserClient
from workspace_manager.systems.identity_provider.client_answers import RUN_SETUP
from workspace_manager.systems.identity_provider.client_realm import RealmClient
from workspace_manager.systems.identity_provider.client_token import DOING as SIGNING_IN
from workspace_manager.systems.identity_provider.names import LOCALE_ATTRIBUTE, MARK_ATTRIBUTE
from workspace_manager.systems.identity_provider.realm.clients import token_lifespan
from workspace_manager.systems.identity_provider.realm.profile import (
    names_in,
    profile_facts,
    undeclared,
)
from workspace_manager.systems.identity_provider.realm.wants import RealmWants

MANY, FEW = 100, 5
"""How many disabled users are read, and how many of them are named."""
LONG_TOKEN_S = 900
LONG_SESSION_S = 14 * 86_400


@dataclass(frozen=True)
class _Right:
    """Something the manager must be allowed to read: what for, which roles give it, and how it is tried."""

    name: str
    roles: str
    purpose: str


_RIGHTS = {
    "users": _Right("query users", "query-users and view-users", "finding and looking at people"),
    "profile": _Right("read the user profile", "view-users", "knowing which attributes are kept"),
    "realm": _Right("read the realm", "view-realm", "knowing how long tokens live"),
    "clients": _Right(
        "read the clients", "view-clients", "checking them, and how long tokens live"
    ),
    "scopes": _Right("read the client scopes", "view-clients", "finding the audience mapper"),
}


def check(users: UserClient, realm: RealmClient, wants: RealmWants) -> list[Finding]:
    """Look at everything. What builds on something that failed is left out."""
    found = list(_reachable(realm))
    if _failing(found):
        return found
    read: dict[str, Any] = {}
    calls: dict[str, Callable[[], Any]] = {
        "users": users.some_user,
        "profile": realm.get_profile,
        "realm": realm.get_realm,
        "clients": realm.all_clients,
        "scopes": realm.client_scopes,
    }
    for name, call in calls.items():
        one = _try(name, call, read)
        found.append(one)
        if one.name == "sign-in":
            return found
    found += _user_management(read)
    if "users" in read:
        found += _disabled(users)
    found += _settings(users)
    if "profile" in read:
        found += _profile(read["profile"], read.get("realm") or {}, wants)
    if "realm" in read:
        found += _lifespans(read["realm"], read.get("clients") or [])
        found += _realm(read["realm"])
    if "clients" in read:
        found += client_findings(
            read["clients"], read.get("scopes") or [], wants, users.wire.settings, realm
        )
    return found


def _failing(findings: Iterable[Finding]) -> bool:
    return any(one.severity is Severity.FAILING for one in findings)


# --- reachable, rights -------------------------------------------------------------------------------------------------------


def _reachable(realm: RealmClient) -> Iterable[Finding]:
    try:
        issuer = realm.discovery().get("issuer")
    except ConnectorError as error:
        yield finding("reachable", Severity.FAILING, str(error), error.advice)
        return
    expected = f"{realm.wire.settings.url}/realms/{realm.wire.settings.realm}"
    if issuer == expected:
        yield finding("reachable", Severity.OK, "the realm answers under its own address")
    else:
        yield finding(
            "reachable",
            Severity.WARNING,
            "the realm answers, and calls itself by another address than the one in the settings",
            "Set the identity provider's hostname, or the address in the settings, to the one browsers use: tokens carry it.",
        )


def _try(name: str, call: Callable[[], Any], read: dict[str, Any]) -> Finding:
    right = _RIGHTS[name]
    label = f"rights: {right.name}"
    try:
        read[name] = call()
    except ConnectorError as error:
        if error.doing == SIGNING_IN:
            return finding("sign-in", Severity.FAILING, str(error), error.advice)
        remedy = error.advice
        if isinstance(error, Denied):
            remedy = f"Give the administrator the roles {right.roles} of realm-management; they are needed for {right.purpose}."
        return finding(label, Severity.FAILING, str(error), remedy)
    return finding(label, Severity.OK, "allowed")


def _user_management(read: dict[str, Any]) -> Iterable[Finding]:
    """Whether we may change users, as far as a user that is there tells: the server says so with each user it shows."""
    label = "rights: manage users"
    user = read.get("users")
    if not user:
        return
    if (user.get("access") or {}).get("manage"):
        yield finding(label, Severity.OK, "allowed")
    else:
        yield finding(
            label,
            Severity.FAILING,
            "users are shown to us and may not be changed by us",
            "Give the administrator the role manage-users of realm-management.",
        )


def _disabled(users: UserClient) -> Iterable[Finding]:
    """People who cannot sign in although nobody shut them out: a user made without saying `enabled` is disabled from the start.

    Users of ours are made enabled, so that a disabled one was suspended; they are known by our mark.
    """
    try:
        found = users.disabled_users(MANY)
    except ConnectorError:
        return  # Said by the other findings.
    names = [
        str(user.get("username"))
        for user in found
        if user.get("enabled") is False and MARK_ATTRIBUTE not in (user.get("attributes") or {})
    ]
    if names:
        shown = ", ".join(names[:FEW]) + (", …" if len(names) > FEW else "")
        yield finding(
            "users enabled",
            Severity.WARNING,
            f"these users are disabled and not by the manager, so that they cannot sign in: {shown}",
            "If nobody shut them out: switch Enabled on at each, and let whatever makes users send `enabled`; left out, it means no.",
        )


def _settings(users: UserClient) -> Iterable[Finding]:
    if "{userId}" not in users.wire.settings.users_delete_url:
        yield finding(
            "settings: delete path",
            Severity.FAILING,
            "the delete path does not say where the user's id goes",
            "Set it to /{userId}.",
        )


# --- profile and realm -------------------------------------------------------------------------------------------------------


def _profile(
    profile: dict[str, Any], realm: dict[str, Any], wants: RealmWants
) -> Iterable[Finding]:
    lost = undeclared(profile, [*wants.private_attributes, *wants.declared_attributes])
    if realm.get("internationalizationEnabled"):
        lost = [name for name in lost if name != LOCALE_ATTRIBUTE]
    label = "attributes declared"
    if lost:
        yield finding(
            label,
            Severity.FAILING,
            f"the user profile does not declare {', '.join(lost)}: the identity provider drops what is written there, without a word",
            RUN_SETUP,
        )
    else:
        yield finding(label, Severity.OK, "every attribute of the workspace is kept")
    facts = profile_facts(profile, realm, {"private": list(wants.private_attributes)})
    kept = names_in(facts, "private")
    if exposed := [n for n in wants.private_attributes if n not in kept and n not in lost]:
        yield finding(
            "attributes private",
            Severity.FAILING,
            f"people may see or edit {', '.join(exposed)} themselves, and so claim another person's account",
            RUN_SETUP,
        )
    if profile.get("unmanagedAttributePolicy") == "ENABLED":
        yield finding(
            "undeclared attributes",
            Severity.WARNING,
            "people may give themselves any attribute that is not declared",
            "Set Realm settings, Unmanaged attributes to Disabled, or to Admin can edit.",
        )


def _lifespans(realm: dict[str, Any], clients: list[dict[str, Any]]) -> Iterable[Finding]:
    """How long a token that is out stays good, and how long a sign-in lasts."""
    seconds = token_lifespan(realm, clients)
    if seconds is None:
        yield finding(
            "token lifespan",
            Severity.FAILING,
            "the realm shows us its name and none of its settings",
            "Give the administrator the role view-realm of realm-management.",
        )
        return
    long = seconds > LONG_TOKEN_S
    yield finding(
        "token lifespan",
        Severity.WARNING if long else Severity.OK,
        f"an access token lives up to {seconds} seconds; a removal looks once more when it has ended",
        "Shorten it, at the realm or at the client that has its own: a token that is out cannot be taken back."
        if long
        else "",
    )
    if int(realm.get("ssoSessionMaxLifespan") or 0) > LONG_SESSION_S:
        yield finding(
            "session lifespan",
            Severity.WARNING,
            "a sign-in lasts longer than two weeks",
            "Shorten Realm settings, Sessions, SSO Session Max.",
        )


def _realm(realm: dict[str, Any]) -> Iterable[Finding]:
    if "accessTokenLifespan" not in realm:
        return  # Only its name is shown to us; said with the token lifespan.
    if not realm.get("internationalizationEnabled"):
        yield finding(
            "internationalisation",
            Severity.WARNING,
            "the sign-in pages have one language, and people's locale is kept only where the user profile declares it",
            "Switch on Realm settings, Localization, and choose the languages.",
        )
    if not realm.get("bruteForceProtected"):
        yield finding(
            "brute force",
            Severity.WARNING,
            "passwords may be tried without limit",
            "Switch on Realm settings, Security defenses, Brute force detection.",
        )
    if realm.get("sslRequired") == "none":
        yield finding(
            "https",
            Severity.WARNING,
            "the realm takes passwords over plain http",
            "Set Realm settings, Require SSL to External requests.",
        )
