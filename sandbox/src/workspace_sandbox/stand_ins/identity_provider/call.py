"""One request to the stand-in: the realm it is about, the address it came in under, and its form or
JSON body.
"""

import base64
import binascii
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider.realm import Realm, Store

FORM = "application/x-www-form-urlencoded"


@dataclass
class Call:
    """One call, as handlers get it. `base` is the address the caller used: the issuer follows it,
    as with `hostname-strict=false`.
    """

    store: Store
    request: web.Request
    realm: Realm
    body: bytes = b""
    parts: dict[str, str] = field(default_factory=dict)

    @property
    def base(self) -> str:
        return f"{self.request.scheme}://{self.request.host}"

    @property
    def issuer(self) -> str:
        return f"{self.base}/realms/{self.realm.name}"

    @property
    def address(self) -> str:
        return self.request.remote or "127.0.0.1"

    @property
    def content_type(self) -> str:
        return self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    def pairs(self) -> list[tuple[str, str]]:
        """The fields of a form body, in order, repeated ones too; nothing for another
        content type.
        """
        if self.content_type != FORM:
            return []
        return parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True)

    def form(self) -> dict[str, str]:
        fields: dict[str, str] = {}
        for name, value in self.pairs():
            fields.setdefault(name, value)
        return fields

    def basic(self) -> tuple[str, str] | None:
        """The client of an HTTP Basic header, both parts also understood percent-encoded (RFC 6749,
        2.3.1).
        """
        scheme, _, value = self.request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "basic":
            return None
        try:
            name, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None
        return unquote(name), unquote(secret)

    def bearer(self) -> str | None:
        scheme, _, value = self.request.headers.get("Authorization", "").partition(" ")
        return value.strip() if scheme.lower() == "bearer" and value.strip() else None
