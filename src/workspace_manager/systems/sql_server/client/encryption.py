"""Encryption of connections to a SQL server, and the proof of its identity.

Alike for every product (docs/systems/sql-server.md#encryption): a flavour only translates it for
its driver.
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
    """How a connection is made."""

    VERIFIED = auto()
    """Encrypted; the server's certificate is trusted and bears the host's name."""
    UNVERIFIED = auto()
    """Encrypted, without checking the server's identity."""
    OFFERED = auto()
    """Encrypted where the server offers it, as nobody is on the way."""
    CLEAR = auto()


class Fault(Enum):
    """Why no connection came about that may be spoken over. Nothing was sent."""

    NONE_OFFERED = auto()
    UNTRUSTED = auto()
    OTHER_NAME = auto()
    NOT_AGREED = auto()
    NO_AUTHORITY = auto()
    """The file that names whom to trust cannot be used."""


_SAID: Final = {
    Fault.NONE_OFFERED: (message("offers_no_encryption"), message("give_certificate")),
    Fault.UNTRUSTED: (message("certificate_untrusted"), message("name_authority")),
    Fault.OTHER_NAME: (message("certificate_of_another"), message("use_name_of_certificate")),
    Fault.NOT_AGREED: (message("encryption_not_agreed"), message("look_at_versions")),
    Fault.NO_AUTHORITY: (message("authority_unusable"), message("correct_authority")),
}


def error_of(fault: Fault, *, kind: str, doing: Message) -> ConnectorError:
    """Unavailable: it goes on by itself once the certificate or the setting is mended."""
    words, advice = _SAID[fault]
    return Unavailable(words, kind=kind, doing=doing, advice=advice)


def encryption_mode(settings: Settings) -> EncryptionMode:
    """Return how to connect with these settings. A named authority is verified on this very
    machine, too.
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
    """Trust the authorities in this file; without one, those that the machine trusts. Raises
    OSError or ValueError when the file cannot be used.
    """
    if not authority:
        return _verifying("", 0)
    # Exchanged, it is read anew.
    return _verifying(authority, Path(authority).stat().st_mtime_ns)


@functools.lru_cache(maxsize=8)
def _verifying(authority: str, _changed: int) -> ssl.SSLContext:
    found = ssl.create_default_context(cafile=authority or None)
    # What the authorities of many a house leave out would fail under the newest Pythons alone.
    found.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return in_time(found)


def machines_authorities() -> str:
    """Return the file of those that the machine trusts; where it has none, those that the client
    library knows.
    """
    return ssl.get_default_verify_paths().cafile or "system"
