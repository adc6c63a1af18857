"""Encryption options for PostgreSQL's client library, and its words without encryption."""

import re
from collections.abc import Mapping
from typing import Any, Final

from workspace_manager.systems.sql_server.client.encryption import (
    EncryptionMode,
    Fault,
    encryption_mode,
    machines_authorities,
    verifying,
)
from workspace_manager.systems.sql_server.settings import Settings

_MODES: Final[Mapping[EncryptionMode, str]] = {
    EncryptionMode.UNVERIFIED: "require",
    EncryptionMode.OFFERED: "prefer",
    EncryptionMode.CLEAR: "disable",
}
_WORDS: Final = (
    (r"server does not support SSL, but SSL was required", Fault.NONE_OFFERED),
    (r"certificate verify failed", Fault.UNTRUSTED),
    (r"does not match host name|host name from server certificate", Fault.OTHER_NAME),
    (r"SSL error: (?!.*unexpected eof)", Fault.NOT_AGREED),
)


def options(settings: Settings) -> dict[str, Any]:
    """Return the options. Raises OSError or ValueError if the file of authorities cannot be used,
    for which the library has many messages.
    """
    way, authority = encryption_mode(settings), settings.certificate_authority
    if way is not EncryptionMode.VERIFIED:
        return {"sslmode": _MODES[way]}
    verifying(authority)
    return {"sslmode": "verify-full", "sslrootcert": authority or machines_authorities()}


def unsafe(text: str) -> Fault | None:
    """Return why nothing was sent over a connection, by the library's words. The server's own words
    are not trusted.
    """
    if "FATAL:" in text:
        return None
    return next((fault for pattern, fault in _WORDS if re.search(pattern, text)), None)
