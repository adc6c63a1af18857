"""What a person does on the pages: type the password, choose a new one, complete the profile. Facts: `browser-*.http`."""

import base64
import json
from urllib.parse import parse_qsl

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import (
    attempts,
    browser,
    cookies,
    pages,
    people,
    profile,
    sessions,
)
from workspace_sandbox.stand_ins.identity_provider.answers import Doc, Refusal
from workspace_sandbox.stand_ins.identity_provider.browser import NO_STORE, Page
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds

WRONG = "Invalid username or password."
NO_COOKIE = (
    "Restart login cookie not found. It may have expired; it may have been deleted or cookies are disabled in your browser."
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
    """The sign-in this form belongs to. Raises Page without the cookie; one that is over is sent back to the client."""
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
    client = call.realm.clients[attempt["client"]]
    verdict, user = attempts.sign_in(call.realm, name, form.get("password", ""), call.address)
    if verdict != "ok" or user is None:
        failed = "user_disabled" if verdict == "disabled" else "invalid_user_credentials"
        call.note(
            "LOGIN_ERROR", clientId=client["clientId"], error=failed, details={"username": name}
        )
        if verdict == "disabled":
            notice = "Account is disabled, contact your administrator."
            return _form(call, tab, attempt, username=name, notice=notice)
        return _form(call, tab, attempt, username=name, wrong=WRONG)
    again = call.realm.sessions.get(attempt.get("again", ""))
    if again and again["user"] != user["id"]:
        raise Page(
            "You are already authenticated as different user in this session. Please sign out first."
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
    client = realm.clients[attempt["client"]]
    call.note(
        "LOGIN",
        clientId=client["clientId"],
        userId=user["id"],
        sessionId=session["id"],
        details={"username": user["username"], "redirect_uri": attempt["redirect_uri"]},
    )
    response = browser.grant_code(call, attempt, session)
    cookies.clear(response, call, cookies.RESTART)
    cookies.put_identity(response, call, session)
    return response


# --- required actions --------------------------------------------------------------------------------------------------


async def required_action(call: Call) -> web.Response:
    """Choose a new password or complete the profile; only for somebody who has just given the right password."""
    found = _attempt(call)
    if isinstance(found, web.Response):
        return found
    tab, attempt = found
    user = call.realm.users.get(attempt.get("user", ""))
    if user is None:
        return _form(call, tab, attempt)
    pending = _pending(call, user)
    if pending is None:
        return _complete(call, tab, attempt, user)
    if pending == "VERIFY_EMAIL":
        text = "You need to verify your email address to activate your account."
        return pages.answer(
            pages.told(call.realm.name, "Email verification", text), headers=NO_STORE
        )
    act = browser.action(call, tab, attempt, "required-action", pending)
    step = _new_password if pending == "UPDATE_PASSWORD" else _new_profile
    page = step(call, user, act)
    if page is not None:
        return pages.answer(page, headers=NO_STORE)
    call.store.changed()
    return _go_on(call, tab, attempt, user)


def _new_password(call: Call, user: Doc, act: str) -> str | None:
    """The page to show, or None when the password was changed."""
    if call.request.method == "GET":
        return pages.new_password(call.realm.name, act)
    form = call.form()
    password = form.get("password-new", "")
    if not password:
        return pages.new_password(call.realm.name, act, "Please specify password.")
    if password != form.get("password-confirm"):
        return pages.new_password(call.realm.name, act, "Passwords don't match.")
    try:
        people.set_password(call.realm, user, password)
    except Refusal as refusal:
        return pages.new_password(call.realm.name, act, refusal.document["error_description"])
    user["requiredActions"] = [a for a in user["requiredActions"] if a != "UPDATE_PASSWORD"]
    return None


def _new_profile(call: Call, user: Doc, act: str) -> str | None:
    names = [a["name"] for a in profile.declared(call.realm) if a["name"] in profile.ROOT]
    if call.request.method == "GET":
        wrong = {
            error["field"]: "Please specify this field."
            for error in profile.unfinished(call.realm, user)
        }
        fields = [(name, user.get(name) or "", wrong.get(name, "")) for name in names]
        return pages.profile_form(call.realm.name, act, fields)
    form = call.form()
    root = {name: form.get(name, user.get(name) or "") for name in profile.ROOT}
    root["username"] = user["username"]
    problems = profile.problems(call.realm, user, root, user["attributes"], role="user")
    if problems:
        wrong = {error["field"]: "Please specify this field." for error in problems}
        return pages.profile_form(
            call.realm.name, act, [(n, root[n], wrong.get(n, "")) for n in names]
        )
    try:
        people.update(call.realm, user, root)
    except Refusal as refusal:
        message = str(refusal.document.get("errorMessage", ""))
        return pages.profile_form(call.realm.name, act, [(n, root[n], message) for n in names])
    user["requiredActions"] = [a for a in user["requiredActions"] if a != "UPDATE_PROFILE"]
    return None
