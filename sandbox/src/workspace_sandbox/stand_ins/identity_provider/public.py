"""The realm's own addresses (`/realms/…`): which handler answers, and pages instead of JSON where a person is looking."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import (
    browser,
    end_session,
    login_actions,
    oidc,
    pages,
    token_endpoint,
)
from workspace_sandbox.stand_ins.identity_provider.answers import (
    NO_CACHE,
    Refusal,
    as_json,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.realm import Store

Handler: TypeAlias = Callable[[Call], Awaitable[web.Response]]


async def account(call: Call) -> web.Response:
    text = "The account pages are not part of this stand-in."
    return pages.answer(pages.told(call.realm.name, "Account", text))


_BOTH = ("GET", "POST")
_AT = "protocol/openid-connect"
TABLE: dict[str, tuple[tuple[str, ...], Handler]] = {
    "": (("GET",), oidc.realm_page),
    ".well-known/openid-configuration": (("GET",), oidc.discovery),
    ".well-known/oauth-authorization-server": (("GET",), oidc.discovery),
    f"{_AT}/certs": (("GET",), oidc.certificates),
    f"{_AT}/auth": (_BOTH, browser.authorize),
    f"{_AT}/token": (("POST",), token_endpoint.token),
    f"{_AT}/token/introspect": (("POST",), oidc.introspect),
    f"{_AT}/userinfo": (_BOTH, oidc.userinfo),
    f"{_AT}/revoke": (("POST",), oidc.revoke),
    f"{_AT}/logout": (_BOTH, end_session.logout),
    f"{_AT}/logout/logout-confirm": (("POST",), end_session.confirm),
    "login-actions/authenticate": (_BOTH, login_actions.authenticate),
    "login-actions/required-action": (_BOTH, login_actions.required_action),
    "account": (("GET",), account),
}
BROWSER = {"auth", "logout", "logout-confirm", "authenticate", "required-action"}


async def answer(
    store: Store, request: web.Request, body: bytes, segments: list[str]
) -> web.Response:
    """Answer `/realms/{realm}/…`; `segments` are what follows `/realms`, decoded."""
    realm = store.realm(segments[0]) if segments else None
    if realm is None:
        raise not_found("Realm does not exist")
    entry = TABLE.get("/".join(segments[1:]))
    if entry is None:
        raise not_found("HTTP 404 Not Found")
    methods, handler = entry
    if request.method == "OPTIONS":
        return web.Response(headers={"Allow": ", ".join(methods)})
    if ("GET" if request.method == "HEAD" else request.method) not in methods:
        raise Refusal(405, {"error": "HTTP 405 Method Not Allowed"})
    try:
        return await handler(Call(store, request, realm, body))
    except browser.Page as page:
        if request.headers.get("Accept", "").partition(",")[0].strip() == "application/json":
            return as_json({"error": page.message}, page.status)
        headers = NO_CACHE if segments[-1].startswith("logout") else {}
        return pages.answer(pages.error(realm.name, page.message), page.status, headers)
