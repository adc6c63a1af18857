"""The sign-in page: a person types name and password.

Who has to do something else first is sent on to pages that are not served, and is not signed in.
"""

import base64
import json
from urllib.parse import parse_qsl

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import (
    attempts,
    browser,
    cookies,
    pages,
    profile,
    sessions,
)
from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.browser import NO_STORE, Page
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds

WRONG = "Invalid username or password."
NO_COOKIE = (
    "Restart login cookie not found. It may have expired; it may have been deleted or "
    "cookies are disabled in your browser."
    " If cookies are disabled then enable them. Click Back to Application to login again."
)


async def authenticate(call: Call) -> web.Response:
    """The sign-in form, sent or reloaded."""
    try:
        found = _attempt(call)
        if isinstance(found, web.Response):
            return found
        tab, attempt = found
        if call.request.method == "GET" or _query(call).get("session_code") != attempt["code"]:
            return _form(call, tab, attempt)
        return _password(call, tab, attempt)
    finally:
        call.store.keep()


def _query(call: Call) -> dict[str, str]:
    return dict(parse_qsl(call.request.query_string, keep_blank_values=True))


def _attempt(call: Call) -> tuple[str, Doc] | web.Response:
    """The sign-in this form belongs to. Raises Page without the cookie; one that is over is sent
    back to the client.
    """
    query = _query(call)
    root = cookies.login_of(call)
    if root is None:
        raise Page(NO_COOKIE)
    tab = query.get("tab_id", "")
    attempt = call.realm.data["logins"].get(root, {}).get(tab)
    if attempt is not None:
        return tab, attempt
    client = call.realm.client_named(query.get("client_id", ""))
    data = _client_data(query.get("client_data", ""))
    allowed = client and browser.matches(
        call, client, data.get("ru", ""), client.get("redirectUris") or []
    )
    if client is None or not allowed:
        raise Page("Your login attempt timed out. Login will start from the beginning.")
    over: Doc = {"client": client["id"], "redirect_uri": data["ru"], "mode": "query"}
    if "st" in data:
        over["state"] = data["st"]
    fields = {"error": "temporarily_unavailable", "error_description": "authentication_expired"}
    return browser.send_back(call, over, fields, NO_STORE)


def _client_data(text: str) -> dict[str, str]:
    try:
        data = json.loads(base64.urlsafe_b64decode(text + "==="))
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _form(call: Call, tab: str, attempt: Doc, **shown: str) -> web.Response:
    text = pages.sign_in(call.realm.name, browser.action(call, tab, attempt), **shown)
    return pages.answer(text, headers=NO_STORE)


def _password(call: Call, tab: str, attempt: Doc) -> web.Response:
    form = call.form()
    name = form.get("username", "")
    verdict, user = attempts.sign_in(call.realm, name, form.get("password", ""), call.address)
    if verdict != "ok" or user is None:
        if verdict == "disabled":
            notice = "Account is disabled, contact your administrator."
            return _form(call, tab, attempt, username=name, notice=notice)
        return _form(call, tab, attempt, username=name, wrong=WRONG)
    again = call.realm.sessions.get(attempt.get("again", ""))
    if again and again["user"] != user["id"]:
        raise Page(
            "You are already authenticated as different user in this session. Please "
            "sign out first."
        )
    attempt["user"] = user["id"]
    return _go_on(call, tab, attempt, user)


def _pending(call: Call, user: Doc) -> str | None:
    """The next thing the person must do before the sign-in is complete."""
    for action in ("UPDATE_PASSWORD", "UPDATE_PROFILE", "VERIFY_EMAIL"):
        if action in user["requiredActions"]:
            return action
    if profile.unfinished(call.realm, user):
        return "VERIFY_PROFILE"
    if call.realm.setting("verifyEmail") and not user["emailVerified"]:
        return "VERIFY_EMAIL"
    return None


def _go_on(call: Call, tab: str, attempt: Doc, user: Doc) -> web.Response:
    pending = _pending(call, user)
    if pending:
        attempt["execution"] = pending
        target = browser.action(call, tab, attempt, "required-action")
        return web.Response(status=302, headers={**NO_STORE, "Location": target})
    return _complete(call, tab, attempt, user)


def _complete(call: Call, tab: str, attempt: Doc, user: Doc) -> web.Response:
    realm = call.realm
    root = cookies.login_of(call)
    assert root is not None
    session = realm.sessions.get(attempt.get("again", "")) or realm.sessions.get(root)
    if session is None or session["user"] != user["id"]:
        session = sessions.start(realm, user, call.address, None if session else root)
    session["notes"]["AUTH_TIME"] = seconds()
    session |= {"acr": "1", "lastAccess": seconds()}
    realm.data["logins"].get(root, {}).pop(tab, None)
    response = browser.grant_code(call, attempt, session)
    cookies.clear(response, call, cookies.RESTART)
    cookies.put_identity(response, call, session)
    return response
