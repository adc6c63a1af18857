"""Misconfigurations of the realm as a whole: languages, guessing, and what people may do there by
themselves.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.systems.identity_provider.checks_clients import finding
from workspace_manager.systems.identity_provider.client_answers import RUN_SETUP
from workspace_manager.systems.identity_provider.messages import message

SHOWN = (
    *("check_internationalisation", "check_brute_force", "check_registration"),
    *("check_registration_names", "check_user_names", "check_forgotten_passwords", "check_https"),
)
"""Names of what is seen in the realm as a whole."""


def realm_findings(realm: Mapping[str, Any]) -> Iterable[Finding]:
    """Settings of the realm as a whole."""
    if "accessTokenLifespan" not in realm:
        return  # Only its name is shown to us; said with the token lifespan.
    if not realm.get("internationalizationEnabled"):
        yield finding(
            message("check_internationalisation"),
            Severity.WARNING,
            message("one_language"),
            message("switch_localization_on"),
        )
    if not realm.get("bruteForceProtected"):
        yield finding(
            message("check_brute_force"),
            Severity.WARNING,
            message("tried_without_limit"),
            message("switch_brute_force_on"),
        )
    yield from _doors(realm)
    if realm.get("sslRequired") == "none":
        yield finding(
            message("check_https"),
            Severity.WARNING,
            message("passwords_over_http"),
            message("require_ssl"),
        )


_DOORS = {
    "registrationAllowed": (message("check_registration"), message("anybody_registers")),
    "registrationEmailAsUsername": (
        message("check_registration_names"),
        message("addresses_become_names"),
    ),
    "editUsernameAllowed": (message("check_user_names"), message("people_rename_themselves")),
}


def _doors(realm: Mapping[str, Any]) -> Iterable[Finding]:
    """What people may do there by themselves, and the manager relies on to be nobody's but its
    own.
    """
    for setting, (name, text) in _DOORS.items():
        if realm.get(setting):
            yield finding(name, Severity.FAILING, text, RUN_SETUP)
    if realm.get("resetPasswordAllowed"):
        yield finding(
            message("check_forgotten_passwords"),
            Severity.WARNING,
            message("mailbox_opens_account"),
            message("switch_forgot_password_off"),
        )
