"""The set-up of a drive before a recorded call, who was there, and whose the shown
credential was.
"""

import base64
import binascii
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote

from tests.recorded.issuer import Issuer
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.drive.accounts import _digest, hash_password

APP_PASSWORD = 72
LATEST, BROKEN, OLD, OLDEST = "HEAD", "8.10.1", "6.1.2", "6.0.0"
ATTEMPTS = 12
RECORDED_ISSUER = "/realms/scs"


@dataclass(frozen=True)
class Deployment:
    """How the drive is set up: its options, its provider's settings, failures noted before, and
    what became of its provider.
    """

    what: str
    options: dict[str, Any] = field(default_factory=dict)
    provider: dict[str, Any] = field(default_factory=dict)
    attempts: str = ""
    providers: str = "one"


USUAL = Deployment("as it should be")
BY_VERSION = (
    Deployment(f"user_oidc {BROKEN}", {"version": BROKEN}),
    Deployment(f"user_oidc {LATEST}", {"version": LATEST}),
    Deployment("user_oidc 8.6.1"),
)
REFUSING = (
    Deployment("user_oidc switched off", {"app_enabled": False}),
    Deployment("user_oidc 6.0.0", {"version": OLDEST}),
    Deployment("the identity provider cannot be reached", {"identity_provider_reachable": False}),
    Deployment("no account is made on first contact", {"auto_provision": False}),
    Deployment("the provider does not check bearer tokens", provider={"checkBearer": False}),
    Deployment("no provider", providers="none"),
)
GENEROUS = (
    Deployment(
        "user_oidc 6.1.2 without the azp check",
        {"version": OLD, "selfencoded_bearer_validation_azp_check": False},
    ),
    Deployment(
        "user_oidc without the audience check",
        {"selfencoded_bearer_validation_audience_check": False},
    ),
    Deployment("bearer tokens provision nothing", provider={"bearerProvisioning": False}),
    Deployment("two providers", providers="two"),
)
PAGES = (
    Deployment("several back-ends", {"allow_multiple_user_backends": True}),
    Deployment("two providers", providers="two"),
    Deployment("no provider", providers="none"),
    Deployment("user_oidc switched off", {"app_enabled": False}),
    Deployment("the identity provider cannot be reached", {"identity_provider_reachable": False}),
    Deployment("the login form is shown", {"hide_login_form": False}),
)
ACTIONS = ("login", "userOidcLogin", "userOidcCode", "userOidcSingleLogout")


def deployments(exchange: Exchange) -> Iterator[Deployment]:
    """How the drive may have been set up, likely ways first."""
    text = exchange.text
    if exchange.status == 503 or '"maintenance":true' in text:
        yield Deployment("in maintenance", {"maintenance": True})
    if exchange.path == "/status.php":
        yield USUAL
        return
    if exchange.status == 429 or '"statuscode":429' in text or "<statuscode>429" in text:
        for action in ACTIONS:
            yield Deployment(f"blocked for {action}", attempts=action)
        return
    if "<statuscode>996" in text or "<statuscode>500" in text:
        yield Deployment("creation ends in an internal error", {"broken_creation": True})
    yield USUAL
    if exchange.status == 404 or '"statuscode":998' in text or "<statuscode>998" in text:
        yield Deployment("user_oidc switched off", {"app_enabled": False})
    if not exchange.path.startswith(("/ocs", "/remote.php")):
        yield from PAGES
        return
    yield from BY_VERSION
    yield from REFUSING if exchange.status == 401 else GENEROUS
    yield Deployment(
        "accounts have the provider's name in their id", provider={"providerBasedId": True}
    )


class DriveBefore:
    """Set a drive up, and bring people into it."""

    def __init__(self, stand_in: DriveStandIn, issuer: Issuer) -> None:
        self.stand_in = stand_in
        self.issuer = issuer

    @property
    def world(self) -> Any:
        return self.stand_in.world

    def deploy(self, deployment: Deployment, number: int) -> None:
        """Set it up; `number`: of the provider, as an address names it."""
        state = self.stand_in.state
        state["options"] |= deployment.options
        provider = state["providers"][0]
        provider["id"] = number
        provider["settings"] |= deployment.provider
        if deployment.providers == "none":
            state["providers"].clear()
        if deployment.providers == "two":
            second = {**provider, "id": number + 1, "identifier": "second"}
            state["providers"].append({**second, "settings": dict(provider["settings"])})
        for _ in range(ATTEMPTS if deployment.attempts else 0):
            self.world.throttle.note("127.0.0.1", deployment.attempts)

    def person(self, uid: str, *, backend: str = "Database", password: str = "") -> dict[str, Any]:
        """Have an account of this id, seen before."""
        accounts = self.world.accounts
        found: dict[str, Any] = accounts.find(uid) or accounts.add(uid, backend)
        if password:
            found["password"] = hash_password(password)
        accounts.seen(found)
        return found

    def app_password(self, uid: str, login_name: str, text: str, *, stale: bool = False) -> None:
        """Let this text be an app password of an account."""
        accounts = self.world.accounts
        accounts.mint(uid, login_name, "recorded")
        accounts.tokens[-1].update(
            hash=_digest(text), stale=stale, checked=0 if stale else int(time.time())
        )

    def as_shown(self, exchange: Exchange) -> None:
        """Let the accounts have an e-mail address, or none, as the one that came back."""
        found = exchange.json()
        data = found.get("ocs", {}).get("data") if isinstance(found, dict) else None
        if isinstance(data, dict) and "email" in data:
            for account in self.world.accounts.all.values():
                account["email"] = "x@example.org" if data["email"] else None

    def bearer(self, exchange: Exchange, request: Request, how: str) -> Request:
        """Show a token of this run that claims what the recorded one claimed."""
        scheme, _, shown = exchange.headers["authorization"].partition(" ")
        claims = exchange.claims.get(shown)
        if claims is None:
            return request
        token = self.issuer.sign(self._now(exchange, claims), forged=how == "forged")
        return request.header("authorization", f"{scheme} {token}")

    def signed(self, exchange: Exchange, request: Request) -> Request:
        """The request with every other token in it (of a sign-out, a hint) signed anew."""
        for shown, claims in exchange.claims.items():
            if shown not in exchange.headers.get("authorization", ""):
                token = self.issuer.sign(self._now(exchange, claims))
                body = request.body.replace(shown.encode(), token.encode())
                request = request.with_(body=body, target=request.target.replace(shown, token))
        return request

    def _now(self, exchange: Exchange, claims: dict[str, Any]) -> dict[str, Any]:
        """Claims with their times moved to now, and the recorded issuer replaced by ours."""
        answered = exchange.answered_at(claims)
        moved = {
            name: int(claims[name] - answered + time.time())
            for name in ("iat", "exp", "nbf", "auth_time")
            if isinstance(claims.get(name), int)
        }
        ours = str(claims.get("iss", "")).endswith(RECORDED_ISSUER)
        return {**claims, **moved, "iss": self.issuer.url if ours else claims.get("iss", "")}


# --- what an exchange says ------------------------------------------------------------------------


def basic(exchange: Exchange) -> tuple[str, str] | None:
    """User name and password, where they are shown."""
    scheme, _, value = exchange.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        decoded = base64.b64decode(value, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    name, _, password = (
        decoded.rpartition(":")
        if len(decoded.rpartition(":")[2]) == APP_PASSWORD
        else decoded.partition(":")
    )
    return name, password


def addressed(exchange: Exchange) -> str:
    """The account that the path names."""
    found = re.search(r"(?:cloud/users|api/v1/user)/([^/?]+)", exchange.path)
    return unquote(found[1]) if found else ""


def homes_of(exchange: Exchange) -> list[str]:
    """Whose home a path leads to; an id may hold a slash."""
    found = re.match(r"/remote\.php/dav/files/(.+?)/?$", exchange.path)
    return (
        list(dict.fromkeys([unquote(found[1]), unquote(found[1].partition("/")[0])]))
        if found
        else []
    )


def provider_number(exchange: Exchange) -> int:
    """The number of the provider in a path, or in a redirect that came back."""
    known = exchange.path + " " + (exchange.answer_header("location") or "")
    found = re.search(r"(?:user_oidc/login|api/v1/provider)/(\d+)", known)
    return int(found[1]) if found and exchange.status != 404 else 1


def form(exchange: Exchange) -> dict[str, str]:
    return {
        name: values[0] for name, values in parse_qs(exchange.body, keep_blank_values=True).items()
    }


def list_accounts(exchange: Exchange) -> list[str]:
    """The accounts that came back in a list."""
    found = exchange.json()
    data = found.get("ocs", {}).get("data") if isinstance(found, dict) else None
    users = data.get("users") if isinstance(data, dict) else None
    if isinstance(users, list):
        return [str(user) for user in users]
    return re.findall(r"<element>([^<]*)</element>", exchange.text)
