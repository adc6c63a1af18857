"""The hub's side of signing in: a plain OpenID Connect client, authorization code with PKCE, identity from userinfo.

As OAuthenticator does it: the id token is not looked at, the user name is userinfo's `preferred_username`, lower-cased, and before a
server is spawned userinfo is fetched again with the refresh token (facts, notebook hub 4.4).
"""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import aiohttp

CALLBACK = "/hub/oauth_callback"


class IdentityRefused(Exception):
    """The identity provider does not vouch for this person (any more); the text says what it answered."""


class IdentityProviderGone(Exception):
    """The identity provider did not answer."""


@dataclass
class Tokens:
    """What a sign-in brought."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)


@dataclass
class Pending:
    """A sign-in under way, kept by its `state`."""

    verifier: str


class SignIn:
    """Talk to any OpenID Connect provider by its discovery document."""

    def __init__(self, issuer_url: str, client_id: str, client_secret: str) -> None:
        self._issuer = issuer_url.rstrip("/")
        self._client_id = client_id
        self._client_secret = client_secret
        self._pending: dict[str, Pending] = {}
        self._discovered: dict[str, Any] = {}
        self.http: aiohttp.ClientSession | None = None

    async def begin(self, own_url: str) -> str:
        """Give the address at the identity provider to send the browser to."""
        state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        self._pending[state] = Pending(verifier)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": own_url + CALLBACK,
            "scope": "openid profile email",
            "state": state,
            "code_challenge": challenge.rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        return f"{await self._endpoint('authorization_endpoint')}?{urlencode(query)}"

    async def finish(self, own_url: str, state: str, code: str) -> tuple[Tokens, dict[str, Any]]:
        """Trade the code in; gives tokens and userinfo. Raises IdentityRefused, also for a state that is not ours."""
        pending = self._pending.pop(state, None)
        if pending is None:
            raise IdentityRefused("the sign-in was not begun here, or took too long")
        tokens = await self._token(
            {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": own_url + CALLBACK,
                "code_verifier": pending.verifier,
            }
        )
        return tokens, await self._userinfo(tokens)

    async def again(self, tokens: Tokens) -> tuple[Tokens, dict[str, Any]]:
        """Ask afresh who this is, with the refresh token. Raises IdentityRefused for a person who was removed or fenced."""
        fresh = await self._token({"grant_type": "refresh_token", "refresh_token": tokens.refresh})
        return fresh, await self._userinfo(fresh)

    async def _endpoint(self, name: str) -> str:
        if name not in self._discovered:
            self._discovered = await self._ask(
                "GET", f"{self._issuer}/.well-known/openid-configuration"
            )
        return str(self._discovered[name])

    async def _token(self, form: dict[str, str]) -> Tokens:
        form |= {"client_id": self._client_id, "client_secret": self._client_secret}
        found = await self._ask("POST", await self._endpoint("token_endpoint"), data=form)
        return Tokens(str(found.get("access_token", "")), str(found.get("refresh_token", "")))

    async def _userinfo(self, tokens: Tokens) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {tokens.access}"}
        return await self._ask("GET", await self._endpoint("userinfo_endpoint"), headers=headers)

    async def _ask(self, method: str, url: str, **how: Any) -> dict[str, Any]:
        assert self.http is not None
        try:
            async with self.http.request(method, url, allow_redirects=False, **how) as answer:
                if answer.status >= 500 or answer.status == 429:
                    raise IdentityProviderGone(f"it answered HTTP {answer.status}")
                if answer.status != 200:
                    raise IdentityRefused(f"it answered HTTP {answer.status}")
                found = await answer.json(content_type=None)
                if not isinstance(found, dict):
                    raise IdentityRefused("it answered no JSON object")
                return found
        except (aiohttp.ClientError, TimeoutError, ValueError) as broken:
            raise IdentityProviderGone(type(broken).__name__) from broken
