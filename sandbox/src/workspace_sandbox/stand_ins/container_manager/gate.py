"""Portainer's door: who is asking, by API key, token or cookie, and the refusals in Portainer's
words.
"""

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from workspace_sandbox.stand_ins.container_manager.wire import (
    PORTAINER,
    TEXT,
    Reply,
    portainer_error,
)

Row: TypeAlias = dict[str, Any]
COOKIE = "portainer_api_key"
ADMINISTRATOR = 1
SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}


class Stop(Exception):
    """The request ends here with this reply."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


@dataclass
class Request:
    """One request to Portainer. `path` as sent."""

    method: str
    path: str
    query: str
    body: bytes
    headers: Mapping[str, str]
    user: Row | None = None
    by_key: bool = False

    @property
    def parameters(self) -> dict[str, str]:
        return dict(parse_qsl(self.query, keep_blank_values=True))

    @property
    def cookies(self) -> dict[str, str]:
        try:
            jar = SimpleCookie(self.headers.get("Cookie", ""))
        except CookieError:
            return {}
        return {name: morsel.value for name, morsel in jar.items()}

    @property
    def administrator(self) -> bool:
        return self.user is not None and self.user["Role"] == ADMINISTRATOR


def digest(key: str) -> str:
    return base64.b64encode(hashlib.sha256(key.encode()).digest()).decode()


def hashed(password: str) -> str:
    """Hash a password; scrypt stands in for bcrypt."""
    salt = secrets.token_hex(8)
    found = hashlib.scrypt(password.encode(), salt=salt.encode(), n=2**12, r=8, p=1)
    return f"{salt}${found.hex()}"


def fits(password: str, stored: str) -> bool:
    salt, _, wanted = stored.partition("$")
    found = hashlib.scrypt(password.encode(), salt=salt.encode(), n=2**12, r=8, p=1).hex()
    return hmac.compare_digest(found, wanted)


class Gate:
    """Look at every request before anything else does. `state` is Portainer's part of the
    stand-in's state.
    """

    def __init__(self, state: Any) -> None:
        self._state = state

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self._state()
        return found

    def before_routing(self, request: Request) -> None:
        """Initialisation timeout and cross-site checks: they come before routes and keys. Raises
        Stop.
        """
        if self.state["settings"]["init_timeout"] and request.path != "/api/status":
            message = "Administrator initialization timeout"
            reply = portainer_error(303, message)
            reply.headers = {"Redirect-Reason": "AdminInitTimeout"}
            raise Stop(reply)
        if request.cookies.get(COOKIE):
            token = request.headers.get("X-CSRF-Token", "")
            if request.method not in SAFE and token != self.csrf(request.cookies[COOKIE]):
                words = b"Forbidden - CSRF token not found in request\n"
                raise Stop(Reply(403, words, TEXT, dict(PORTAINER)))
        elif request.headers.get("X-API-Key") and request.headers.get("Authorization"):
            raise Stop(
                portainer_error(403, "api key and auth header are not allowed at the same time")
            )

    def csrf(self, token: str) -> str:
        key = self.state["signing_key"].encode()
        return base64.b64encode(hmac.digest(key, b"csrf" + token.encode(), "sha512")).decode()

    def identify(self, request: Request) -> None:
        """Set `request.user`. Raises Stop with 401."""
        query = {name.lower(): value for name, value in request.parameters.items()}
        key = request.headers.get("X-API-Key") or query.get("x-api-key", "")
        token = (
            request.cookies.get(COOKIE)
            or _bare(request.headers.get("Authorization", ""))
            or query.get("token", "")
        )
        if key:
            request.user, request.by_key = self._by_key(key), True
        elif token:
            request.user = self._by_token(token)
        else:
            raise Stop(
                portainer_error(401, "A valid authorization token is missing", "Unauthorized")
            )
        if request.user is None:
            raise Stop(portainer_error(401, "Invalid JWT token", "Unauthorized"))

    def _by_key(self, key: str) -> Row | None:
        for row in self.state["keys"]:
            if row["digest"] == digest(key):
                return self._user(row["userId"])
        return None

    def _user(self, number: int) -> Row | None:
        found: Row | None = self.state["users"].get(str(number))
        return found

    # --- tokens -----------------------------------------------------------------------------------

    def token(self, user: Row) -> str:
        """Sign a session token (HS256)."""
        now = int(time.time())
        claims = {
            "id": user["Id"],
            "username": user["Username"],
            "role": user["Role"],
            "scope": "default",
            "forceChangePassword": False,
            "exp": now + int(self.state["settings"]["session_seconds"]),
            "iat": now,
            "jti": secrets.token_hex(16),
        }
        head = _base64(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
        signed = f"{head}.{_base64(json.dumps(claims).encode())}"
        return f"{signed}.{self._signature(signed)}"

    def _by_token(self, token: str) -> Row | None:
        signed, _, signature = token.rpartition(".")
        if token in self.state["logged_out"] or not hmac.compare_digest(
            signature, self._signature(signed)
        ):
            return None
        middle = signed.partition(".")[2]
        claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
        return self._user(claims["id"]) if claims["exp"] > time.time() else None

    def _signature(self, signed: str) -> str:
        return _base64(hmac.digest(self.state["signing_key"].encode(), signed.encode(), "sha256"))


def _bare(header: str) -> str:
    scheme, _, rest = header.partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else header


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
