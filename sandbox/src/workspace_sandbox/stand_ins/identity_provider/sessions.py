"""Sessions of people at the realm, and their end: every client that asked for it is told at once
(back-channel logout).

Disabling a user ends no session; logging out does, and makes stale what was issued before that
second: an offline token of the very second goes on. Deleting a user ends the sessions and tells
nobody.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import Iterable

import aiohttp

from workspace_sandbox.server import now_ms
from workspace_sandbox.stand_ins.identity_provider import keys
from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.realm import Realm, new_session_id

log = logging.getLogger(__name__)

LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
LOGOUT_TOKEN_SECONDS = 120
TELL_SECONDS = 5.0


def seconds() -> int:
    return int(time.time())


def token_id() -> str:
    """Return a UUID whose first half is the time, so that two tokens of one second can be told
    apart by age.
    """
    random = uuid.uuid4().hex
    stamp = f"{now_ms():012x}"
    return str(uuid.UUID(stamp + random[12:]))


def issued_ms(claims: Doc) -> int:
    """Return when a token was issued, in milliseconds; from its id if we made it."""
    try:
        return uuid.UUID(str(claims["jti"]).rpartition(":")[2]).int >> 80
    except (KeyError, ValueError):
        return int(claims.get("iat", 0)) * 1000


def start(realm: Realm, user: Doc, address: str, session_id: str | None = None) -> Doc:
    session = {
        "id": session_id or new_session_id(),
        "user": user["id"],
        "ipAddress": address,
        "start": seconds(),
        "lastAccess": seconds(),
        "clients": {},
        "notes": {},
        "acr": "1",
    }
    realm.sessions[session["id"]] = session
    return session


def attach(session: Doc, client: Doc) -> Doc:
    """The part of a session that belongs to one client; refresh tokens hang on it."""
    clients: dict[str, Doc] = session["clients"]
    return clients.setdefault(client["id"], {"start": seconds()})


def alive(realm: Realm, session: Doc | None) -> bool:
    if session is None:
        return False
    now = seconds()
    return bool(
        now - session["lastAccess"] < realm.setting("ssoSessionIdleTimeout")
        and now - session["start"] < realm.setting("ssoSessionMaxLifespan")
    )


def of_user(realm: Realm, user_id: str) -> list[Doc]:
    return [s for s in realm.sessions.values() if s["user"] == user_id and alive(realm, s)]


def render_session(realm: Realm, session: Doc) -> Doc:
    user = realm.users.get(session["user"])
    return {
        "id": session["id"],
        "username": user["username"] if user else "",
        "userId": session["user"],
        "ipAddress": session["ipAddress"],
        "start": session["start"] * 1000,
        "lastAccess": session["lastAccess"] * 1000,
        "rememberMe": False,
        "clients": {
            client_id: realm.clients[client_id]["clientId"]
            for client_id in session["clients"]
            if client_id in realm.clients
        },
        "transientUser": False,
    }


def keep_offline(realm: Realm, session: Doc) -> None:
    """An offline session outlives the sign-in it came from."""
    realm.offline[session["id"]] = {**session, "clients": dict(session["clients"])}


def detach(realm: Realm, session: Doc, client: Doc) -> None:
    """Take one client out of a session; refresh tokens of that client are dead from then on."""
    session["clients"].pop(client["id"], None)


def forget_user(realm: Realm, user_id: str) -> None:
    """Remove a deleted user's sessions; nobody is told."""
    for store in (realm.sessions, realm.offline):
        for session_id in [s["id"] for s in store.values() if s["user"] == user_id]:
            del store[session_id]


async def end(realm: Realm, issuer: str, ended: Iterable[Doc]) -> None:
    """End sessions and tell their clients; a client that does not answer is noted and left, as the
    real one does.
    """
    told = []
    for session in list(ended):
        realm.sessions.pop(session["id"], None)
        for client_id in session["clients"]:
            client = realm.clients.get(client_id)
            if client:
                told.extend(_to_tell(realm, issuer, session, client))
    if told:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TELL_SECONDS)) as http:
            await asyncio.gather(*(_tell(http, url, token) for url, token in told))


def _to_tell(realm: Realm, issuer: str, session: Doc, client: Doc) -> list[tuple[str, str]]:
    attributes = client.get("attributes") or {}
    url = attributes.get("backchannel.logout.url")
    if not url or client.get("frontchannelLogout"):
        return []
    claims: Doc = {
        "exp": seconds() + LOGOUT_TOKEN_SECONDS,
        "iat": seconds(),
        "jti": token_id(),
        "iss": issuer,
        "aud": client["clientId"],
        "sub": session["user"],
        "typ": "Logout",
    }
    if attributes.get("backchannel.logout.session.required") == "true":
        claims["sid"] = session["id"]
    claims["events"] = {LOGOUT_EVENT: {}}
    return [(url, keys.sign(realm.keys, claims, kind="logout+jwt"))]


async def _tell(http: aiohttp.ClientSession, url: str, token: str) -> None:
    try:
        async with http.post(url, data={"logout_token": token}, allow_redirects=False) as answer:
            if answer.status not in (200, 204):
                log.warning("back-channel logout: %s answered %s", url, answer.status)
    except (aiohttp.ClientError, TimeoutError, ValueError) as unreachable:
        log.warning("back-channel logout: %s: %s", url, type(unreachable).__name__)


async def log_out_user(realm: Realm, issuer: str, user: Doc) -> None:
    """`POST users/{id}/logout`: every session ends, and tokens of an earlier second are stale."""
    user["notBefore"] = seconds()
    await end(realm, issuer, [s for s in realm.sessions.values() if s["user"] == user["id"]])


def stale(realm: Realm, user: Doc, claims: Doc) -> bool:
    """Return whether a token is older than the last logout of its person or of the whole realm."""
    not_before = max(int(user.get("notBefore") or 0), int(realm.setting("notBefore") or 0))
    return int(claims.get("iat", 0)) < not_before


def consents(realm: Realm, user: Doc) -> list[Doc]:
    """Return the clients with an offline token of a user, as they are listed."""
    offline = [s for s in realm.offline.values() if s["user"] == user["id"]]
    held = dict.fromkeys(client for session in offline for client in session["clients"])
    return [
        {
            "clientId": realm.clients[client]["clientId"],
            "grantedClientScopes": [],
            "additionalGrants": [{"client": client, "key": "Offline Token"}],
        }
        for client in held
        if client in realm.clients
    ]


def revoke(realm: Realm, user: Doc, client: Doc) -> bool:
    """Take back the offline tokens that a client has of a user; whether there was one."""
    held = [
        session
        for session in realm.offline.values()
        if session["user"] == user["id"] and client["id"] in session["clients"]
    ]
    for session in held:
        del session["clients"][client["id"]]
        if not session["clients"]:
            del realm.offline[session["id"]]
    return bool(held)
