"""What the drive's public pages show: where sign-in and sign-out lead."""

import base64
import binascii
import json
import re
from urllib.parse import parse_qs, urlsplit

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.http import Answer
from workspace_manager.systems.drive.checks.finding import FAILING, OCC, OK, WARNING, finding
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.settings import Settings

_ALTERNATIVES = re.compile(r'id="initial-state-core-alternativeLogins" value="([^"]*)"')
_NO_PROVIDER = "There is no such OpenID Connect provider."


def login(client: DriveClient) -> Finding:
    name = "sign-in goes to the identity provider"
    answer = client.page("/login")
    location = answer.headers.get("location", "")
    if answer.status in {302, 303} and "/apps/user_oidc/login/" in location:
        return finding(name, OK, "The sign-in page leads straight to the identity provider.")
    if answer.status in {302, 303}:
        return finding(
            name,
            WARNING,
            "The sign-in page leads somewhere else than the OpenID Connect app.",
            "Check the base URL and what answers before the drive.",
        )
    if answer.status == 429:
        return _throttled(name)
    if answer.status != 200:
        return finding(
            name, FAILING, f"The sign-in page answered {answer.shape}.", "Check the base URL."
        )
    buttons = _alternative_logins(answer)
    if buttons > 1:
        return finding(
            name,
            WARNING,
            f"The sign-in page offers {buttons} sign-in buttons.",
            "Disable the social-login app, switch ID4me off (id4me_enabled=0), and delete every OpenID Connect provider but one.",
        )
    return finding(
        name,
        WARNING,
        "The sign-in page asks for a password instead of leading to the identity provider.",
        "Set allow_multiple_user_backends=0 of the OpenID Connect app, and configure exactly one provider.",
    )


def _alternative_logins(answer: Answer) -> int:
    match = _ALTERNATIVES.search(answer.text)
    try:
        state = json.loads(base64.b64decode(match[1])) if match else []
    except (ValueError, binascii.Error):
        return 0
    return len(state) if isinstance(state, list) else 0


def _throttled(name: str) -> Finding:
    return finding(
        name,
        WARNING,
        "The drive answered 429: our address is blocked after failed sign-ins or sign-outs.",
        "Reset the counters (occ security:bruteforce:reset with our address) or wait 30 minutes.",
    )


def single_logout(client: DriveClient, settings: Settings) -> Finding:
    name = "single logout"
    answer = client.page("/apps/user_oidc/sls")
    location = answer.headers.get("location", "")
    query = parse_qs(urlsplit(location).query)
    if answer.status == 429:
        return _throttled(name)
    if answer.status == 303 and "post_logout_redirect_uri" in query:
        back = query["post_logout_redirect_uri"][0]
        if urlsplit(back).hostname != urlsplit(settings.base_url).hostname:
            return finding(
                name,
                WARNING,
                "Signing out leads back to another host than the drive's base URL.",
                f"Set the provider's post-logout address to the drive's home ({OCC} <name> --postlogouturi=…).",
            )
        return finding(
            name,
            OK,
            f"Signing out is passed on to {urlsplit(location).hostname or 'the provider'}.",
        )
    if answer.status in {302, 303}:
        return finding(
            name,
            WARNING,
            "Signing out stays at the drive: the identity provider's session goes on.",
            "Configure exactly one provider, allow_multiple_user_backends=0 and single_logout on.",
        )
    return _single_logout_trouble(name, answer)


def _single_logout_trouble(name: str, answer: Answer) -> Finding:
    if answer.status == 404 and _NO_PROVIDER in answer.text:
        return finding(
            name,
            FAILING,
            "Signing out answered 404: the provider is gone (deleted or renamed).",
            "Configure the provider again under its old name; people must sign in afresh.",
        )
    if answer.status == 404:
        drives_own = "requesttoken" in answer.text or "Nextcloud" in answer.text
        return finding(
            name,
            FAILING,
            "Signing out answered 404: "
            + (
                "the drive has no such page."
                if drives_own
                else "the request did not reach the drive."
            ),
            "Enable the OpenID Connect app (occ app:enable user_oidc)."
            if drives_own
            else "The proxy before the drive answered: let it pass /apps/.",
        )
    if answer.status >= 500:
        return finding(
            name,
            FAILING,
            f"Signing out answered {answer.status}.",
            "The drive cannot reach the identity provider. Check the discovery address; if it is an internal one, set "
            "allow_local_remote_servers.",
        )
    return finding(name, FAILING, f"Signing out answered {answer.shape}.", "Check the base URL.")
