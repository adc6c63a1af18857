"""Checks of what people may do to their own user, and of other ways in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.systems.identity_provider.checks_clients import finding
from workspace_manager.systems.identity_provider.messages import message

OF_ACTIONS: Final = ("check_required_actions",)
OF_BROKERS: Final = ("check_broker",)
"""Names of findings about brokers."""
PEOPLE_SIGN_IN: Final = "USER_AUTHENTICATION"


def action_findings(actions: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Check two required actions; one that is not in the list is not offered."""
    enabled = {str(one.get("alias")): one.get("enabled") is True for one in actions}
    name = message("check_required_actions")
    if enabled.get("delete_account"):
        yield finding(
            name,
            Severity.WARNING,
            message("people_delete_themselves"),
            message("switch_delete_account_off"),
        )
    if enabled.get("UPDATE_PASSWORD") is False:
        yield finding(
            name,
            Severity.WARNING,
            message("passwords_stay_given"),
            message("switch_update_password_on"),
        )


def broker_findings(brokers: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Yield a finding for each provider that makes users whom nobody approved."""
    for broker in brokers:
        types = broker.get("types")
        for_people = not isinstance(types, list) or PEOPLE_SIGN_IN in types
        if broker.get("enabled") and for_people and not broker.get("linkOnly"):
            alias = str(broker.get("alias"))
            yield finding(
                message("check_broker", alias=alias),
                Severity.WARNING,
                message("brokers_let_in"),
                message("link_only", alias=alias),
            )
