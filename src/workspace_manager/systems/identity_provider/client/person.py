"""The identity provider's wire, as the browser of a person and the clients of the sign-in.

Redirects are followed only to the provider itself, by path: the password is sent to the address of
the settings, wherever the page's form points. The client's own address is never called.
"""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlsplit

import httpx

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.cookies import Cookies
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client.answers import document, understand
from workspace_manager.systems.identity_provider.client.person_page import LONGEST, Page
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.settings import Settings

SCOPES: Final = "openid profile email"
"""Scopes of the sign-in at the manager, the drive and the hub."""
MOST_PAGES: Final = 6
"""The most redirects from page to page that an answer may cause."""
_HTML: Final = {"Accept": "text/html", "Accept-Language": "en"}


@dataclass(frozen=True)
class Client:
    """A client that people sign in at."""

    client_id: str
    redirect_uri: str
    secret: Secret


@dataclass(frozen=True)
class SignInRequest:
    """The request, to compare with the response."""

    state: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    nonce: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    verifier: Secret = field(
        default_factory=lambda: Secret(secrets.token_urlsafe(48), name="code verifier")
    )

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.reveal().encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@dataclass(frozen=True)
class SignInResponse:
    """The end of a visit: a page, or the redirect to the client with its parameters."""

    status: int
    path: str
    page: Page = field(repr=False)
    back: dict[str, str] | None = field(default=None, repr=False)

    @property
    def action(self) -> str:
        """The provider's name of a required action besides the password; "" for none."""
        asked = urlsplit(self.path)
        named = parse_qs(asked.query).get("execution", [""])[0]
        # Consent is shown as an action, too, and belongs to the client.
        named = "" if named == "OAUTH_GRANT" else named[:60]
        return named if asked.path.endswith("/login-actions/required-action") else ""


@dataclass(frozen=True)
class TokenResponse:
    """The token endpoint's answer. `refusal`: its own words instead."""

    refusal: str = ""
    access: Secret = field(default_factory=lambda: Secret("", name="access token"))
    identity: Secret = field(default_factory=lambda: Secret("", name="ID token"))


class PersonClient:
    """One visit; its cookies are used for no other call."""

    def __init__(
        self,
        settings: Settings,
        *,
        policy: CallPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = HttpClient(settings.url, system=SYSTEM, policy=policy, transport=transport)
        self._cookies = Cookies()
        self._below = urlsplit(settings.url).path.rstrip("/")
        self._realm = f"/realms/{quote(settings.realm, safe='')}/protocol/openid-connect"

    def begin(self, client: Client, begun: SignInRequest) -> SignInResponse:
        """Open the sign-in page by the client's request."""
        asked = {
            "client_id": client.client_id,
            "redirect_uri": client.redirect_uri,
            "response_type": "code",
            "scope": SCOPES,
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": begun.challenge,
            "code_challenge_method": "S256",
        }
        return self._follow(self._ask("GET", f"{self._realm}/auth", params=asked), client)

    def submit(
        self, shown: SignInResponse, client: Client, username: str, password: Secret
    ) -> SignInResponse:
        """Fill in the form and submit it."""
        form = {**shown.page.fields, "username": username, "password": password.reveal()}
        return self._follow(self._ask("POST", self._own(shown.page.action), form=form), client)

    def redeem(self, client: Client, begun: SignInRequest, code: str) -> TokenResponse:
        """Exchange the returned code, as the client does."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": client.redirect_uri,
            "client_id": client.client_id,
            "client_secret": client.secret.reveal(),
            "code_verifier": begun.verifier.reveal(),
        }
        answer = self._http.send(
            "POST", f"{self._realm}/token", doing=message("trying_code"), form=form, anonymous=True
        )
        answer.raise_for_transient()
        found = answer.json_or_none()
        body: dict[str, Any] = found if isinstance(found, dict) else {}
        access, identity = body.get("access_token"), body.get("id_token")
        if answer.status != 200 or not isinstance(access, str):
            return TokenResponse(refusal=_refusal(answer, body))
        return TokenResponse(
            access=Secret(access, name="access token"),
            identity=Secret(identity if isinstance(identity, str) else "", name="ID token"),
        )

    def userinfo(self, token: Secret) -> dict[str, Any] | str:
        """Return the userinfo for this token; the provider's words if the token is refused. Raises
        the five errors.
        """
        answer = self._http.send(
            "GET",
            f"{self._realm}/userinfo",
            doing=message("reading_userinfo"),
            credential=Token("Authorization", token, scheme="Bearer"),
        )
        if answer.status in {400, 401, 403}:
            found = answer.json_or_none()
            told = answer.headers.get("www-authenticate", "")[:LONGEST]
            return told or _refusal(answer, found if isinstance(found, dict) else {})
        understand(answer, ok=(200,))
        return document(answer)

    def _ask(self, method: str, path: str, **more: Any) -> Answer:
        answer = self._http.send(
            method,
            path,
            doing=message("signing_in_as_person"),
            headers={**_HTML, **self._cookies.headers()},
            anonymous=True,
            **more,
        )
        return self._cookies.keep(answer)

    def _follow(self, answer: Answer, client: Client) -> SignInResponse:
        for _ in range(MOST_PAGES):
            to = answer.headers.get("location", "")
            if not 300 <= answer.status < 400 or not to:
                break
            if to.partition("?")[0] == client.redirect_uri.partition("?")[0]:
                query = parse_qs(urlsplit(to).query)
                return SignInResponse(
                    answer.status, "", Page(""), {k: v[0] for k, v in query.items()}
                )
            answer = self._ask("GET", self._own(to))
        if answer.status == 429 or answer.status in {502, 503, 504}:
            answer.raise_for_transient()
        return SignInResponse(
            answer.status, answer.path, Page(answer.text if _is_page(answer) else "")
        )

    def _own(self, address: str) -> str:
        """Return the path of an address below our own one, whatever host it names."""
        found = urlsplit(address)
        path = found.path.removeprefix(self._below)
        return f"{path}?{found.query}" if found.query else path


def _is_page(answer: Answer) -> bool:
    return answer.content_type in {"text/html", "application/xhtml+xml"}


def _refusal(answer: Answer, body: dict[str, Any]) -> str:
    """Return the token endpoint's refusal in its own words."""
    said = [str(body[one]) for one in ("error", "error_description") if body.get(one)]
    return ": ".join(said)[:LONGEST] or answer.shape.english
