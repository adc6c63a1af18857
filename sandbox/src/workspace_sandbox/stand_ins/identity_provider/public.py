"""The realm's own addresses (`/realms/…`): which handler answers, and pages instead of JSON where a
person is looking.
"""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from aiohttp import web

from workspace_sandbox.routes import Route
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
    as_json,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.realm import Store

Handler: TypeAlias = Callable[[Call], Awaitable[web.Response]]


DISCOVERED = "workspace_manager.systems.identity_provider.client.realm:RealmClient.discovery"
LOOK = "workspace_manager.systems.identity_provider.client.look:look"
TOKEN = "workspace_manager.systems.identity_provider.client.token:AdminToken"
OPENID = "workspace_sandbox.stand_ins.openid"
_AT = "protocol/openid-connect"
_FORM = "login-actions/authenticate"
TABLE: tuple[tuple[str, str, Handler, tuple[str, ...]], ...] = (
    (
        "GET",
        ".well-known/openid-configuration",
        oidc.discovery,
        ("sign-in", DISCOVERED, LOOK, f"{OPENID}:discovered"),
    ),
    ("GET", f"{_AT}/certs", oidc.certificates, ("sign-in", f"{OPENID}:keys")),
    ("GET", f"{_AT}/auth", browser.authorize, ("sign-in", "demo person", "notebook hub")),
    (
        "POST",
        f"{_AT}/token",
        token_endpoint.token,
        ("sign-in", TOKEN, f"{OPENID}:tokens", "notebook hub"),
    ),
    ("GET", f"{_AT}/userinfo", oidc.userinfo, ("sign-in", f"{OPENID}:person", "notebook hub")),
    ("GET", f"{_AT}/logout", end_session.logout, ("demo person",)),
    ("POST", f"{_AT}/logout", end_session.logout, ("demo person",)),
    ("POST", f"{_AT}/logout/logout-confirm", end_session.confirm, ("demo person",)),
    ("GET", _FORM, login_actions.authenticate, ("demo person",)),
    ("POST", _FORM, login_actions.authenticate, ("demo person",)),
)
ROUTES = tuple(
    Route(method, f"/realms/{{realm}}/{tail}", callers) for method, tail, _, callers in TABLE
)
_READ_BY_ALL = {".well-known/openid-configuration", f"{_AT}/certs"}
_HANDLERS = {(method, tail): handler for method, tail, handler, _ in TABLE}


async def answer(
    store: Store, request: web.Request, body: bytes, segments: list[str]
) -> web.Response:
    """Answer `/realms/{realm}/…`; `segments` are what follows `/realms`, decoded."""
    realm = store.realm(segments[0]) if segments else None
    if realm is None:
        raise not_found("Realm does not exist")
    tail = "/".join(segments[1:])
    handler = _HANDLERS[request.method, tail]
    if tail in _READ_BY_ALL:
        token_endpoint.check_scheme(Call(store, request, realm, body))
    try:
        return await handler(Call(store, request, realm, body))
    except browser.Page as page:
        if request.headers.get("Accept", "").partition(",")[0].strip() == "application/json":
            return as_json({"error": page.message}, page.status)
        headers = NO_CACHE if segments[-1].startswith("logout") else {}
        return pages.answer(pages.error(realm.name, page.message), page.status, headers)
