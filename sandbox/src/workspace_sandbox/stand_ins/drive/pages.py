"""The web pages: plain, but with the texts, forms and hidden members of the real ones."""

import base64
import json
import secrets
from collections.abc import Mapping
from html import escape
from typing import Any

from aiohttp import web

HTML = "text/html; charset=UTF-8"
NAME = "Nextcloud"


def request_token() -> str:
    """Return a token against cross-site requests, in the real one's form."""
    halves = (base64.b64encode(secrets.token_bytes(32)).decode() for _ in range(2))
    return ":".join(halves)


def page(
    body: str,
    *,
    status: int = 200,
    title: str = NAME,
    state: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> web.Response:
    """A whole page. `state`: initial state for the page's scripts, as hidden members; `body` is
    trusted HTML.
    """
    hidden = "".join(
        f'<input type="hidden" id="initial-state-{escape(name)}" value="'
        f'{base64.b64encode(json.dumps(value).encode()).decode()}">\n'
        for name, value in (state or {}).items()
    )
    text = (
        '<!DOCTYPE html>\n<html class="ng-csp" lang="en">\n'
        f'<head data-requesttoken="{request_token()}">\n<meta '
        f'charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1.0">\n</head>\n'
        f'<body id="body-login">\n{hidden}<p class="stand-in"><small>Stand-in of the '
        f"sandbox, not the real product.</small></p>\n"
        f"<main>\n{body}\n</main>\n</body>\n</html>\n"
    )
    reasons = {400: "Bad request"}
    return web.Response(
        status=status,
        reason=reasons.get(status),
        body=text.encode(),
        headers={"Content-Type": HTML, **(headers or {})},
    )


def error(text: str, *, status: int, title: str = "Error", throttled_ms: int = 0) -> web.Response:
    """Return an error page, as guests see it."""
    headers = {"X-Nextcloud-Bruteforce-Throttled": f"{throttled_ms}ms"} if throttled_ms else {}
    body = (
        f'<div class="guest-box"><h2>{escape(title)}</h2><ul><li><p>{escape(text)}</p></li></ul>'
        f'<p><a class="button primary" href="/">Back to {NAME}</a></p></div>'
    )
    return page(body, status=status, headers=headers)


def not_found() -> web.Response:
    text = "The page could not be found on the server or you may not be allowed to view it."
    return error(text, status=404, title="Page not found")


def blocked() -> web.Response:
    return error(
        (
            "There were too many requests from your network. Retry later or contact your "
            "administrator if this is an error."
        ),
        status=429,
        title="Too many requests",
    )


def server_error() -> web.Response:
    text = "The server was unable to complete your request."
    return error(text, status=500, title="Internal Server Error")


def untrusted() -> web.Response:
    text = (
        'Please contact your administrator. If you are an administrator, edit the "trusted_domains"'
        " setting in config/config.php like the example in config.sample.php."
    )
    return error(text, status=400, title="Access through untrusted domain")


def maintenance() -> web.Response:
    headers = {"X-Nextcloud-Maintenance-Mode": "1", "Retry-After": "120"}
    body = (
        "<h2>Maintenance mode</h2><p>This Nextcloud instance is currently in maintenance mode.</p>"
    )
    return page(body, status=503, headers=headers)


def redirect(status: int, location: str, *, throttled_ms: int = 0) -> web.Response:
    headers = {"Location": location, "Content-Type": HTML}
    if throttled_ms:
        headers["X-Nextcloud-Bruteforce-Throttled"] = f"{throttled_ms}ms"
    return web.Response(status=status, headers=headers)


def login_form(
    *,
    redirect_url: str,
    alternatives: list[dict[str, str]],
    hidden: bool,
    password_link: str = "disabled",
    failed: bool = False,
) -> web.Response:
    """The sign-in page: password form, and one button for each other way in."""
    buttons = "".join(
        f'<p><a class="alternative-login" href="{escape(a["href"])}">{escape(a["name"])}</a></p>'
        for a in alternatives
    )
    wrong = '<p class="warning">Wrong login or password.</p>' if failed else ""
    form = (
        f'<form method="post" action="/login" name="login">{wrong}'
        '<p><label>Account name or email <input name="user" autocomplete="username" '
        "required></label></p>"
        '<p><label>Password <input name="password" type="password" '
        'autocomplete="current-password" required></label></p>'
        f'<input type="hidden" name="redirect_url" value="{escape(redirect_url)}">'
        '<input type="hidden" name="timezone" value="UTC"><input type="hidden" '
        'name="timezone_offset" value="0">'
        f'<input type="hidden" name="requesttoken" value="{request_token()}">'
        "<button type=submit>Log in</button></form>"
    )
    state = {
        "core-alternativeLogins": alternatives,
        "core-hideLoginForm": hidden,
        "core-loginResetPasswordLink": password_link,
    }
    return page(f"<h1>Log in to {NAME}</h1>{buttons}{form}", title=f"Login – {NAME}", state=state)
