"""`GET …/auth`: check the request, use a session that exists, or show the sign-in page."""

import base64
import json
import re
import secrets
from typing import Any
from urllib.parse import parse_qsl, urlencode

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import cookies, mappers, pages, sessions
from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.call import FORM, Call
from workspace_sandbox.stand_ins.identity_provider.realm import new_id, new_session_id
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds

NO_STORE = {"Cache-Control": "no-store, must-revalidate, max-age=0"}
RESPONSES = {"code", "none", "id_token", "token"}
MODES = {"query", "fragment", "form_post", "query.jwt", "fragment.jwt", "form_post.jwt", "jwt"}
ATTEMPT_SECONDS = 1800


class Page(Exception):
    """An error shown to the person instead of being sent back: nobody to send it to can
    be trusted.
    """

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class SentBack(Exception):
    """An error for the client: it goes to its redirect address."""

    def __init__(self, error: str, description: str = "") -> None:
        super().__init__(error)
        self.error = error
        self.description = description


async def authorize(call: Call) -> web.Response:
    try:
        return _authorize(call)
    finally:
        call.store.keep()


def _authorize(call: Call) -> web.Response:
    if call.realm.setting("sslRequired") == "all" and call.request.scheme != "https":
        raise Page("HTTPS required")
    if not call.realm.setting("enabled"):
        raise Page("Realm not enabled")
    pairs = parse_qsl(call.request.query_string, keep_blank_values=True)
    if call.request.method == "POST":
        pairs = call.pairs() if call.content_type == FORM else []
    asked: dict[str, str] = {}
    for name, value in pairs:
        asked.setdefault(name, value)
    client = _client(call, asked)
    attempt = _attempt(client, asked)
    try:
        if len(pairs) != len(asked):
            raise SentBack("invalid_request", "duplicated parameter")
        _check(client, asked)
        scopes = mappers.granted_scopes(call.realm, client, asked.get("scope", "").split())
        if scopes is None:
            raise SentBack("invalid_scope", f"Invalid scopes: {asked.get('scope', '')}")
        attempt["scopes"] = list(scopes)
        return _decide(call, client, attempt, asked)
    except SentBack as sent:
        described = {"error_description": sent.description} if sent.description else {}
        return send_back(call, attempt, {"error": sent.error, **described}, NO_STORE)


def _client(call: Call, asked: dict[str, str]) -> Doc:
    """Return the client and its redirect address, before anything may be sent anywhere."""
    if not asked.get("client_id") or "request" in asked:
        raise Page("Invalid Request")
    client = call.realm.client_named(asked["client_id"])
    if client is None:
        raise Page("Client not found.")
    if not client.get("enabled", True):
        raise Page("Client disabled.")
    if client.get("bearerOnly"):
        raise Page("Bearer-only applications are not allowed to initiate browser login", 403)
    if not matches(call, client, asked.get("redirect_uri", ""), client.get("redirectUris") or []):
        raise Page("Invalid parameter: redirect_uri")
    return client


def matches(call: Call, client: Doc, address: str, allowed: list[str]) -> bool:
    """Return whether an address is registered: exactly, or below a trailing `*` (the bare parent of
    `/*` counts, too).
    """
    root = client.get("rootUrl") or ""
    root = root.replace("${authBaseUrl}", call.base).replace("${authAdminUrl}", call.base)
    if not address or "#" in address:
        return False
    for pattern in allowed:
        full = (root or call.base).rstrip("/") + pattern if pattern.startswith("/") else pattern
        if full == "*":
            return re.match(r"(?i)(javascript|data|vbscript):", address) is None
        if full.endswith("*"):
            bare = address.partition("?")[0]
            if bare.startswith(full[:-1]) or bare == full[:-2]:
                return True
        elif full == address:
            return True
    return False


def _attempt(client: Doc, asked: dict[str, str]) -> Doc:
    """Return the members of the request that a sign-in must remember."""
    mode = asked.get("response_mode") or (
        "query" if asked.get("response_type") in (None, "code", "none") else ""
    )
    return {
        "client": client["id"],
        "redirect_uri": asked.get("redirect_uri", ""),
        "mode": mode if mode in MODES else "query" if asked.get("response_type",
        "code") not in RESPONSES or mode else "fragment",
        **{
            name: asked[name]
            for name in ("state", "nonce", "code_challenge", "code_challenge_method")
            if asked.get(name)
        },
        "code": secrets.token_urlsafe(32),
        "execution": new_id(),
        "started": seconds(),
    }  # fmt: skip


def _check(client: Doc, asked: dict[str, str]) -> None:
    kind = asked.get("response_type")
    if not kind:
        raise SentBack("invalid_request", "Missing parameter: response_type")
    words = kind.split()
    if not set(words) <= RESPONSES:
        raise SentBack("unsupported_response_type")
    if asked.get("response_mode") and asked["response_mode"] not in MODES:
        raise SentBack("invalid_request", "Invalid parameter: response_mode")
    initiate = "Client is not allowed to initiate browser login with given response_type."
    if "code" in words and not client.get("standardFlowEnabled"):
        raise SentBack(
            "unauthorized_client", f"{initiate} Standard flow is disabled for the client."
        )
    if {"token", "id_token"} & set(words):
        raise SentBack(
            "unauthorized_client", f"{initiate} Implicit flow is disabled for the client."
        )
    _check_challenge(client, asked)


def _check_challenge(client: Doc, asked: dict[str, str]) -> None:
    wanted = (client.get("attributes") or {}).get("pkce.code.challenge.method")
    method, challenge = asked.get("code_challenge_method"), asked.get("code_challenge")
    if wanted and not method:
        raise SentBack("invalid_request", "Missing parameter: code_challenge_method")
    if wanted and method != wanted:
        raise SentBack(
            "invalid_request",
            "Invalid parameter: code challenge method is not matching the configured one",
        )
    if method and method not in {"plain", "S256"}:
        raise SentBack("invalid_request", "Invalid parameter: code_challenge_method")
    if method and not challenge:
        raise SentBack("invalid_request", "Missing parameter: code_challenge")
    if challenge and not re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", challenge):
        raise SentBack("invalid_request", "Invalid parameter: code_challenge")


def _decide(call: Call, client: Doc, attempt: Doc, asked: dict[str, str]) -> web.Response:
    session = cookies.session_of(call)
    prompts = asked.get("prompt", "").split()
    again = "login" in prompts or _too_old(session, asked.get("max_age", ""))
    if session and not again:
        session["acr"] = "0"
        response = grant_code(call, attempt, session)
        if "none" not in prompts:
            cookies.put_restart(response, call, client["clientId"])
        cookies.put_identity(response, call, session)
        return response
    root = session["id"] if session else cookies.login_of(call) or new_session_id()
    if "none" in prompts:
        response = send_back(call, attempt, {"error": "login_required"}, NO_STORE)
        _clear_dead(call, response, session)
        cookies.put_login(response, call, root)
        return response
    tab = secrets.token_urlsafe(8)
    if session:
        attempt["again"] = session["id"]
    _forget_old(call)
    call.realm.data["logins"].setdefault(root, {})[tab] = attempt
    username, notice = asked.get("login_hint", ""), ""
    if session:
        username = call.realm.users[session["user"]]["username"]
        notice = "Please re-authenticate to continue"
    text = pages.sign_in(
        call.realm.name, action(call, tab, attempt), username=username, notice=notice
    )
    response = pages.answer(text, headers=NO_STORE)
    _clear_dead(call, response, session)
    cookies.put_login(response, call, root)
    cookies.put_restart(response, call, client["clientId"])
    return response


def _clear_dead(call: Call, response: web.Response, session: Doc | None) -> None:
    """Take away an identity cookie that no longer stands for anybody."""
    if session is None and cookies.has_identity(call):
        cookies.clear(response, call, cookies.IDENTITY, cookies.SESSION)


def _too_old(session: Doc | None, max_age: str) -> bool:
    if session is None or not max_age.isdigit():
        return False
    return seconds() - int(session["notes"].get("AUTH_TIME", session["start"])) > int(max_age)


def _forget_old(call: Call) -> None:
    logins: dict[str, Any] = call.realm.data["logins"]
    for root in list(logins):
        if all(
            seconds() - attempt["started"] > ATTEMPT_SECONDS for attempt in logins[root].values()
        ):
            del logins[root]


def action(
    call: Call, tab: str, attempt: Doc, path: str = "authenticate", execution: str = ""
) -> str:
    """Where a form of this sign-in is sent: an absolute address with the code that makes it count
    once.
    """
    client = call.realm.clients[attempt["client"]]
    data = {"ru": attempt["redirect_uri"], "rt": "code"}
    if "state" in attempt:
        data["st"] = attempt["state"]
    packed = base64.urlsafe_b64encode(json.dumps(data, separators=(",", ":")).encode())
    query = {"session_code": attempt["code"]} if path == "authenticate" or execution else {}
    query |= {
        "execution": execution or attempt["execution"],
        "client_id": client["clientId"],
        "tab_id": tab,
        "client_data": packed.rstrip(b"=").decode(),
    }
    return f"{call.issuer}/login-actions/{path}?{urlencode(query)}"


def grant_code(call: Call, attempt: Doc, session: Doc) -> web.Response:
    """Send the person back with a code: valid 60 s, for one use, for this client and address."""
    codes: dict[str, Doc] = call.realm.data["codes"]
    for old in [text for text, code in codes.items() if code["until"] + 600 < seconds()]:
        del codes[old]
    text = f"{new_id()}.{session['id']}.{attempt['client']}"
    codes[text] = {
        **{
            k: attempt[k]
            for k in ("nonce", "code_challenge", "code_challenge_method")
            if k in attempt
        },
        "client": attempt["client"],
        "redirect_uri": attempt["redirect_uri"],
        "scopes": attempt["scopes"],
        "session": session["id"],
        "user": session["user"],
        "until": seconds() + int(call.realm.setting("accessCodeLifespan")),
        "used": False,
    }
    sessions.attach(session, call.realm.clients[attempt["client"]])
    fields = {"session_state": session["id"], "code": text}
    return send_back(call, attempt, fields, NO_STORE)


def send_back(
    call: Call, attempt: Doc, fields: dict[str, str], headers: dict[str, str]
) -> web.Response:
    """Redirect to the client: `error…`, `state`, `session_state`, `iss`, `code`, in the way it
    asked for.
    """
    first = {name: value for name, value in fields.items() if name.startswith("error")}
    state = {"state": attempt["state"]} if "state" in attempt else {}
    middle = {"session_state": fields["session_state"]} if "session_state" in fields else {}
    last = {"code": fields["code"]} if "code" in fields else {}
    answer = first | state | middle | {"iss": call.issuer} | last
    target = attempt["redirect_uri"]
    if attempt["mode"] == "form_post":
        text = pages.form_post(target, answer)
        return web.Response(body=text.encode(), headers={**headers, "Content-Type": "text/html"})
    joint = "#" if attempt["mode"] == "fragment" else "&" if "?" in target else "?"
    return web.Response(
        status=302, headers={**headers, "Location": f"{target}{joint}{urlencode(answer)}"}
    )
