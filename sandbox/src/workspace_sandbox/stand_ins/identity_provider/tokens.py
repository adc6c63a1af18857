"""Issue and check tokens: access (RS256, lightweight for the command-line client), ID, refresh and
offline (HS512, ours alone).
"""

from dataclasses import dataclass

from workspace_sandbox.stand_ins.identity_provider import keys, mappers, sessions
from workspace_sandbox.stand_ins.identity_provider.answers import Doc, framework_error
from workspace_sandbox.stand_ins.identity_provider.mappers import Subject
from workspace_sandbox.stand_ins.identity_provider.realm import Realm
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds, token_id


@dataclass(frozen=True)
class Issue:
    """One answer of the token endpoint. `grant`: ro, ac, cc or rt, as the token's
    id names it.
    """

    subject: Subject
    issuer: str
    grant: str
    offline: bool = False
    refresh: bool = True
    nonce: str | None = None


def access_lifespan(realm: Realm, client: Doc) -> int:
    own = (client.get("attributes") or {}).get("access.token.lifespan")
    return int(own) if own else int(realm.setting("accessTokenLifespan"))


def refreshes(client: Doc) -> bool:
    return bool((client.get("attributes") or {}).get("use.refresh.tokens", "true") == "true")


def answer(issue: Issue) -> Doc:
    """Return the document of a successful token request."""
    subject, realm = issue.subject, issue.subject.realm
    session = subject.session
    lifespan = access_lifespan(realm, subject.client)
    left = realm.setting("ssoSessionMaxLifespan") - (seconds() - session["start"])
    if issue.refresh and not issue.offline:
        lifespan = min(lifespan, left)
    access = _access(issue, lifespan)
    token = keys.sign(realm.keys, access)
    document: Doc = {"access_token": token, "expires_in": lifespan, "refresh_expires_in": 0}
    if issue.refresh:
        refresh = _refresh(issue, min(realm.setting("ssoSessionIdleTimeout"), left), access)
        if "exp" in refresh:
            document["refresh_expires_in"] = refresh["exp"] - refresh["iat"]
        document["refresh_token"] = keys.seal(realm.keys, refresh)
    document["token_type"] = "Bearer"
    if "openid" in subject.scopes:
        document["id_token"] = keys.sign(realm.keys, _identity(issue, lifespan, token))
    document["not-before-policy"] = int(realm.setting("notBefore") or 0)
    if not session.get("transient"):
        document["session_state"] = session["id"]
    document["scope"] = mappers.scope_claim(realm, subject.scopes)
    return document


def _access(issue: Issue, lifespan: int) -> Doc:
    subject = issue.subject
    mapped = mappers.claims(subject, mappers.ACCESS)
    kept = "tr" if subject.session.get("transient") else "of" if issue.offline else "on"
    form = "lt" if subject.lightweight else "rt"
    token: Doc = {"exp": seconds() + lifespan, "iat": seconds()}
    token["jti"] = f"{kept}{form}{issue.grant}:{token_id()}"
    token["iss"] = issue.issuer
    audience = mapped.pop("aud", [])
    if audience:
        token["aud"] = audience[0] if len(audience) == 1 else audience
    token |= {"typ": "Bearer", "azp": subject.client["clientId"]}
    if not subject.session.get("transient"):
        token["sid"] = subject.session["id"]
    token["scope"] = mappers.scope_claim(subject.realm, subject.scopes)
    return token | mapped


def _refresh(issue: Issue, lifespan: int, access: Doc) -> Doc:
    subject = issue.subject
    token: Doc = {} if issue.offline else {"exp": seconds() + lifespan}
    token |= {"iat": seconds(), "jti": token_id(), "iss": issue.issuer, "aud": issue.issuer}
    if "sub" in access:
        token["sub"] = access["sub"]
    token |= {
        "typ": "Offline" if issue.offline else "Refresh",
        "azp": subject.client["clientId"],
        "sid": subject.session["id"],
        "scope": " ".join(subject.scopes),
    }
    if "aud" in access:
        token["aud_x"] = access["aud"]
    return token | {"prov": "default"}


def _identity(issue: Issue, lifespan: int, access: str) -> Doc:
    subject = issue.subject
    mapped = mappers.claims(subject, mappers.ID)
    audience = [subject.client["clientId"], *mapped.pop("aud", [])]
    token: Doc = {"exp": seconds() + lifespan, "iat": seconds(), "jti": token_id()}
    token |= {
        "iss": issue.issuer,
        "aud": audience[0] if len(audience) == 1 else audience,
        "sub": subject.user["id"],
        "typ": "ID",
        "azp": subject.client["clientId"],
    }
    if issue.nonce:
        token["nonce"] = issue.nonce
    if not subject.session.get("transient"):
        token["sid"] = subject.session["id"]
    return token | {"at_hash": keys.at_hash(access)} | mapped


# --- checking -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bearer:
    """A token that passed every check: whose it is, for which client, in which session."""

    claims: Doc
    client: Doc
    user: Doc
    session: Doc | None


class InvalidToken(Exception):
    """A token that does not count (any more); the text is what `WWW-Authenticate` says."""


def genuine(realm: Realm, issuer: str, token: str, kinds: tuple[str, ...] = ("Bearer",)) -> Doc:
    """The claims of a token that is ours, of this kind, not expired and not revoked. Raises
    InvalidToken.
    """
    claims = keys.verify_token(realm.keys, token)
    if (
        claims is None
        or claims.get("typ") not in kinds
        or claims.get("iss") != issuer
        or int(claims.get("exp", 0)) <= seconds()
    ):
        raise InvalidToken("Token verification failed")
    return claims


def check(realm: Realm, issuer: str, token: str, kinds: tuple[str, ...] = ("Bearer",)) -> Bearer:
    """Check the token, its client, session and person, in the real one's order. Raises
    InvalidToken.
    """
    claims = genuine(realm, issuer, token, kinds)
    client = realm.client_named(str(claims.get("azp")))
    if client is None:
        raise InvalidToken("Client not found")
    if not client.get("enabled", True):
        raise InvalidToken("Client disabled")
    session = _session(realm, claims, client)
    user = realm.users.get(session["user"] if session else str(claims.get("sub")))
    if user is None:
        raise InvalidToken("User not found")
    if not user["enabled"]:
        raise InvalidToken("User disabled")
    if sessions.stale(realm, user, claims):
        raise InvalidToken("Stale token" if session is None else "user_session_not_found")
    return Bearer(claims, client, user, session)


def _session(realm: Realm, claims: Doc, client: Doc) -> Doc | None:
    """The session of a token; a token of a service account has none."""
    if "sid" not in claims:
        return None
    offline = str(claims.get("jti", "")).startswith("of")
    session = (realm.offline if offline else realm.sessions).get(claims["sid"])
    if session is None or (not offline and not sessions.alive(realm, session)):
        raise InvalidToken("user_session_not_found")
    if client["id"] not in session["clients"]:
        raise InvalidToken("user_session_not_found")
    return session


def audience(claims: Doc) -> list[str]:
    """Return `aud` as a list; a single value is a bare string on the wire."""
    value = claims.get("aud", [])
    return [value] if isinstance(value, str) else list(value)


def requested_scopes(realm: Realm, client: Doc, text: str | None) -> tuple[str, ...]:
    """Raises Refusal 400 `invalid_scope` for a scope the client does not have, and for an empty
    one.
    """
    wanted = (text or "").split()
    granted = mappers.granted_scopes(realm, client, wanted)
    if granted is None or text == "":
        raise framework_error(400, "invalid_scope", f"Invalid scopes: {text}")
    return granted
