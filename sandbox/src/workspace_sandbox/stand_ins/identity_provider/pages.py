"""The pages a person sees: sign-in, required actions, logging out, errors. Element ids are
Keycloak's, so that scripts find them.

Every page says that it belongs to a stand-in.
"""

from collections.abc import Mapping
from html import escape

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider.answers import Doc

HTML = "text/html;charset=utf-8"
POLICY = {
    "Content-Language": "en",
    "Content-Security-Policy": "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
}
STYLE = """
:root{color-scheme:light dark;--ink:#1d2b36;--paper:#fff;--back:#e8eef2;
--line:#8397a5;--strong:#0b5c8a;--bad:#a1232b}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf2;--paper:#1b262e;--back:#10181d;--line:#6f8796;--strong:#7cc4ee;--bad:#ff9a9f}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);
color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:min(26rem,92vw);background:var(--paper);padding:2rem;border-radius:.75rem;
box-shadow:0 .25rem 1.5rem #0003}
h1{font-size:1.4rem;margin:.25rem 0 1.25rem}#kc-header{font-size:.9rem;letter-spacing:.04em}
label{display:block;margin-top:1rem;font-weight:600}
input[type=text],input[type=email],input[type=password]{width:100%;padding:.6rem;margin-top:.25rem;font:inherit;
border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit}
[type=submit]{width:100%;margin-top:1.5rem;padding:.7rem;font:inherit;font-weight:600;border:0;border-radius:.4rem;
background:#0b5c8a;color:#fff;cursor:pointer}
:focus-visible{outline:3px solid var(--strong);outline-offset:2px}
.bad{color:var(--bad);margin:.35rem 0 0}footer{margin-top:1.75rem;font-size:.8rem}
"""


def _page(realm: str, page: str, title: str, content: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html class="login-pf" lang="en" dir="ltr">\n<head><meta '
        f'charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Sign in to {escape(realm)}</title><style>{STYLE}</style></head>\n"
        f'<body id="keycloak-bg" data-page-id="login-{page}">\n<main>'
        f'<header id="kc-header"><div id="kc-header-wrapper">{escape(realm)}</div></header>\n'
        f'<h1 id="kc-page-title">{escape(title)}</h1>\n{content}\n'
        f"<footer>This is a stand-in of the workspace manager's sandbox for a Keycloak. "
        f"Nothing here is kept safe.</footer>"
        f"</main>\n</body>\n</html>\n"
    )


def answer(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(
        status=status,
        body=text.encode(),
        headers={**POLICY, **(headers or {}), "Content-Type": HTML},
    )


def _alert(message: str) -> str:
    if not message:
        return ""
    return (
        '<div class="pf-v5-c-alert" role="alert">'
        f'<span class="pf-v5-c-alert__title kc-feedback-text bad">{escape(message)}</span></div>'
    )


def sign_in(
    realm: str, action: str, *, username: str = "", wrong: str = "", notice: str = ""
) -> str:
    field_error = (
        (
            f'<p id="input-error-username" class="bad kc-feedback-text" '
            f'aria-live="polite">{escape(wrong)}</p>'
        )
        if wrong
        else ""
    )
    described = ' aria-invalid="true" aria-describedby="input-error-username"' if wrong else ""
    return _page(
        realm,
        "login",
        "Sign in to your account",
        f'{_alert(notice)}<div id="kc-form"><div id="kc-form-wrapper">'
        f'<form id="kc-form-login" onsubmit="login.disabled = true; return true;" '
        f'action="{escape(action)}" method="post">'
        f'<label for="username">Username or email</label>'
        f'<input id="username" name="username" value="{escape(username)}" type="text" '
        f'autocomplete="username" autofocus'
        f'{described}>{field_error}<label for="password">Password</label>'
        f'<input id="password" name="password" value="" type="password" '
        f'autocomplete="current-password"{described}>'
        f'<input type="hidden" id="id-hidden-input" name="credentialId">'
        f'<input name="login" id="kc-login" type="submit" value="Sign In"></form></div></div>',
    )


def render_message(realm: str, title: str, message: str, page: str = "info") -> str:
    return _page(
        realm,
        page,
        title,
        f'<div id="kc-info-message"><p class="instruction">{escape(message)}</p></div>',
    )


def error(realm: str, message: str) -> str:
    return _page(
        realm,
        "error",
        "We are sorry...",
        f'<div id="kc-error-message"><p class="instruction">{escape(message)}</p></div>',
    )


def confirm_logout(realm: str, action: str, code: str) -> str:
    return _page(
        realm,
        "logout-confirm",
        "Logging out",
        f'<div id="kc-logout-confirm"><p class="instruction">Do you want to log out?</p>'
        f'<form class="form-actions" action="{escape(action)}" method="POST">'
        f'<input type="hidden" name="session_code" value="{escape(code)}">'
        f'<input name="confirmLogout" id="kc-logout" type="submit" value="Logout"/></form></div>',
    )


def form_post(target: str, fields: Doc) -> str:
    """The answer of `response_mode=form_post`: a form that sends itself."""
    inputs = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(str(value))}" />'
        for name, value in fields.items()
    )
    return (
        "<html><head><title>Submit this form</title></head>"
        '<body onload="javascript:document.forms[0].submit()">'
        f'<form method="post" action="{escape(target)}">{inputs}'
        '<noscript><input type="submit" value="Continue" /></noscript></form></body></html>'
    )
