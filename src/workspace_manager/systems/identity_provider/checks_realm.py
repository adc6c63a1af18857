"""Checks of the realm as a whole: single members (`members/realm.py`), and combinations of
several.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.members import codes_of
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.checks_clients import finding
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.members.realm import REALM_TABLE
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import LANGUAGES, stack_of_group
from workspace_manager.systems.identity_provider.realm.clients import token_lifespan

SEEN: Final = tuple(
    dict.fromkeys(
        code
        for code in codes_of(REALM_TABLE.rows)
        if code not in {f"{SYSTEM}.check_settings_realm", f"{SYSTEM}.check_reachable"}
    )
)
SHOWN: Final = tuple(code.removeprefix(f"{SYSTEM}.") for code in SEEN)
"""Names of findings about the realm's own document."""
LONG_TOKEN_S: Final = 900
LONG_SESSION_S: Final = 14 * 86_400
LONG_LOCK_S: Final = 86_400
FEW_TRIES: Final = 3
LEAST_S: Final[Mapping[str, tuple[str, int]]] = {
    "accessTokenLifespan": ("Access Token Lifespan", 30),
    "accessCodeLifespan": ("Client Login Timeout", 10),
    "accessCodeLifespanLogin": ("Login timeout", 60),
    "accessCodeLifespanUserAction": ("Login action timeout", 60),
    "ssoSessionIdleTimeout": ("SSO Session Idle", 300),
    "ssoSessionMaxLifespan": ("SSO Session Max", 300),
    "ssoSessionIdleTimeoutRememberMe": ("SSO Session Idle Remember Me", 300),
    "ssoSessionMaxLifespanRememberMe": ("SSO Session Max Remember Me", 300),
    "clientSessionIdleTimeout": ("Client Session Idle", 300),
    "clientSessionMaxLifespan": ("Client Session Max", 300),
}
"""The console's name of each lifespan, and its least practical seconds; 0 means that another one
applies.
"""


def shows_settings(realm: Mapping[str, Any]) -> bool:
    """Return whether we see the realm's settings: without view-realm, little but its name is
    shown.
    """
    return "accessTokenLifespan" in realm


def realm_findings(
    realm: Mapping[str, Any],
    clients: Sequence[Mapping[str, Any]],
    remedy: Message,
    now: Callable[[], float] = time.time,
) -> Iterator[Finding]:
    """Yield findings about all settings. `remedy`: how to show them to us."""
    if not shows_settings(realm):
        text = message("realm_shows_name_only")
        yield finding(message("check_token_lifespan"), Severity.FAILING, text, remedy, SEEN)
        return
    yield from REALM_TABLE.findings(realm, Findings(SYSTEM))
    yield from _lifespans(realm, clients)
    yield from _times(realm)
    yield from _not_before(realm, now())
    yield from _lockout(realm)
    yield from _mail(realm)
    yield from _languages(realm)
    yield from _default_groups(realm)


def _lifespans(realm: Mapping[str, Any], clients: Sequence[Mapping[str, Any]]) -> Iterable[Finding]:
    """Check the lifespans of tokens and sign-ins."""
    seconds = token_lifespan(realm, clients)
    if seconds is not None:
        long = seconds > LONG_TOKEN_S
        yield finding(
            message("check_token_lifespan"),
            Severity.WARNING if long else Severity.OK,
            message("token_lives", seconds=seconds),
            message("shorten_token") if long else None,
        )
    remembered = ("ssoSessionMaxLifespanRememberMe",) if realm.get("rememberMe") else ()
    longest = max(_seconds(realm, one) for one in ("ssoSessionMaxLifespan", *remembered))
    if longest > LONG_SESSION_S:
        yield finding(
            message("check_session_lifespan"),
            Severity.WARNING,
            message("sign_in_lasts_long"),
            message("shorten_session"),
        )


def _times(realm: Mapping[str, Any]) -> Iterable[Finding]:
    short = [
        f"{name} ({_seconds(realm, member)} s)"
        for member, (name, least) in LEAST_S.items()
        if 0 < _seconds(realm, member) < least
    ]
    if short:
        text = message("times_are_short", times=", ".join(short))
        yield finding(message("check_times"), Severity.WARNING, text, message("lengthen_times"))


def _not_before(realm: Mapping[str, Any], now: float) -> Iterable[Finding]:
    """Report a not-before time in the future. A minute is tolerated as the difference of two
    clocks.
    """
    moment = _seconds(realm, "notBefore")
    if moment > now + 60:
        shown_as = min(moment, 2**32)
        text = message("tokens_not_yet", when=datetime.fromtimestamp(shown_as, UTC))
        yield finding(
            message("check_not_before"), Severity.FAILING, text, message("clear_not_before")
        )


def _lockout(realm: Mapping[str, Any]) -> Iterable[Finding]:
    if not realm.get("bruteForceProtected"):
        return  # Nobody is locked out, which another check reports.
    name = message("check_lockout")
    tries = _seconds(realm, "failureFactor")
    longest = max(
        _seconds(realm, "maxFailureWaitSeconds"), _seconds(realm, "minimumQuickLoginWaitSeconds")
    )
    if realm.get("permanentLockout"):
        yield finding(
            name, Severity.WARNING, message("locked_for_good"), message("lock_for_a_while")
        )
    elif longest > LONG_LOCK_S:
        text = message("locked_long", seconds=longest)
        yield finding(name, Severity.WARNING, text, message("lock_shorter"))
    if 0 < tries < FEW_TRIES:
        text = message("locked_soon", n=tries)
        yield finding(name, Severity.WARNING, text, message("allow_more_tries"))


def _mail(realm: Mapping[str, Any]) -> Iterable[Finding]:
    server = realm.get("smtpServer")
    host = server.get("host") if isinstance(server, dict) else None
    if realm.get("verifyEmail") and not host:
        yield finding(
            message("check_mail"),
            Severity.WARNING,
            message("no_mail_server"),
            message("set_mail_server"),
        )


def _languages(realm: Mapping[str, Any]) -> Iterable[Finding]:
    there = realm.get("supportedLocales")
    if not realm.get("internationalizationEnabled") or not isinstance(there, list):
        return
    if lacking := [one for one in LANGUAGES if one not in there]:
        yield finding(
            message("check_internationalisation"),
            Severity.WARNING,
            message("languages_missing", languages=", ".join(lacking)),
            message("add_languages"),
        )


def _default_groups(realm: Mapping[str, Any]) -> Iterable[Finding]:
    groups = realm.get("defaultGroups")
    names = [str(one).strip("/") for one in groups] if isinstance(groups, list) else []
    if ours := [one for one in names if stack_of_group(one)]:
        yield finding(
            message("check_default_groups"),
            Severity.WARNING,
            message("everybody_is_in_group", groups=", ".join(ours)),
            message("take_out_default_groups"),
        )


def _seconds(realm: Mapping[str, Any], member: str) -> int:
    value = realm.get(member)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
