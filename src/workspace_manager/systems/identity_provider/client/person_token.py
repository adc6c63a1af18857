"""A token as its recipient reads it: header, claims, and whether a published key of the realm
signed it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import import_key

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.storable import storable_json

ASYMMETRIC: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
)
"""Algorithms that the manager accepts at a sign-in: those with a private key."""


@dataclass(frozen=True)
class ParsedToken:
    """Content of a token. `verified`: by a published key."""

    header: Mapping[str, Any]
    claims: Mapping[str, Any] = field(repr=False)
    verified: bool


def parse_token(token: Secret, keys: Mapping[str, Mapping[str, Any]]) -> ParsedToken | None:
    """Return the parsed token; None if it is malformed."""
    text = token.reveal().encode()
    try:
        raw = jws.extract_compact(text)
        header = raw.headers()
        claims = json.loads(raw.payload)
    except (JoseError, ValueError, RecursionError):
        return None
    key = keys.get(str(header.get("kid")))
    return ParsedToken(_clean(header), _clean(claims), key is not None and _verified(text, key))


def _clean(found: Any) -> Mapping[str, Any]:
    return storable_json(found) if isinstance(found, dict) else {}


def _verified(text: bytes, key: Mapping[str, Any]) -> bool:
    try:
        jws.deserialize_compact(text, import_key(dict(key)), algorithms=list(ASYMMETRIC))
    except (JoseError, ValueError, TypeError):
        return False
    return True
