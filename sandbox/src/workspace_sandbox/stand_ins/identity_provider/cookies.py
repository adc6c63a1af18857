"""The cookies of a browser at a realm: which sign-in is under way, and who is signed in already.

All of them are `Secure; SameSite=None` even over plain http: browsers take that on loopback, many
test clients do not.
"""

import base64
import hashlib
import hmac

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import keys, sessions
from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds, token_id

AUTH_SESSION, AUTH_HASH = "AUTH_SESSION_ID", "KC_AUTH_SESSION_HASH"
RESTART, IDENTITY, SESSION = "KC_RESTART", "KEYCLOAK_IDENTITY", "KEYCLOAK_SESSION"


def put(
    response: web.Response, call: Call, name: str, value: str, *, age: int = 0, script: bool = False
) -> None:
    """Set one cookie; `script` lets scripts of the page read it."""
    text = f"{name}={value};Version=1;Path=/realms/{call.realm.name}/"
    text += f";Max-Age={age}" if age else ""
    response.headers.add(
        "Set-Cookie", f"{text};Secure{'' if script else ';HttpOnly'};SameSite=None"
    )


def clear(response: web.Response, call: Call, *names: str) -> None:
    for name in names:
        response.headers.add(
            "Set-Cookie", f"{name}=;Version=1;Path=/realms/{call.realm.name}/;Max-Age=0"
        )


def _mark(call: Call, value: str) -> str:
    secret = call.realm.keys["secret"]["value"].encode()
    return hmac.new(secret, value.encode(), hashlib.sha256).hexdigest()


def _b64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def put_login(response: web.Response, call: Call, root: str) -> None:
    """Remember the sign-in that is under way."""
    put(response, call, AUTH_SESSION, _b64(f"{root}.{_mark(call, root)}"))
    put(response, call, AUTH_HASH, _mark(call, "hash" + root), age=60, script=True)


def put_restart(response: web.Response, call: Call, client_id: str) -> None:
    """Remember what the sign-in is for."""
    put(response, call, RESTART, keys.seal(call.realm.keys, {"typ": "restart", "cid": client_id}))


def login_of(call: Call) -> str | None:
    """Return the sign-in under way in this browser, after a check of its mark."""
    raw = call.request.cookies.get(AUTH_SESSION, "").strip('"')
    try:
        root, _, mark = base64.urlsafe_b64decode(raw + "===").decode().rpartition(".")
    except ValueError:
        return None
    return root if root and hmac.compare_digest(mark, _mark(call, root)) else None


def put_identity(response: web.Response, call: Call, session: Doc) -> None:
    lifespan = int(call.realm.setting("ssoSessionMaxLifespan"))
    claims: Doc = {
        "exp": session["start"] + lifespan,
        "iat": seconds(),
        "jti": token_id(),
        "iss": call.issuer,
        "sub": session["user"],
        "typ": "Serialized-ID",
        "sid": session["id"],
    }
    put(response, call, IDENTITY, keys.seal(call.realm.keys, claims))
    put(response, call, SESSION, _mark(call, "session" + session["id"]), age=lifespan, script=True)


def session_of(call: Call) -> Doc | None:
    """Return the live session of this browser, of somebody who may still sign in; else None."""
    raw = call.request.cookies.get(IDENTITY)
    claims = keys.unsealed(call.realm.keys, raw) if raw else None
    if claims is None or claims.get("typ") != "Serialized-ID" or claims.get("iss") != call.issuer:
        return None
    session = call.realm.sessions.get(str(claims.get("sid")))
    user = call.realm.users.get(session["user"]) if session else None
    if user is None or not user["enabled"] or sessions.stale(call.realm, user, claims):
        return None
    return session if sessions.alive(call.realm, session) else None


def has_identity(call: Call) -> bool:
    return bool(call.request.cookies.get(IDENTITY))
