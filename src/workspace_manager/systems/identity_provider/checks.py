"""Checks of the identity provider: misconfigurations that can be seen from here, with their
remedies.

They change nothing and raise nothing: what cannot be read is a finding.

See docs/explanation/when-something-is-wrong.md#misconfigurations.
"""

from collections.abc import Callable, Iterable
from typing import Any

from workspace_manager.contract.connector import ALL, Finding, Severity
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.identity_provider.checks_clients import (
    client_findings,
    finding,
)
from workspace_manager.systems.identity_provider.checks_directory import directory_findings
from workspace_manager.systems.identity_provider.checks_people import (
    action_findings,
    broker_findings,
)
from workspace_manager.systems.identity_provider.checks_profile import profile_findings
from workspace_manager.systems.identity_provider.checks_realm import realm_findings
from workspace_manager.systems.identity_provider.checks_rights import try_right
from workspace_manager.systems.identity_provider.checks_tokens import token_findings
from workspace_manager.systems.identity_provider.client.answers import NO_REALM
from workspace_manager.systems.identity_provider.client.groups import GroupClient
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.users import UserClient
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import (
    BUILT_IN_CLIENTS,
    MARK_ATTRIBUTE,
    MASTER,
)
from workspace_manager.systems.identity_provider.realm.wants import RealmWants

MANY, FEW = 100, 5
"""The most disabled users that are read, and the most that are named."""


def check(users: UserClient, realm: RealmClient, wants: RealmWants) -> list[Finding]:
    """Run all checks. Checks that depend on a failed one are left out."""
    found = list(_reachable(realm))
    if _failing(found):
        return found
    settings = realm.wire.settings
    read: dict[str, Any] = {}
    calls: dict[str, Callable[[], Any]] = {
        "users": users.some_user,
        "profile": realm.get_profile,
        "realm": realm.get_realm,
        "clients": realm.all_clients,
        "groups": GroupClient(users.wire).some_group,
        "scopes": realm.client_scopes,
        "actions": realm.required_actions,
        "brokers": realm.brokers,
    }
    for name, call in calls.items():
        one = try_right(name, call, read, settings.roles_of)
        found.append(one)
        if one.name_message == message("check_sign_in"):
            return found
    found += _user_management(read, settings.roles_of)
    found += _client_management(read, settings.roles_of)
    if "users" in read:
        found += _disabled(users)
    found += _settings(users)
    if "profile" in read:
        found += profile_findings(read["profile"], read.get("realm") or {}, wants)
    if "realm" in read:
        remedy = message("give_view_realm", client=settings.roles_of)
        found += realm_findings(read["realm"], read.get("clients") or [], remedy)
        found += directory_findings(users, wants)
    found += action_findings(read.get("actions") or [])
    found += broker_findings(read.get("brokers") or [])
    if "clients" in read:
        found += client_findings(read["clients"], read.get("scopes") or [], wants, settings, realm)
    if "clients" in read and "scopes" in read:
        found += token_findings(read["clients"], read["scopes"], wants, settings)
    return found


def _failing(findings: Iterable[Finding]) -> bool:
    return any(one.severity is Severity.FAILING for one in findings)


# --- reachable, rights ----------------------------------------------------------------------------


def _reachable(realm: RealmClient) -> Iterable[Finding]:
    settings = realm.wire.settings
    if settings.realm == MASTER:
        yield finding(
            message("check_settings_realm"),
            Severity.FAILING,
            message("realm_is_master", realm=MASTER),
            message("name_another_realm"),
            ALL,
        )
        return
    try:
        issuer = realm.discovery().get("issuer")
    except ConnectorError as error:
        if error.advice_message == NO_REALM:
            yield finding(
                message("check_settings_realm"),
                Severity.FAILING,
                message("realm_not_there", realm=settings.realm),
                message("name_realm_there"),
                ALL,
            )
            return
        yield finding(
            message("check_reachable"), Severity.FAILING, error.in_full, error.advice_message, ALL
        )
        return
    expected = f"{settings.url}/realms/{settings.realm}"
    if issuer == expected:
        yield finding(message("check_reachable"), Severity.OK, message("realm_answers"))
    else:
        yield finding(
            message("check_reachable"),
            Severity.WARNING,
            message("realm_has_other_address"),
            message("set_hostname"),
        )


def _user_management(read: dict[str, Any], roles_of: str) -> Iterable[Finding]:
    """Report whether we may change users, as far as an existing user tells: the server adds that to
    each user it shows.
    """
    label = message("check_manage_users")
    user = read.get("users")
    if not user:
        return
    if (user.get("access") or {}).get("manage"):
        yield finding(label, Severity.OK, message("check_allowed"))
    else:
        yield finding(
            label,
            Severity.FAILING,
            message("users_not_changeable"),
            message("give_manage_users", client=roles_of),
        )


def _client_management(read: dict[str, Any], roles_of: str) -> Iterable[Finding]:
    """Report whether we may make and delete clients. Only knowledge stacks need it, so the manager
    works without. The server adds that to each client except its own ones.
    """
    label = message("check_manage_clients")
    clients = read.get("clients") or []
    ours = [client for client in clients if client.get("clientId") not in BUILT_IN_CLIENTS]
    if not ours:
        return
    if any((client.get("access") or {}).get("manage") for client in ours):
        yield finding(label, Severity.OK, message("check_allowed"))
    else:
        yield finding(
            label,
            Severity.WARNING,
            message("clients_not_changeable"),
            message("give_manage_clients", client=roles_of),
        )


def _disabled(users: UserClient) -> Iterable[Finding]:
    """Report disabled users whom nobody suspended, by our mark. An approval enables its user, but a
    user made elsewhere without `enabled` is disabled from the start.
    """
    try:
        found = users.disabled_users(MANY)
    except ConnectorError as error:
        name = message("check_users_enabled")
        yield finding(name, Severity.WARNING, error.in_full, error.advice_message, (name.code,))
        return
    names = [
        str(user.get("username"))
        for user in found
        if user.get("enabled") is False and MARK_ATTRIBUTE not in (user.get("attributes") or {})
    ]
    if names:
        shown = ", ".join(names[:FEW]) + (", …" if len(names) > FEW else "")
        yield finding(
            message("check_users_enabled"),
            Severity.WARNING,
            message("users_are_disabled", users=shown),
            message("switch_enabled_on"),
        )


def _settings(users: UserClient) -> Iterable[Finding]:
    if "{userId}" not in users.wire.settings.users_delete_url:
        yield finding(
            message("check_delete_path"),
            Severity.FAILING,
            message("delete_path_without_id"),
            message("set_it_to_user_id"),
        )
