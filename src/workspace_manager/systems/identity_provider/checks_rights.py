"""Rights to read that the manager needs, and the findings that depend on each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.connector import ALL, Finding, Severity
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.checks_clients import SHOWN as OF_CLIENTS
from workspace_manager.systems.identity_provider.checks_clients import finding
from workspace_manager.systems.identity_provider.checks_people import OF_ACTIONS, OF_BROKERS
from workspace_manager.systems.identity_provider.checks_realm import SHOWN as OF_THE_REALM
from workspace_manager.systems.identity_provider.checks_tokens import SHOWN as OF_TOKENS
from workspace_manager.systems.identity_provider.client.token import DOING as SIGNING_IN
from workspace_manager.systems.identity_provider.messages import message


@dataclass(frozen=True)
class Right:
    """A right to read that the manager needs: its purpose, the roles that give it, and its test."""

    name: Message
    roles: str | Message
    purpose: Message
    shows: tuple[str, ...] = ()
    """Findings that need it."""
    severity: Severity = Severity.FAILING
    """The severity of a finding that it is missing."""


_OF_USERS = ("check_manage_users", "check_users_enabled")
_OF_PROFILE = (
    *("check_attributes_declared", "check_attributes_private", "check_attributes_written"),
    *("check_undeclared_attributes", "check_profile_rules"),
)
_RIGHTS = {
    "users": Right(
        message("right_users"), message("roles_for_users"), message("for_users"), _OF_USERS
    ),
    "profile": Right(
        message("right_profile"),
        "view-users",
        message("for_profile"),
        _OF_PROFILE,
    ),
    "realm": Right(message("right_realm"), "view-realm", message("for_realm"), OF_THE_REALM),
    "clients": Right(
        message("right_clients"),
        "view-clients",
        message("for_clients"),
        ("check_manage_clients", *OF_CLIENTS, *OF_TOKENS),
    ),
    "groups": Right(message("right_groups"), "view-users", message("for_groups")),
    "scopes": Right(message("right_scopes"), "view-clients", message("for_scopes"), OF_TOKENS),
    "actions": Right(message("right_actions"), "view-users", message("for_actions"), OF_ACTIONS),
    "brokers": Right(
        message("right_brokers"),
        "view-identity-providers",
        message("for_brokers"),
        OF_BROKERS,
        Severity.WARNING,
    ),
}


def try_right(name: str, call: Callable[[], Any], read: dict[str, Any], client: str) -> Finding:
    """Try a right, and store the answer in `read`. `client`: the client whose roles the
    administrator can have.
    """
    right = _RIGHTS[name]
    label = message("check_right", right=right.name)
    try:
        read[name] = call()
    except ConnectorError as error:
        if error.doing_message == SIGNING_IN:
            return finding(
                message("check_sign_in"), Severity.FAILING, error.in_full, error.advice_message, ALL
            )
        remedy = error.advice_message
        if isinstance(error, Denied):
            remedy = message("give_roles", roles=right.roles, client=client, purpose=right.purpose)
        return finding(label, right.severity, error.in_full, remedy, codes(right.shows))
    return finding(label, Severity.OK, message("check_allowed"))


def codes(names: Iterable[str]) -> tuple[str, ...]:
    """Return the codes of findings."""
    return tuple(f"identity_provider.{one}" for one in names)
