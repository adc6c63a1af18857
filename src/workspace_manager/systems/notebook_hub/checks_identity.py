"""Find out whether a refused identity could still start a server: the hub's cookies and tokens outlive a person's removal.

What the hub does about that is nowhere in its API. So the configuration we give operators (docs/howto/notebook-hub.md) tells it in the
`info` of the manager's service, and this reads it there.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.notebook_hub.client import SYSTEM, Client

NAME = "refused identities"
OLDEST = 17
"""The first oauthenticator that asks the identity provider again; older ones call every identity good."""

_HOWTO = "docs/howto/notebook-hub.md has a configuration that does, and explains each line."


def finding(client: Client, info: object) -> Finding:
    """Judge by what the hub says signs people in, and by what its configuration tells in `info`. One finding."""
    try:
        wrong = list(_authenticator(*client.authenticator()))
    except ConnectorError as error:
        return _warning(f"the hub does not say what signs people in: {error.detail}")
    told = info.get("asked_afresh") if isinstance(info, Mapping) else None
    wrong += _settings(told) if isinstance(told, Mapping) else ()
    if wrong:
        text = f"the hub can start a server for somebody who was removed: {'; '.join(wrong)}"
        return _finding(Severity.FAILING, text, f"Set the hub up so that it does not: {_HOWTO}")
    if not isinstance(told, Mapping):
        return _warning("the hub does not say whether it asks the identity provider before a start")
    text = "before each start of a server the hub asks the identity provider, also when a token asks for it"
    return _finding(Severity.OK, text)


def _authenticator(name: str, version: str) -> Iterator[str]:
    number = re.match(r"\d+", version)
    if not name.startswith("oauthenticator."):
        yield f"people sign in by {name or 'something unknown'}, which asks no identity provider again"
    elif number and int(number[0]) < OLDEST:
        yield f"oauthenticator {version} calls every identity good; {OLDEST} is the first that asks again"


def _settings(told: Mapping[str, Any]) -> Iterator[str]:
    """Say each setting that lets a refused identity through. All must be as they are in our configuration."""
    if not told.get("enable_auth_state"):
        yield "enable_auth_state is off, so that there is nothing to ask with"
    if not told.get("refresh_pre_spawn"):
        yield "refresh_pre_spawn is off, so that nobody is asked before a start"
    if not told.get("auth_refresh_age"):
        yield "auth_refresh_age is 0, which turns asking off altogether"
    if not told.get("auth_refresh_strict"):
        yield "auth_refresh_strict is off, so that a token of the hub's API starts a server all the same"
    if told.get("userdata_from_id_token"):
        yield "userdata_from_id_token is on, so that an old ID token is believed instead of asking"


def _warning(text: str) -> Finding:
    remedy = (
        "Give the manager's service in the hub the scopes read:hub and read:services of itself, and let its info tell it: "
        "docs/howto/notebook-hub.md."
    )
    return _finding(Severity.WARNING, text, remedy)


def _finding(severity: Severity, text: str, remedy: str = "") -> Finding:
    return Finding(system=SYSTEM, name=NAME, severity=severity, text=text, remedy=remedy)
