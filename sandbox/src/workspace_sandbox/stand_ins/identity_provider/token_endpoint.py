"""`POST …/token`: who the client is, and the grants (password, code, refresh, client credentials).

Every refusal has its own status, code and sentence, taken from a real server.
"""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import (
    attempts,
    clients,
    code_grant,
    keys,
    profile,
    sessions,
    tokens,
)
from workspace_sandbox.stand_ins.identity_provider.answers import (
    NO_STORE,
    Doc,
    Refusal,
    as_json,
    framework_error,
)
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.mappers import Subject
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds
from workspace_sandbox.stand_ins.identity_provider.tokens import Issue, refreshes

BAD_CLIENT = "Invalid client or Invalid client credentials"
NOT_OFFERED = {
    "urn:ietf:params:oauth:grant-type:device_code": (
        "invalid_grant", "Client not allowed OAuth 2.0 Device Authorization Grant",
    ),
    "urn:ietf:params:oauth:grant-type:token-exchange": (
        "invalid_request", "Standard token exchange is not enabled for the requested client",
    ),
}  # fmt: skip


def client_of(call: Call) -> Doc:
    """The client that calls, its secret checked. Raises Refusal 401: `invalid_client` or
    `unauthorized_client`.
    """
    form = call.form()
    name, secret = call.basic() or (form.get("client_id", ""), form.get("client_secret", ""))
    client = call.realm.client_named(name) if name else None
    if client is None or not client.get("enabled", True):
        raise framework_error(401, "invalid_client", BAD_CLIENT)
    if client.get("publicClient"):
        return client
    if client.get("bearerOnly") or not secret or secret != client.get("secret"):
        raise framework_error(401, "unauthorized_client", BAD_CLIENT)
    return client


async def token(call: Call) -> web.Response:
    try:
        document = _answer(call)
    except Refusal as refusal:
        call.store.keep()
        refusal.headers = dict(NO_STORE)
        raise
    call.store.keep()
    return as_json(document, headers=NO_STORE)


def _answer(call: Call) -> Doc:
    check_realm(call)
    form = call.form()
    grant = form.get("grant_type")
    if not grant:
        raise framework_error(400, "invalid_request", "Missing form parameter: grant_type")
    if grant not in GRANTS and grant not in NOT_OFFERED:
        raise framework_error(400, "unsupported_grant_type", "Unsupported grant_type")
    client = client_of(call)
    names = [name for name, _ in call.pairs()]
    if len(names) != len(set(names)):
        raise framework_error(400, "invalid_request", "duplicated parameter")
    if grant in NOT_OFFERED:
        raise framework_error(400, *NOT_OFFERED[grant])
    return tokens.answer(GRANTS[grant](call, client, form))


def check_scheme(call: Call) -> None:
    if call.realm.setting("sslRequired") == "all" and call.request.scheme != "https":
        raise framework_error(403, "invalid_request", "HTTPS required")


def check_realm(call: Call) -> None:
    check_scheme(call)
    if not call.realm.setting("enabled"):
        raise framework_error(403, "access_denied", "Realm not enabled")


def _grant_refused(description: str) -> Refusal:
    return framework_error(400, "invalid_grant", description)


# --- password -------------------------------------------------------------------------------------


def _password(call: Call, client: Doc, form: dict[str, str]) -> Issue:
    if not client.get("directAccessGrantsEnabled"):
        raise framework_error(
            400, "unauthorized_client", "Client not allowed for direct access grants"
        )
    if client.get("consentRequired"):
        raise framework_error(400, "invalid_client", "Client requires user consent")
    scopes = tokens.requested_scopes(call.realm, client, form.get("scope"))
    if "username" not in form:
        raise framework_error(401, "invalid_request", "Missing parameter: username")
    name = form["username"]
    verdict, user = attempts.sign_in(call.realm, name, form.get("password", ""), call.address)
    if verdict != "ok" or user is None:
        raise _grant_refused(
            "Account disabled" if verdict == "disabled" else "Invalid user credentials"
        )
    if user["requiredActions"] or profile.unfinished(call.realm, user):
        raise _grant_refused("Account is not fully set up")
    session = sessions.start(call.realm, user, call.address)
    sessions.attach(session, client)
    offline = "offline_access" in scopes
    if offline:
        sessions.keep_offline(call.realm, session)
        del call.realm.sessions[session["id"]]
    subject = Subject(call.realm, client, user, session, scopes)
    return Issue(subject, call.issuer, "ro", offline, refreshes(client))


# --- client credentials ---------------------------------------------------------------------------


def _client_credentials(call: Call, client: Doc, form: dict[str, str]) -> Issue:
    if client.get("publicClient"):
        raise framework_error(
            401, "unauthorized_client", "Public client not allowed to retrieve service account"
        )
    if not client.get("serviceAccountsEnabled"):
        raise framework_error(
            401, "unauthorized_client", "Client not enabled to retrieve service account"
        )
    user = clients.service_account(call.realm, client)
    if user is None or not user["enabled"]:
        raise framework_error(
            401, "unauthorized_client", f"User '{user and user['username']}' disabled"
        )
    scopes = tokens.requested_scopes(call.realm, client, form.get("scope"))
    notes = {
        "clientAddress": call.address,
        "clientHost": call.address,
        "client_id": client["clientId"],
    }
    session: Doc = {"id": "", "start": seconds(), "transient": True, "notes": notes, "acr": "1"}
    subject = Subject(call.realm, client, user, session, scopes)
    return Issue(subject, call.issuer, "cc", refresh=False)


# --- refresh --------------------------------------------------------------------------------------


def _refresh(call: Call, client: Doc, form: dict[str, str]) -> Issue:
    if not form.get("refresh_token"):
        raise framework_error(400, "invalid_request", "No refresh token")
    claims = refresh_claims(call, client, form["refresh_token"])
    realm, offline = call.realm, claims["typ"] == "Offline"
    session = (realm.offline if offline else realm.sessions).get(claims["sid"])
    if session is None:
        raise _grant_refused("Offline user session not found" if offline else "Session not active")
    if not offline and not sessions.alive(realm, session):
        raise _grant_refused("Session not active")
    user = realm.users.get(session["user"])
    if user is None:
        raise _grant_refused("Unknown user")
    if not user["enabled"]:
        raise _grant_refused("User disabled")
    part = session["clients"].get(client["id"])
    if part is None:
        raise _grant_refused("Session doesn't have required client")
    if sessions.stale(realm, user, claims):
        raise _grant_refused("Stale token")
    _count_use(call, client, session, part, claims)
    session["lastAccess"] = seconds()
    scopes = tuple(
        name for name in claims["scope"].split() if name == "openid" or realm.scope_named(name)
    )
    subject = Subject(realm, client, user, session, scopes)
    return Issue(subject, call.issuer, "rt", offline, refreshes(client))


def refresh_claims(call: Call, client: Doc, token: str) -> Doc:
    """The claims of a refresh token of this realm and client. Raises Refusal
    400 `invalid_grant`.
    """
    claims = keys.unsealed(call.realm.keys, token)
    if claims is None or claims.get("typ") not in {"Refresh", "Offline"}:
        raise _grant_refused("Invalid refresh token")
    if claims.get("iss") != call.issuer:
        raise _grant_refused("Invalid token issuer. Expected '" + call.issuer + "'")
    if claims.get("azp") != client["clientId"]:
        raise _grant_refused(
            "Invalid refresh token. Token client and authorized client don't match"
        )
    if "exp" in claims and claims["exp"] <= seconds():
        raise _grant_refused("Token is not active")
    return claims


def _count_use(call: Call, client: Doc, session: Doc, part: Doc, claims: Doc) -> None:
    """Rotation: where the realm revokes refresh tokens, one used too often takes the client out of
    the session.
    """
    if not call.realm.setting("revokeRefreshToken"):
        return
    if part.get("token") != claims["jti"]:
        if sessions.issued_ms(claims) < part.get("newest", 0):
            sessions.detach(call.realm, session, client)
            raise _grant_refused("Maximum allowed refresh token reuse exceeded")
        part |= {"token": claims["jti"], "uses": 0, "newest": sessions.issued_ms(claims)}
    if part["uses"] > int(call.realm.setting("refreshTokenMaxReuse")):
        sessions.detach(call.realm, session, client)
        raise _grant_refused("Maximum allowed refresh token reuse exceeded")
    part["uses"] += 1


GRANTS = {
    "password": _password,
    "client_credentials": _client_credentials,
    "refresh_token": _refresh,
    "authorization_code": code_grant.issue,
}
