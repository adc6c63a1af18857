"""Signing people in through an OpenID Connect provider: what drive, notebook hub and ontology
editor do alike.

Every function takes the provider's discovery document, so that each of them decides how often it is
fetched.
"""

import base64
import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import aiohttp
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA"]
LONGEST_S = 10


class ProviderRefusal(Exception):
    """The identity provider said no; the text says what it answered, `description` in its own
    words.
    """

    def __init__(self, text: str, description: str = "") -> None:
        super().__init__(text)
        self.description = description


class ProviderUnavailable(Exception):
    """The identity provider gave no usable answer."""


class Client(NamedTuple):
    """A system as a client of the identity provider."""

    id: str
    secret: str


def discovery_address(issuer: str) -> str:
    return f"{issuer.rstrip('/')}/.well-known/openid-configuration"


async def ask(method: str, url: str, **how: Any) -> dict[str, Any]:
    """One call that answers with a JSON object. Raises ProviderRefusal and ProviderUnavailable."""
    timeout = aiohttp.ClientTimeout(total=LONGEST_S)
    jar = aiohttp.DummyCookieJar()
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, cookie_jar=jar) as session,
            session.request(method, url, allow_redirects=False, **how) as answer,
        ):
            if answer.status >= 500 or answer.status == 429:
                raise ProviderUnavailable(f"it answered HTTP {answer.status}")
            if answer.status != 200:
                raise ProviderRefusal(
                    f"it answered HTTP {answer.status}", await _description(answer)
                )
            found = await answer.json(content_type=None)
    except (aiohttp.ClientError, TimeoutError, ValueError) as broken:
        raise ProviderUnavailable(type(broken).__name__) from broken
    if not isinstance(found, dict):
        raise ProviderRefusal("it answered no JSON object")
    return found


async def _description(answer: aiohttp.ClientResponse) -> str:
    try:
        found = await answer.json(content_type=None)
    except ValueError:
        return ""
    return str(found.get("error_description", "")) if isinstance(found, dict) else ""


async def discovered(url: str) -> dict[str, Any]:
    return await ask("GET", url)


async def keys(found: Mapping[str, Any]) -> dict[str, Any]:
    return await ask("GET", str(found.get("jwks_uri", "")))


def sign_in_address(found: Mapping[str, Any], client: Client, **query: str) -> str:
    """Where to send the browser. Raises ProviderRefusal for a provider without such an address."""
    if "authorization_endpoint" not in found:
        raise ProviderRefusal("it has no sign-in address")
    asked = {"response_type": "code", "client_id": client.id, **query}
    return f"{found['authorization_endpoint']}?{urlencode(asked)}"


async def tokens(found: Mapping[str, Any], client: Client, **form: str) -> dict[str, Any]:
    """Trade a code or a refresh token in."""
    sent = {**form, "client_id": client.id, "client_secret": client.secret}
    return await ask("POST", str(found.get("token_endpoint", "")), data=sent)


async def person(found: Mapping[str, Any], access_token: str) -> dict[str, Any]:
    """Return what the provider says of the person at this moment."""
    headers = {"Authorization": f"Bearer {access_token}"}
    return await ask("GET", str(found.get("userinfo_endpoint", "")), headers=headers)


def challenge(verifier: str) -> str:
    """The S256 challenge of a code verifier."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def verify_signature(token: str, published: Mapping[str, Any]) -> dict[str, Any] | None:
    """The claims of a token that one of these keys signed; None for any other. Times are not looked
    at.
    """
    try:
        usable = [key for key in published["keys"] if key.get("use", "sig") == "sig"]
        key_set = KeySet.import_key_set({"keys": usable})
        return dict(jwt.decode(token, key_set, algorithms=ALGORITHMS).claims)
    except (JoseError, KeyError, ValueError, TypeError):
        return None


def is_for(claims: Mapping[str, Any], client_id: str) -> bool:
    """Return whether a token was made for this client."""
    audience = claims.get("aud", [])
    return client_id in (audience if isinstance(audience, list) else [audience])
