"""The sign-in form for emergencies (`/login?direct=1`) and what else it offers people besides the
identity provider.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import Finding
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.checks_finding import OK, WARNING, finding
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.messages import message

_STATE = re.compile(r'id="initial-state-core-(\w+)" value="([^"]*)"')
NAME = message("check_login_form")


def login_form(client: DriveClient) -> list[Finding]:
    """Check the form by the data that its page gives its scripts."""
    page = client.page("/login", direct="1")
    state = initial_state(page)
    if page.status != 200 or "hideLoginForm" not in state:
        return []
    wrong = [*_buttons(buttons(state)), *_passwords(state)]
    if not wrong:
        return [finding(NAME, OK, message("form_is_for_emergencies"))]
    return [finding(NAME, WARNING, text, remedy) for text, remedy in wrong]


def _passwords(state: Mapping[str, Any]) -> Iterator[tuple[Message, Message]]:
    if not state["hideLoginForm"]:
        yield message("form_is_shown"), message("hide_form")
    if state.get("loginResetPasswordLink", "disabled") != "disabled":
        yield message("password_link_is_shown"), message("hide_password_link")


def _buttons(ways: list[Mapping[str, Any]]) -> Iterator[tuple[Message, Message]]:
    addresses = [str(way.get("href", "")) for way in ways]
    id4me = [one for one in addresses if "/user_oidc/id4me" in one]
    social = [one for one in addresses if "/sociallogin/" in one]
    if id4me:
        yield message("id4me_is_on"), message("switch_id4me_off")
    if social:
        yield message("social_login_is_on"), message("disable_social_login")
    if len(ways) - len(id4me) - len(social) > 1:
        text = message("sign_in_buttons", buttons=len(ways))
        yield text, message("leave_one_provider")


def initial_state(page: Answer) -> dict[str, Any]:
    """Return the data that a page of the drive gives its scripts, by name."""
    found: dict[str, Any] = {}
    for name, value in _STATE.findall(page.text):
        try:
            found[name] = json.loads(base64.b64decode(value))
        except (ValueError, binascii.Error, RecursionError):
            continue
    return found


def buttons(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the ways to sign in besides the password."""
    found = state.get("alternativeLogins")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
