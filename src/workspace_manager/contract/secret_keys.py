"""Derive from each key of `WORKSPACE_SECRET_KEYS` one key that signs, another that encrypts, one
that seals the audit, one for the cache and one for the queue, so that none tells anything of the
others (HKDF, RFC 5869).
"""

import base64
from functools import lru_cache
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SHORTEST: Final = 32
"""Characters: 128 bits where they are hexadecimal digits, as of `openssl rand -hex 16`."""
FEWEST: Final = 8
"""Different characters: fewer are a pattern."""
MAKE_ONE: Final = "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
"""The command that makes a good key."""


def is_weak(key: str) -> bool:
    """Return whether somebody could try it out: derivation adds nothing to what is random in it."""
    return len(key) < SHORTEST or len(set(key)) < FEWEST


@lru_cache(maxsize=32)
def _derived(key: str, purpose: str) -> bytes:
    made = HKDF(SHA256(), length=32, salt=None, info=f"workspace-manager {purpose}".encode())
    return made.derive(key.encode())


def signing(key: str) -> str:
    """The key that signs cookies, links and sessions."""
    return _derived(key, "signing").hex()


def encrypting(key: str) -> str:
    """The key that encrypts stored secrets, in the form that Fernet takes."""
    return base64.urlsafe_b64encode(_derived(key, "encrypting")).decode()


def sealing(key: str) -> bytes:
    """The key that marks entries of the audit and signs their seals."""
    return _derived(key, "audit")


def caching(key: str) -> bytes:
    """The key that signs values in the cache."""
    return _derived(key, "cache")


def queueing(key: str) -> bytes:
    """The key that signs tasks in the queue."""
    return _derived(key, "queue")
