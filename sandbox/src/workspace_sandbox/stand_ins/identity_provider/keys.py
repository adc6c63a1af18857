"""A realm's keys: an RSA pair that signs tokens (RS256), one for encryption that only the key list
shows, and a secret (HS512).

Pairs are made once per process and used again by the next stand-in, since making them is the
slowest part of starting one. They are kept in the state, so that a token stays valid over a
restart.
"""

import base64
import hashlib
import secrets
import uuid
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey, RSAKey

from workspace_sandbox.stand_ins.identity_provider.answers import Doc

_POOL: list[str] = []


def _pem(nth: int) -> str:
    while len(_POOL) <= nth:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        _POOL.append(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ).decode()
        )
    return _POOL[nth]


@lru_cache(maxsize=64)
def _rsa(pem: str) -> RSAKey:
    return RSAKey.import_key(pem)


def new_keys(realm: str, nth: int) -> Doc:
    """Return the keys of the `nth` realm of this stand-in; two realms never share a signing key."""
    sign, encrypt = _pem(nth + 1), _pem(0)
    return {
        "sign": {"kid": _kid(sign, realm), "pem": sign, "certificate": _certificate(sign, realm)},
        "encrypt": {
            "kid": _kid(encrypt, realm),
            "pem": encrypt,
            "certificate": _certificate(encrypt, realm),
        },
        "secret": {"kid": str(uuid.uuid4()), "value": secrets.token_urlsafe(64)},
        "aes": str(uuid.uuid4()),
    }


def _kid(pem: str, realm: str) -> str:
    return _b64(hashlib.sha256(f"{realm}/{_rsa(pem).thumbprint()}".encode()).digest())


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@lru_cache(maxsize=64)
def _certificate(pem: str, realm: str) -> str:
    key = serialization.load_pem_private_key(pem.encode(), None)
    assert isinstance(key, rsa.RSAPrivateKey)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, realm[:64])])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(seconds=100))
        .not_valid_after(now + timedelta(days=3652))
        .sign(key, hashes.SHA256())
    )
    return base64.b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode()


def sign(keys: Doc, claims: Doc, *, kind: str = "JWT") -> str:
    header = {"alg": "RS256", "typ": kind, "kid": keys["sign"]["kid"]}
    return jwt.encode(header, claims, _rsa(keys["sign"]["pem"]), algorithms=["RS256"])


def seal(keys: Doc, claims: Doc) -> str:
    """Sign for ourselves alone (refresh tokens, cookies): HS512, so nobody else can check it."""
    header = {"alg": "HS512", "typ": "JWT", "kid": keys["secret"]["kid"]}
    return jwt.encode(
        header, claims, OctKey.import_key(keys["secret"]["value"]), algorithms=["HS512"]
    )


def verify_token(keys: Doc, token: str) -> Doc | None:
    """The claims of an access, ID or logout token whose signature was really checked; None
    otherwise. Not the expiry.
    """
    return _checked(token, _rsa(keys["sign"]["pem"]), "RS256")


def unsealed(keys: Doc, token: str) -> Doc | None:
    """Return the claims of what we signed for ourselves alone."""
    return _checked(token, OctKey.import_key(keys["secret"]["value"]), "HS512")


def _checked(token: str, key: RSAKey | OctKey, algorithm: str) -> Doc | None:
    try:
        claims = jwt.decode(token, key, algorithms=[algorithm]).claims
    except (JoseError, ValueError):
        return None
    return claims if isinstance(claims, dict) else None


def at_hash(token: str) -> str:
    return _b64(hashlib.sha256(token.encode()).digest()[:16])


def key_list(keys: Doc) -> Doc:
    """Return the JWKS document: the signing key and an encryption key that a client must skip by
    `use`.
    """
    return {
        "keys": [
            _public(keys["sign"], "RS256", "sig"),
            _public(keys["encrypt"], "RSA-OAEP", "enc"),
        ]
    }


def _public(key: Doc, algorithm: str, use: str) -> Doc:
    numbers: dict[str, Any] = _rsa(key["pem"]).as_dict(private=False)
    der = base64.b64decode(key["certificate"])
    return {
        "kid": key["kid"],
        "kty": "RSA",
        "alg": algorithm,
        "use": use,
        "x5c": [key["certificate"]],
        "x5t": _b64(hashlib.sha1(der).digest()),
        "x5t#S256": _b64(hashlib.sha256(der).digest()),
        "n": numbers["n"],
        "e": numbers["e"],
    }
