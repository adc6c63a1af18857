"""What can be wrong with a PostgreSQL (facts 5.6)."""

import re
import secrets
from collections.abc import Iterator
from typing import Final

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import Client, PostgreSQLSession, SignIn

OLDEST: Final = 15
"""The first whose databases give nobody else the right to create something in them."""


def of_the_server(session: PostgreSQLSession, version: str) -> Iterator[Finding]:
    number = re.match(r"\d+", version)
    if number and int(number[0]) >= OLDEST:
        yield SAY.ok("version", f"version {version}")
    else:
        yield SAY.failing(
            "version",
            f"version {version}: whoever may connect to a database may create things in it, and the manager cannot take that away",
            "Use PostgreSQL 15 or newer.",
        )
    encoding, language = session.setting("server_encoding"), session.setting("lc_messages")
    if encoding == "UTF8":
        yield SAY.ok("encoding", "names are kept in UTF-8")
    else:
        yield SAY.warning(
            "encoding",
            f"the database postgres is kept in {encoding}: names with other letters than a to z are not the same in every database",
            "Let only people with plain names have SQL accounts, or move to a server that was made with --encoding=UTF8.",
        )
    if language in {"C", "POSIX", ""} or language.startswith("en"):
        yield SAY.ok("language", "refusals of sign-ins are understood")
    else:
        yield SAY.warning(
            "language",
            f"the server explains refused sign-ins in the language {language}; they carry no code, so the manager takes each for a wrong "
            "password",
            "Set lc_messages = 'C' in its configuration.",
        )


UNENCRYPTED: Final = (
    "what the manager asks and is answered travels unencrypted; of passwords only what proves them (SCRAM)",
    "Give the server a certificate (ssl = on, ssl_cert_file, ssl_key_file); the manager then uses it by itself.",
)


def of_accounts(session: PostgreSQLSession) -> Iterator[Finding]:
    """What needs our rights to be seen."""
    wide = session.too_wide()
    if wide:
        yield SAY.warning(
            "grants",
            f"databases of ours are open to more than their members: {', '.join(wide[:10])}",
            "The manager sets this right when it next sets up the database. At once: REVOKE ALL ON DATABASE … FROM PUBLIC;",
        )
    else:
        yield SAY.ok("grants", "every database of ours is open to its members alone")


def of_passwords(client: Client) -> Iterator[Finding]:
    """Whether a wrong password is refused: a server that trusts everybody from our address accepts any. Raises the five errors."""
    wrong = Secret(secrets.token_urlsafe(16), name="a wrong password")
    answer = client.sign_in(client.settings.admin_username, wrong, doing="checking")
    if answer is SignIn.ACCEPTED:
        yield SAY.failing(
            "passwords",
            "anybody who reaches the server from this host is let in as our account, with any password",
            "Replace trust by scram-sha-256 in pg_hba.conf, and reload the server.",
        )
    else:
        yield SAY.ok("passwords", "a wrong password is refused")
