"""The sign-in of the products' own tools, with an account of their own. The password is in no
argument, no environment and no file system.

It is in a file of the kernel (`memfd_create`) that only the tool inherits. The file disappears with
the last of the two processes, even if both are killed.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client.encryption import (
    EncryptionMode,
    encryption_mode,
    machines_authorities,
)
from workspace_manager.systems.sql_server.client.postgresql import tls
from workspace_manager.systems.sql_server.settings import Settings


@dataclass(frozen=True)
class Login:
    """An account and where it signs in."""

    settings: Settings
    user: str
    password: Secret
    database: str


@contextlib.contextmanager
def private_file(text: str) -> Iterator[int]:
    """Yield the descriptor of a file without a name; a tool opens it under `path_of`."""
    number = os.memfd_create("login", os.MFD_CLOEXEC)
    try:
        os.fchmod(number, 0o600)
        os.write(number, text.encode())
        yield number
    finally:
        os.close(number)


def path_of(number: int) -> str:
    """Return the path under which a tool opens the file that it inherits with this descriptor."""
    return f"/dev/fd/{number}"


def mariadb_file(login: Login) -> str:
    """Return the text of an option file for MariaDB's tools."""
    chosen = {
        "host": login.settings.host,
        "port": str(login.settings.port),
        "protocol": "tcp",
        "user": login.user,
        "password": login.password.reveal(),
    }
    lines = [f"{name}={_quote_option(value)}" for name, value in chosen.items()]
    return "\n".join(["[client]", *lines, *_mariadb_encryption(login.settings), ""])


def _mariadb_encryption(settings: Settings) -> list[str]:
    match encryption_mode(settings):
        case EncryptionMode.VERIFIED:
            authority = settings.certificate_authority or machines_authorities()
            return ["ssl", "ssl-verify-server-cert", f"ssl-ca={_quote_option(authority)}"]
        case EncryptionMode.UNVERIFIED:
            return ["ssl", "skip-ssl-verify-server-cert"]
        case EncryptionMode.OFFERED | EncryptionMode.CLEAR:
            return ["skip-ssl"]


def _quote_option(value: str) -> str:
    """Quote a value. MariaDB interprets backslashes in an option file."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def postgresql_file(login: Login) -> str:
    """Return the text of a password file for PostgreSQL's tools."""
    password = login.password.reveal().replace("\\", "\\\\").replace(":", "\\:")
    return f"*:*:*:*:{password}\n"


OPTIONS: Final = (
    "-c client_min_messages=error -c statement_timeout=0 -c lock_timeout=60s"
    " -c idle_in_transaction_session_timeout=0"
)


def postgresql_environment(login: Login) -> Mapping[str, str]:
    """Return the environment of PostgreSQL's tools, without secrets."""
    encrypted = tls.options(login.settings)
    return {
        "PGHOST": login.settings.host,
        "PGPORT": str(login.settings.port),
        "PGUSER": login.user,
        "PGDATABASE": login.database,
        "PGSSLMODE": encrypted["sslmode"],
        **({"PGSSLROOTCERT": encrypted["sslrootcert"]} if "sslrootcert" in encrypted else {}),
        "PGGSSENCMODE": "disable",
        "PGCONNECT_TIMEOUT": "10",
        "PGAPPNAME": "workspace-manager",
        "PGCLIENTENCODING": "UTF8",
        "PGOPTIONS": OPTIONS,
    }
