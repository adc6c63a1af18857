"""Digests and marks of audit entries.

A digest is a commitment: it reveals nothing of the entry and matches no other. Marks and signatures
are HMACs with keys derived from `WORKSPACE_SECRET_KEYS`, so that write access to the database is
not enough to forge one.
"""

import hashlib
import hmac
import json
import secrets
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from django.conf import settings

from workspace_manager.contract import secret_keys

NOTED: Final = "noted"
ERASED: Final = "erased"


class Content(NamedTuple):
    """Content of an entry."""

    at: datetime
    actor: str
    event: str
    subject: str
    details: Any


def plain(details: Any) -> Any:
    """Return details as the database returns them, so that the digest matches then, too."""
    return json.loads(json.dumps(details))


def new_salt() -> str:
    return secrets.token_hex(16)


def digest_of(salt: str, content: Content) -> str:
    """Return the commitment to an entry's content."""
    return hashlib.sha256(f"{salt}\n{_text(content)}".encode()).hexdigest()


def _text(content: Content) -> str:
    at = content.at.astimezone(UTC).isoformat(timespec="microseconds")
    return json.dumps([at, *content[1:]], sort_keys=True, separators=(",", ":"))


def chain_digest(before: str, held: list[tuple[int, str]]) -> str:
    """Return the digest of a seal, from the previous one and each id and digest."""
    made = hashlib.sha256(before.encode())
    for number, digest in held:
        made.update(f"\n{number}:{digest}".encode())
    return made.hexdigest()


def mark_of(digest: str, erased: Content | None = None) -> str:
    """Return the mark of an entry by the first key; `erased`: its content after an erasure."""
    return sign_text(_marked(digest, erased))


def is_mark(mark: str, digest: str, erased: Content | None = None) -> bool:
    """Return whether any of the keys made the mark."""
    text = _marked(digest, erased)
    return any(hmac.compare_digest(_hmac(key, text), mark) for key in _keys())


def _marked(digest: str, erased: Content | None) -> str:
    return f"{NOTED}\n{digest}" if erased is None else f"{ERASED}\n{digest}\n{_text(erased)}"


def sign_text(text: str) -> str:
    """Return the HMAC of a text by the first key."""
    return _hmac(_keys()[0], text)


def is_signed(signature: str, text: str, *, key: str) -> bool:
    """Return whether the key with this fingerprint made the signature. Raises KeyError for an
    unknown key.
    """
    known = {fingerprint(one): one for one in _keys()}
    return hmac.compare_digest(_hmac(known[key], text), signature)


def first_key() -> str:
    """Return the fingerprint of the key that signs now."""
    return fingerprint(_keys()[0])


def fingerprint(key: bytes) -> str:
    """Return a key's identifier, which reveals nothing about it."""
    return _hmac(key, "fingerprint")[:16]


def _keys() -> list[bytes]:
    """Return the configured keys; without any, the key that signs cookies."""
    return [secret_keys.sealing(key) for key in settings.SECRET_KEYS or [settings.SECRET_KEY]]


def _hmac(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
