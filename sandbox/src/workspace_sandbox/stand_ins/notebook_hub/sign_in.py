"""The hub's side of signing in: authorization code with PKCE, identity from userinfo.

As OAuthenticator does it: the id token is not looked at, the user name is userinfo's
`preferred_username`, lower-cased, and before a server is spawned userinfo is fetched again with the
refresh token.
"""

import secrets
from dataclasses import dataclass, field
from typing import Any

from workspace_sandbox.stand_ins import openid
from workspace_sandbox.stand_ins.openid import Client, ProviderRefusal

CALLBACK = "/hub/oauth_callback"


@dataclass
class Tokens:
    """The tokens of a sign-in."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)


class SignIn:
    """Talk to any OpenID Connect provider by its discovery document."""

    def __init__(self, issuer_url: str, client_id: str, client_secret: str) -> None:
        self._address = openid.discovery_address(issuer_url)
        self._client = Client(client_id, client_secret)
        self._verifiers: dict[str, str] = {}
        """Of the sign-ins under way, by their `state`."""

    def known_as(self, own_url: str) -> None:
        """Use the hub's own address as the client's id where none was given."""
        self._client = self._client._replace(id=self._client.id or own_url)

    async def begin(self, own_url: str) -> str:
        """Return the address at the identity provider to send the browser to."""
        found = await openid.discovered(self._address)
        state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        self._verifiers[state] = verifier
        return openid.sign_in_address(
            found,
            self._client,
            redirect_uri=own_url + CALLBACK,
            scope="openid profile email",
            state=state,
            code_challenge=openid.challenge(verifier),
            code_challenge_method="S256",
        )

    async def finish(self, own_url: str, state: str, code: str) -> tuple[Tokens, dict[str, Any]]:
        """Trade the code in; gives tokens and userinfo. Raises ProviderRefusal, also for a state
        not ours.
        """
        verifier = self._verifiers.pop(state, None)
        if verifier is None:
            raise ProviderRefusal("the sign-in was not begun here, or took too long")
        return await self._trade(
            grant_type="authorization_code",
            code=code,
            redirect_uri=own_url + CALLBACK,
            code_verifier=verifier,
        )

    async def again(self, tokens: Tokens) -> tuple[Tokens, dict[str, Any]]:
        """Ask afresh who this is. Raises ProviderRefusal for a person who was removed or
        suspended.
        """
        return await self._trade(grant_type="refresh_token", refresh_token=tokens.refresh)

    async def _trade(self, **form: str) -> tuple[Tokens, dict[str, Any]]:
        found = await openid.discovered(self._address)
        got = await openid.tokens(found, self._client, **form)
        tokens = Tokens(str(got.get("access_token", "")), str(got.get("refresh_token", "")))
        return tokens, await openid.person(found, tokens.access)
