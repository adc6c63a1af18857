"""A small identity provider for stand-ins that sign people in: it signs whatever claims the test
sets.
"""

import time
from typing import Any, ClassVar
from urllib.parse import urlencode

from aiohttp import web
from joserfc import jwt
from joserfc.jwk import RSAKey

from workspace_sandbox.server import StandIn

KEY = RSAKey.generate_key(2048, parameters={"kid": "k1", "use": "sig", "alg": "RS256"})
FORGED = RSAKey.generate_key(2048, parameters={"kid": "k1", "use": "sig", "alg": "RS256"})
LIFE_S = 300


class Issuer(StandIn):
    """Discovery, keys, an authorization endpoint that sends everybody back at once, and a token for
    every code.
    """

    name: ClassVar[str] = "issuer"
    product: ClassVar[str] = "issuer"

    def __init__(self) -> None:
        super().__init__()
        self.claims: dict[str, Any] = {}
        """What the next token says besides issuer and times."""

    def seed(self) -> dict[str, Any]:
        return {}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/.well-known/openid-configuration", self._discovery)
        app.router.add_get("/keys", self._keys)
        app.router.add_get("/auth", self._auth)
        app.router.add_post("/token", self._token)

    async def _discovery(self, _request: web.Request) -> web.Response:
        found = {
            "jwks_uri": "/keys",
            "authorization_endpoint": "/auth",
            "token_endpoint": "/token",
            "end_session_endpoint": "/logout",
        }
        return web.json_response(
            {
                "issuer": self.url,
                "code_challenge_methods_supported": ["S256"],
                **{name: self.url + path for name, path in found.items()},
            }
        )

    async def _keys(self, _request: web.Request) -> web.Response:
        return web.json_response({"keys": [KEY.as_dict(private=False)]})

    async def _auth(self, request: web.Request) -> web.Response:
        query = urlencode({"state": request.query["state"], "code": "a-code"})
        to = f"{request.query['redirect_uri']}?{query}"
        return web.Response(status=302, headers={"Location": to})

    async def _token(self, _request: web.Request) -> web.Response:
        return web.json_response({"id_token": self.sign(self.claims), "access_token": "x"})

    def sign(self, claims: dict[str, Any], *, forged: bool = False) -> str:
        """A token of these claims; issuer and times are this moment's unless they are given."""
        now = int(time.time())
        whole = {"iss": self.url, "iat": now, "exp": now + LIFE_S, **claims}
        return jwt.encode({"alg": "RS256", "kid": "k1"}, whole, FORGED if forged else KEY)
