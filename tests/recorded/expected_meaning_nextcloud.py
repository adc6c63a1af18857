"""The meanings of the answers of Nextcloud and its OpenID Connect app (docs/systems/drive.md).

Version 1 paths answer HTTP 200 for nearly every failure; the truth is the code in the OCS envelope,
with its message.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from tests.recorded.expected_meaning import NO_ANSWER, Meaning, Table, rows
from tests.recorded.reading import Run

OCS = "/ocs/v{version}.php"
USERS, USER = f"{OCS}/cloud/users", f"{OCS}/cloud/users/{{user}}"
ME = f"{OCS}/cloud/user"
GET_PASSWORD, PASSWORD = f"{OCS}/core/getapppassword", f"{OCS}/core/apppassword"
PROVIDERS = f"{OCS}/apps/user_oidc/api/v1/provider"
START, POLL = "/index.php/login/v2", "/login/v2/poll"

ROUTES = (
    ME,
    USERS,
    USER,
    f"{USER}/{{part...}}",
    GET_PASSWORD,
    PASSWORD,
    PROVIDERS,
    f"{PROVIDERS}/{{provider}}",
    f"{OCS}/apps/user_oidc/api/v1/user",
    f"{OCS}/apps/user_oidc/api/v1/user/{{user}}",
    f"{OCS}/{{part...}}",
    "/remote.php/dav/{path...}",
    "/remote.php/{path...}",
    "/status.php",
    START,
    "/login/v2",
    POLL,
    "/login/v2/grant",
    "/login/v2/flow",
    "/login/v2/flow/{token}",
    "/login",
    "/logout",
    "/apps/{app...}",
    "/index.php/{page...}",
    # The identity provider of the recordings, which took a step in some sign-ins.
    "/realms/{realm}/{part...}",
    "/",
    "/{page...}",
)


def code(
    status: int | None, kind: str, text: str, document: Any, headers: Mapping[str, str]
) -> str:
    """The OCS code with its message; else what the page, document or redirect is. Reads envelopes
    that were cut, too.
    """
    number = re.search(r'"statuscode":(\d+)|<statuscode>(\d+)', text)
    if number and kind != "text/html":
        said = re.search(r'"message":"((?:[^"\\]|\\.)*)"|<message>([^<]*)', text)
        message = (said[1] or said[2] or "") if said else ""
        return (
            f"{number[1] or number[2]} {' '.join(message.replace(chr(92) + 'n', ' ').split())}"
        ).strip()
    if 300 <= (status or 0) < 400:
        return _to(headers.get("location", ""))
    if kind == "text/html":
        return "page" if text.strip() else "nothing"
    if not text.strip():
        return "nothing"
    if "xml" in kind:
        found = re.search(r"<s:exception>([^<]*)", text)
        return found[1] if found else "xml"
    if isinstance(document, dict) and isinstance(document.get("message"), str):
        return str(document["message"])
    return "json" if document is not None else "json, cut"


def _to(location: str) -> str:
    """Where a redirect leads: a page of the drive, or the identity provider."""
    parts = urlsplit(location)
    if "post_logout_redirect_uri=" in parts.query:
        return "to the identity provider's logout"
    if "code_challenge=" in parts.query or "response_type=" in parts.query:
        return "to the identity provider"
    return f"to {parts.path}"


TABLE = Table(
    "nextcloud",
    ROUTES,
    rows(
        (
            ("*", "*", NO_ANSWER, "*", "unavailable"),
            ("*", "*", 401, "*", "denied"),
            ("*", "*", "*", "997 *", "denied"),
            ("*", "*", 429, "*", "unavailable"),
            ("*", "*", "*", "429 *", "unavailable"),
            ("*", "*", "5xx", "*", "unavailable"),
            ("*", "*", "*", "996 *", "unavailable"),
            ("*", "*", 412, "*", "invalid"),
            # No app password is offered: the command-line tool can make one instead.
            ("GET", GET_PASSWORD, 403, "403*", "gone"),
            ("GET", GET_PASSWORD, 404, "*", "gone"),
            ("GET", GET_PASSWORD, 200, "nothing", "gone"),
            # Nobody has granted access yet: asked again.
            ("POST", POLL, 404, "json*", "unavailable"),
        ),
        (
            ("*", "*", "*", "998", "gone"),
            ("*", "*", "*", "404 User does not exist", "gone"),
            ("*", f"{OCS}/apps/user_oidc/api/v1/user*", 404, "404 User not found", "gone"),
            ("*", "*", 404, "404", "gone"),
            ("DELETE", PASSWORD, "*", "403 no app password in use", "conflict"),
            ("*", "*", "*", "403*", "denied"),
            ("*", "*", "*", "105*", "denied"),
            ("*", "*", "*", "101*", "conflict"),
            ("*", "*", "*", "102*", "conflict"),
            ("*", "*", 200, "100*", "done"),
            ("*", "*", 200, "200*", "done"),
        ),
        (
            ("GET", "/status.php", 200, "json", "done"),
            ("POST", START, 200, "json", "done"),
            ("POST", POLL, 200, "json", "done"),
            # Everything else is no envelope: a page, a redirect, WebDAV, an unknown code.
            ("*", "*", "2xx", "*", "invalid"),
            ("*", "*", "3xx", "*", "invalid"),
            ("*", "*", "4xx", "*", "invalid"),
        ),
    ),
    code,
)

APP_PASSWORD = re.compile(r"\b[A-Za-z0-9]{72}\b")
ADDS = "user:add-app-password"
RUNS: tuple[tuple[str, int | None, str, Meaning], ...] = (
    (ADDS, 0, "app password", "done"),
    (ADDS, 1, "Account does not exist", "gone"),
    (ADDS, 1, "User does not exist", "gone"),
    (ADDS, None, "", "invalid"),
)
"""(command of the tool, exit code or any, what its output holds, meaning)."""


def meaning_of_run(run: Run) -> Meaning | None:
    """What a run of the command-line tool means; None for a command that the manager never runs."""
    for command, exit_code, said, meaning in RUNS:
        if command in run.command and exit_code in {None, run.exit_code} and said in output_of(run):
            return meaning
    return None


def output_of(run: Run) -> str:
    return f"{run.stdout}\n{run.stderr}"
