"""`…/logout`: end the session of a browser, with or without asking."""

import secrets
from urllib.parse import urlencode

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import (
    browser,
    cookies,
    keys,
    pages,
    sessions,
)
from workspace_sandbox.stand_ins.identity_provider.answers import NO_CACHE, Doc
from workspace_sandbox.stand_ins.identity_provider.browser import Page
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.realm import new_session_id
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds

CONFIRM_SECONDS = 300


async def logout(call: Call) -> web.Response:
    """By a link, or by a form."""
    asked = dict(call.form() if call.request.method == "POST" else call.request.query)
    client, session = _hinted(call, asked)
    target = _target(call, client, asked)
    if asked.get("id_token_hint"):
        return await _end(call, target, session or cookies.session_of(call))
    here = cookies.session_of(call)
    if here is None and target:
        response = _redirect(target)
        cookies.put(response, call, cookies.AUTH_SESSION, new_session_id())
        return response
    return _ask(call, target)


def _hinted(call: Call, asked: dict[str, str]) -> tuple[Doc | None, Doc | None]:
    """The client that is meant, and the session an ID token names; an expired ID token is good
    enough as a hint.
    """
    named = call.realm.client_named(asked.get("client_id", ""))
    hint = asked.get("id_token_hint")
    if not hint:
        return named, None
    claims = keys.verify_token(call.realm.keys, hint)
    if claims is None or claims.get("typ") != "ID" or claims.get("iss") != call.issuer:
        raise Page("Invalid parameter: id_token_hint")
    client = call.realm.client_named(str(claims.get("azp")))
    if client is None or (asked.get("client_id") and named is not client):
        raise Page("Invalid parameter: id_token_hint")
    return client, call.realm.sessions.get(str(claims.get("sid")))


def _target(call: Call, client: Doc | None, asked: dict[str, str]) -> str | None:
    """Where to go afterwards. Raises Page when nobody vouches for the address."""
    address = asked.get("post_logout_redirect_uri")
    if not address:
        return None
    if not asked.get("client_id") and not asked.get("id_token_hint"):
        raise Page("Missing parameters: id_token_hint")
    if client is None or not browser.matches(call, client, address, _registered(client)):
        raise Page("Invalid redirect uri")
    if asked.get("state"):
        address += ("&" if "?" in address else "?") + urlencode({"state": asked["state"]})
    return address


def _registered(client: Doc) -> list[str]:
    """The registered addresses: `+` stands for the sign-in ones, `-` for none; nothing said means
    `+`.
    """
    found: list[str] = []
    text = (client.get("attributes") or {}).get("post.logout.redirect.uris") or "+"
    for entry in text.split("##"):
        if entry == "+":
            found.extend(client.get("redirectUris") or [])
        elif entry != "-":
            found.append(entry)
    return found


def _ask(call: Call, target: str | None) -> web.Response:
    """A page with a button: without a hint, a link alone must not sign anybody out."""
    waiting: dict[str, Doc] = call.realm.data["logouts"]
    for old in [code for code, entry in waiting.items() if entry["until"] < seconds()]:
        del waiting[old]
    code = secrets.token_urlsafe(32)
    waiting[code] = {"target": target, "until": seconds() + CONFIRM_SECONDS}
    call.store.keep()
    action = f"/realms/{call.realm.name}/protocol/openid-connect/logout/logout-confirm"
    response = pages.answer(pages.confirm_logout(call.realm.name, action, code), headers=NO_CACHE)
    if cookies.login_of(call) is None:
        cookies.put(response, call, cookies.AUTH_SESSION, new_session_id())
    return response


async def confirm(call: Call) -> web.Response:
    entry = call.realm.data["logouts"].pop(call.form().get("session_code", ""), None)
    if entry is None:
        raise Page("Logout failed")
    return await _end(call, entry["target"], cookies.session_of(call))


async def _end(call: Call, target: str | None, session: Doc | None) -> web.Response:
    if session:
        await sessions.end(call.realm, call.issuer, [session])
        call.store.changed()
    if target:
        response = _redirect(target)
    else:
        title = "You are logged out"
        response = pages.answer(
            pages.render_message(call.realm.name, title, title), headers=NO_CACHE
        )
    if cookies.has_identity(call):
        cookies.clear(response, call, cookies.IDENTITY, cookies.SESSION)
    return response


def _redirect(target: str) -> web.Response:
    return web.Response(status=302, headers={**NO_CACHE, "Location": target})
