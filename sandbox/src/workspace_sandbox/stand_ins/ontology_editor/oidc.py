"""Sign-in through the identity provider, and the account the editor makes of it, with its
collisions.
"""

import secrets
from typing import Any, Protocol

from aiohttp import web
from joserfc import jwt
from joserfc.errors import JoseError

from workspace_manager.systems.ontology_editor.names import account_name, second_account_name
from workspace_sandbox.stand_ins import openid
from workspace_sandbox.stand_ins.ontology_editor.pages import unforeseen

LANDING = "/WebProtege.jsp"
COOKIE = "JSESSIONID"


class Database(Protocol):
    """The database of the parts: the stand-in's state and how to keep it."""

    state: dict[str, Any]

    def changed(self) -> None: ...


class Clash(Exception):
    """Two records would have the same e-mail, the empty one included."""


class SignIn:
    """The pages /webprotege/oidc/login and /webprotege/oidc/callback, and who holds
    which session.
    """

    def __init__(self, database: Database, issuer: str, client_id: str, client_secret: str) -> None:
        self._db = database
        self._address = openid.discovery_address(issuer)
        self._client = openid.Client(client_id, client_secret)
        self._sessions: dict[str, dict[str, str]] = {}

    def user(self, request: web.Request) -> str | None:
        """Give who holds the session of a request."""
        return self._sessions.get(request.cookies.get(COOKIE, ""), {}).get("user")

    async def login(self, request: web.Request, base: str) -> web.Response:
        session = secrets.token_hex(16).upper()
        kept = {"state": secrets.token_urlsafe(24), "nonce": secrets.token_urlsafe(24)}
        try:
            target = openid.sign_in_address(
                await openid.discovered(self._address),
                self._client,
                redirect_uri=f"{base}/webprotege/oidc/callback",
                scope="openid profile email",
                **kept,
            )
        except (openid.ProviderUnavailable, openid.ProviderRefusal):
            return _away(f"{LANDING}?oidc_error=start")
        self._sessions[session] = kept
        reply = _away(target)
        reply.headers["Set-Cookie"] = f"{COOKIE}={session}; Path=/; HttpOnly"
        return reply

    async def callback(self, request: web.Request, base: str) -> web.Response:
        if "error" in request.query:
            return _away(f"{LANDING}?oidc_error=provider")
        code, state = request.query.get("code"), request.query.get("state")
        if code is None or state is None:
            return _away(f"{LANDING}?oidc_error=missing")
        kept = self._sessions.get(request.cookies.get(COOKIE, ""), {})
        try:
            if not kept.get("state") or not secrets.compare_digest(kept["state"], state):
                raise ValueError("another state")
            claims = await self._claims(code, base, kept.pop("nonce"))
        except (
            openid.ProviderUnavailable,
            openid.ProviderRefusal,
            JoseError,
            ValueError,
            KeyError,
        ):
            return _away(f"{LANDING}?oidc_error=token")
        try:
            kept["user"] = self.account(claims)
        except Clash:
            said = (
                "edu.stanford.bmir.protege.web.shared.user.UserEmailAlreadyExistsException: "
                "User email address already exists: "
            )
            return unforeseen(said)
        return _away(LANDING)

    def account(self, claims: dict[str, Any]) -> str:
        """Find or make the account: a record of that name is taken without a look at the person.
        Raises Clash.
        """
        users: dict[str, Any] = self._db.state["users"]
        sub = str(claims["sub"])
        name = account_name(str(claims.get("preferred_username") or ""), sub)
        if name in users:
            return name
        email = str(claims.get("email") or "") if claims.get("email_verified") is True else ""
        if email and any(one["email"] == email for one in users.values()):
            name, email = second_account_name(str(claims.get("preferred_username") or ""), sub), ""
        if name in users:
            return name
        if any(one["email"] == email for one in users.values()):
            raise Clash
        users[name] = {"email": email}
        self._db.changed()
        return name

    async def _claims(self, code: str, base: str, nonce: str) -> dict[str, Any]:
        """Change the code for a token, and check its signature, issuer, audience, time
        and nonce.
        """
        found = await openid.discovered(self._address)
        tokens = await openid.tokens(
            found,
            self._client,
            grant_type="authorization_code",
            code=code,
            redirect_uri=f"{base}/webprotege/oidc/callback",
        )
        claims = openid.verify_signature(tokens["id_token"], await openid.keys(found))
        if claims is None or not openid.is_for(claims, self._client.id):
            raise ValueError("no token of ours")
        rules = jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": found["issuer"]},
            nonce={"essential": True, "value": nonce},
            exp={"essential": True},
        )
        rules.validate(claims)
        return claims


def _away(location: str) -> web.Response:
    return web.Response(status=302, headers={"Location": location})
