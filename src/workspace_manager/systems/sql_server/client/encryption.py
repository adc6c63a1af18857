"""Encryption of connections to a SQL server, and the proof of its identity.

It is the same for every product (docs/systems/sql-server.md#encryption): a flavour only translates
it for its driver.
"""

import functools
import ssl
from enum import Enum, auto
from pathlib import Path
from typing import Final

from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.loopback import is_loopback
from workspace_manager.contract.message import Message
from workspace_manager.contract.wire import in_time
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import OFF, UNVERIFIED, Settings


class EncryptionMode(Enum):
    """The encryption of a connection."""

    VERIFIED = auto()
    """Encrypted; the certificate is trusted and has the host's name."""
    UNVERIFIED = auto()
    """Encrypted, without checking the server's identity."""
    OFFERED = auto()
    """Encrypted if the server offers it, because nobody is in between."""
    CLEAR = auto()


class Fault(Enum):
    """The reason why no safe connection was made. Nothing was sent."""

    NONE_OFFERED = auto()
    UNTRUSTED = auto()
    OTHER_NAME = auto()
    NOT_AGREED = auto()
    NO_AUTHORITY = auto()
    """The file of trusted authorities cannot be used."""


_SAID: Final = {
    Fault.NONE_OFFERED: (message("offers_no_encryption"), message("give_certificate")),
    Fault.UNTRUSTED: (message("certificate_untrusted"), message("name_authority")),
    Fault.OTHER_NAME: (message("certificate_of_another"), message("use_name_of_certificate")),
    Fault.NOT_AGREED: (message("encryption_not_agreed"), message("look_at_versions")),
    Fault.NO_AUTHORITY: (message("authority_unusable"), message("correct_authority")),
}


def error_of(fault: Fault, *, kind: str, doing: Message) -> ConnectorError:
    """Return the error, which is Unavailable: work continues once the certificate or the setting is
    corrected.
    """
    words, advice = _SAID[fault]
    return Unavailable(words, kind=kind, doing=doing, advice=advice)


def encryption_mode(settings: Settings) -> EncryptionMode:
    """Return the encryption for these settings. A named authority is verified even on the same
    machine.
    """
    if settings.encryption == OFF:
        return EncryptionMode.CLEAR
    if settings.encryption == UNVERIFIED:
        return EncryptionMode.UNVERIFIED
    if is_loopback(settings.host) and not settings.certificate_authority:
        return EncryptionMode.OFFERED
    return EncryptionMode.VERIFIED


@functools.cache
def unverifying() -> ssl.SSLContext:
    """Return a context that encrypts without checking the server's identity."""
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    found.check_hostname = False
    found.verify_mode = ssl.CERT_NONE
    return in_time(found)


def verifying(authority: str) -> ssl.SSLContext:
    """Return a context that trusts the authorities in this file; without one, those of the machine.
    Raises OSError or ValueError if the file cannot be used.
    """
    if not authority:
        return _verifying("", 0)
    # An exchanged file is read again.
    return _verifying(authority, Path(authority).stat().st_mtime_ns)


@functools.lru_cache(maxsize=8)
def _verifying(authority: str, _changed: int) -> ssl.SSLContext:
    found = ssl.create_default_context(cafile=authority or None)
    # Only the newest Python versions refuse certificates that lack what many local authorities
    # leave out.
    found.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return in_time(found)


def machines_authorities() -> str:
    """Return the file of the machine's authorities; if it has none, the client library's word for
    its own.
    """
    return ssl.get_default_verify_paths().cafile or "system"
