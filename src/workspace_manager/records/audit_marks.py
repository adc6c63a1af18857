"""What is worked out of an audit entry: its digest, and the marks that only the manager can make.

A digest is a commitment: it says nothing of the entry, and fits no other. A mark and a signature
are HMACs by a key that is made of `WORKSPACE_SECRET_KEYS`, so that whoever can write into the
database and nothing more makes none.
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
    """What an entry says."""

    at: datetime
    actor: str
    event: str
    subject: str
    details: Any


def plain(details: Any) -> Any:
    """Details as they come back from the database, so that the digest fits then too."""
    return json.loads(json.dumps(details))


def new_salt() -> str:
    """128 random bits."""
    return secrets.token_hex(16)


def digest_of(salt: str, content: Content) -> str:
    """The commitment to what an entry says."""
    return hashlib.sha256(f"{salt}\n{_text(content)}".encode()).hexdigest()


def _text(content: Content) -> str:
    at = content.at.astimezone(UTC).isoformat(timespec="microseconds")
    return json.dumps([at, *content[1:]], sort_keys=True, separators=(",", ":"))


def chain_digest(before: str, held: list[tuple[int, str]]) -> str:
    """The digest of a seal: of the one before, and of each id and digest in it."""
    made = hashlib.sha256(before.encode())
    for number, digest in held:
        made.update(f"\n{number}:{digest}".encode())
    return made.hexdigest()


def mark_of(digest: str, erased: Content | None = None) -> str:
    """The mark of an entry by the first key; `erased`: what it says since somebody was erased."""
    return sign_text(_marked(digest, erased))


def is_mark(mark: str, digest: str, erased: Content | None = None) -> bool:
    """Whether the mark was made by any of the keys."""
    text = _marked(digest, erased)
    return any(hmac.compare_digest(_hmac(key, text), mark) for key in _keys())


def _marked(digest: str, erased: Content | None) -> str:
    return f"{NOTED}\n{digest}" if erased is None else f"{ERASED}\n{digest}\n{_text(erased)}"


def sign_text(text: str) -> str:
    """What the first key makes of a text."""
    return _hmac(_keys()[0], text)


def is_signed(signature: str, text: str, *, key: str) -> bool:
    """Whether the key of this fingerprint made it. Raises KeyError for one that is not there."""
    known = {fingerprint(one): one for one in _keys()}
    return hmac.compare_digest(_hmac(known[key], text), signature)


def first_key() -> str:
    """The fingerprint of the key that signs now."""
    return fingerprint(_keys()[0])


def fingerprint(key: bytes) -> str:
    """Which key it is, without telling anything of it."""
    return _hmac(key, "fingerprint")[:16]


def _keys() -> list[bytes]:
    """None is configured where nothing is kept: then as cookies are signed."""
    return [secret_keys.sealing(key) for key in settings.SECRET_KEYS or [settings.SECRET_KEY]]


def _hmac(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
