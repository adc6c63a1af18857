"""An authority for certificates, made on the spot: whoever trusts its file trusts its servers."""

import datetime
import ipaddress
import ssl
import uuid
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

LONG_AGO, THEN, FAR_OFF = (
    datetime.datetime(year, 1, 1, tzinfo=datetime.UTC) for year in (2000, 2001, 2100)
)
"""No moment between is named: OpenSSL asks the machine for the time, which no test can move."""


class Authority:
    """Signs certificates into its folder. `file`: its own."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self.folder = folder
        self.name = _named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        own = self._certificate(self.name, self._key, FAR_OFF)
        own = own.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(_pem(own.sign(self._key, hashes.SHA256())))

    def server(self, *hosts: str, expired: bool = False) -> tuple[Path, Path]:
        """The files of a certificate for these hosts, and of its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = self._certificate(_named("server"), key, THEN if expired else FAR_OFF)
        names = x509.SubjectAlternativeName([_host(host) for host in hosts])
        certificate = self.folder / f"server-{uuid.uuid4().hex}.pem"
        private = certificate.with_suffix(".key")
        signed = made.add_extension(names, critical=False).sign(self._key, hashes.SHA256())
        certificate.write_bytes(_pem(signed))
        private.touch(mode=0o600)
        private.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return certificate, private

    def context(self, *hosts: str, expired: bool = False) -> ssl.SSLContext:
        """What a server of ours in Python needs."""
        found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        found.load_cert_chain(*self.server(*hosts, expired=expired))
        return found

    def _certificate(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, until: datetime.datetime
    ) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(LONG_AGO)
            .not_valid_after(until)
        )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
