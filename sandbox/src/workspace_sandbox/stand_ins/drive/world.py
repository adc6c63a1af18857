"""The world of the stand-in's parts: the state, the services on it, the browser sessions and
the clock.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from workspace_sandbox.stand_ins.drive.accounts import Accounts
from workspace_sandbox.stand_ins.drive.oidc import Oidc
from workspace_sandbox.stand_ins.drive.throttle import Throttle

SESSION_COOKIE = "occstandin001"
FLOW_S = 1200
SESSION_KEY = web.RequestKey("session_key", str)
"""The session that this request opened or changed."""


@dataclass
class Flow:
    """A login flow: who polls, who grants, what was granted."""

    poll_token: str
    login_token: str
    client_name: str
    server: str
    until: float
    granted: tuple[str, str] | None = None


@dataclass
class World:
    """State and services. `shift`: seconds the clock is ahead, so that a test need not wait."""

    state: Callable[[], dict[str, Any]]
    changed: Callable[[], None]
    url: Callable[[], str]
    shift: float = 0.0
    sessions: dict[str, dict[str, Any]] = field(default_factory=dict)
    flows: list[Flow] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.accounts = Accounts(self.state, self.changed, self.now)
        self.throttle = Throttle(self.state, self.now)
        self.oidc = Oidc(self.state, self.accounts, self.now)

    @property
    def options(self) -> dict[str, Any]:
        options: dict[str, Any] = self.state()["options"]
        return options

    def now(self) -> float:
        return time.time() + self.shift

    # --- browser sessions -------------------------------------------------------------------------

    def session(self, request: web.Request) -> dict[str, Any]:
        """Give the session of this request's cookie, or a fresh one; kept once something is
        in it.
        """
        key = request.cookies.get(SESSION_COOKIE, "")
        if key and key in self.sessions:
            return self.sessions[key]
        return {"key": secrets.token_hex(16)}

    def keep(self, request: web.Request, session: dict[str, Any]) -> None:
        """Keep a session; the answer to this request sets its cookie."""
        self.sessions[session["key"]] = session
        request[SESSION_KEY] = session["key"]

    def with_cookies(self, request: web.Request, response: web.Response) -> web.Response:
        """Add the cookies that every answer of the real one sets."""
        return set_cookies(response, request.get(SESSION_KEY) or self.session(request)["key"])

    def signed_in(self, session: dict[str, Any]) -> dict[str, Any] | None:
        """Give the account of a session; a deleted or disabled one is signed out."""
        account = self.accounts.all.get(session.get("uid", ""))
        kept = session.get("token", "")
        if kept and not self.accounts.lives(kept):
            return None
        return account if account and account["enabled"] else None

    def end_session(self, session: dict[str, Any]) -> None:
        """End one session, and the temporary token that it is."""
        self.sessions.pop(session["key"], None)
        if session.get("token"):
            self.accounts.end(session["token"])

    def end_sessions(self, *, sid: str = "", sub: str = "") -> None:
        """End the browser sessions of an identity-provider session or subject (back-channel
        logout).
        """
        self.sessions = {
            key: session
            for key, session in self.sessions.items()
            if not (
                (sid and session.get("sid") == sid)
                or (sub and not sid and session.get("sub") == sub)
            )
        }

    def purge_flows(self) -> None:
        now = self.now()
        self.flows = [flow for flow in self.flows if flow.until > now]


def address(request: web.Request) -> str:
    return request.remote or "127.0.0.1"


def base(request: web.Request) -> str:
    """Return the address by which this request came: the real drive builds its links from it."""
    return f"{request.scheme}://{request.host}"


def set_cookies(response: web.Response, session_key: str) -> web.Response:
    """Set the cookies every answer of the real one sets; a client that keeps them may run a call as
    another person.
    """
    response.set_cookie(
        "oc_sessionPassphrase", secrets.token_urlsafe(48), httponly=True, samesite="Lax"
    )
    response.set_cookie("nc_sameSiteCookielax", "true", httponly=True, samesite="Lax")
    response.set_cookie("nc_sameSiteCookiestrict", "true", httponly=True, samesite="Strict")
    response.set_cookie(SESSION_COOKIE, session_key, httponly=True, samesite="Lax")
    return response
