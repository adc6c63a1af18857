"""Signing people in: authorization code with PKCE, and only members of the stack's two groups.

The tokens come from the identity provider itself, over the connection we opened to it, so what they
say needs no look at their signature; groups are asked for at its userinfo, which knows them as they
are now.
"""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from workspace_sandbox.sample_stack.inside.calls import Failed, basic, send
from workspace_sandbox.sample_stack.inside.values import SignIn

CALLBACK: Final = "/oidc/callback"
BEGUN_S: Final = 600.0
SESSION_S: Final = 3600.0
MOST: Final = 1000
"""The limit for kept sign-ins and sessions; the oldest are dropped first."""


class NotLetIn(Exception):
    """A known person who is in neither group."""


@dataclass(frozen=True)
class PendingSignIn:
    """An unfinished sign-in, known by its state."""

    verifier: str
    nonce: str
    at: float


@dataclass(frozen=True)
class Session:
    """The session of a person who is signed in."""

    username: str
    administrator: bool
    id_token: str = field(repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    """The value that a form must send back, so that another site's form is refused."""
    until: float = field(default_factory=lambda: time.monotonic() + SESSION_S)


class Entrance:
    """Begin sign-ins, finish them, keep who is in. Kept in memory: a stack that is started anew
    asks everybody once more.
    """

    def __init__(self, values: SignIn, url: str) -> None:
        self._values = values
        self._back = f"{url}{CALLBACK}"
        self._url = url
        self._begun: dict[str, PendingSignIn] = {}
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()

    def reach(self) -> None:
        """Ask the identity provider for its public description. Raises Failed."""
        self._endpoint("token_endpoint")

    def begin(self) -> tuple[str, str]:
        """Return the address to send somebody to, and the state that their browser keeps."""
        state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        nonce = secrets.token_urlsafe(24)
        with self._lock:
            _room(self._begun)
            self._begun[state] = PendingSignIn(verifier, nonce, time.monotonic())
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
        query = {
            "response_type": "code",
            "client_id": self._values.client_id,
            "redirect_uri": self._back,
            "scope": "openid",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge.rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        return f"{self._endpoint('authorization_endpoint')}?{urlencode(query)}", state

    def finish(self, state: str, kept: str, code: str) -> str:
        """Make a session of a code. Return its id. Raises Failed for an unknown sign-in, and
        NotLetIn for a person in neither group.
        """
        with self._lock:
            begun = self._begun.pop(state, None)
        same = bool(state) and hmac.compare_digest(state.encode(), kept.encode())
        if begun is None or not same or time.monotonic() - begun.at > BEGUN_S:
            raise Failed("this sign-in was not begun here, or too long ago")
        tokens = self._tokens(code, begun)
        person = self._userinfo(str(tokens.get("access_token")))
        claims = _claims(str(tokens.get("id_token")))
        self._check(claims, begun, person)
        groups = person.get("groups")
        inside = {str(one) for one in groups} if isinstance(groups, list) else set()
        if not inside & {self._values.admin_group, self._values.user_group}:
            raise NotLetIn
        session = Session(
            username=str(person.get("preferred_username") or person["sub"]),
            administrator=self._values.admin_group in inside,
            id_token=str(tokens["id_token"]),
        )
        number = secrets.token_urlsafe(32)
        with self._lock:
            _room(self._sessions)
            self._sessions[number] = session
        return number

    def session(self, number: str) -> Session | None:
        """Return the session with this id."""
        with self._lock:
            session = self._sessions.get(number)
            if session is not None and session.until < time.monotonic():
                session = self._sessions.pop(number) and None
            return session

    def end(self, number: str) -> str:
        """End a session. Return the address where the identity provider ends its own."""
        with self._lock:
            session = self._sessions.pop(number, None)
        if session is None:
            return f"{self._url}/"
        query = {"id_token_hint": session.id_token, "post_logout_redirect_uri": f"{self._url}/"}
        return f"{self._endpoint('end_session_endpoint')}?{urlencode(query)}"

    # --- calls ------------------------------------------------------------------------------------

    def _tokens(self, code: str, begun: PendingSignIn) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._back,
            "code_verifier": begun.verifier,
        }
        headers = basic(self._values.client_id, self._values.client_secret)
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        answer = send(
            "POST",
            self._endpoint("token_endpoint"),
            headers=headers,
            body=urlencode(form).encode(),
        )
        if answer.status != 200:
            raise Failed(f"the identity provider gave no tokens ({answer.status})")
        return answer.document()

    def _userinfo(self, token: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        answer = send("GET", self._endpoint("userinfo_endpoint"), headers=headers)
        if answer.status != 200:
            raise Failed(f"the identity provider does not say who it is ({answer.status})")
        return answer.document()

    def _endpoint(self, name: str) -> str:
        answer = send("GET", f"{self._values.issuer}/.well-known/openid-configuration")
        if answer.status != 200:
            raise Failed(f"the identity provider answered {answer.status}")
        return str(answer.document().get(name) or "")

    def _check(self, claims: dict[str, Any], begun: PendingSignIn, person: dict[str, Any]) -> None:
        audience = claims.get("aud")
        named = audience if isinstance(audience, list) else [audience]
        fits = (
            claims.get("iss") == self._values.issuer
            and self._values.client_id in named
            and claims.get("nonce") == begun.nonce
            and bool(person.get("sub"))
            and claims.get("sub") == person["sub"]
            and isinstance(claims.get("exp"), int)
            and claims["exp"] > time.time()
        )
        if not fits:
            raise Failed("what the identity provider says is not about this sign-in")


def _claims(token: str) -> dict[str, Any]:
    parts = token.split(".")
    try:
        found = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (IndexError, ValueError):
        found = None
    return found if isinstance(found, dict) else {}


def _room(kept: dict[str, Any]) -> None:
    while len(kept) >= MOST:
        kept.pop(next(iter(kept)))
