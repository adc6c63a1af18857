"""Checks of a PostgreSQL (docs/systems/sql-server.md#postgresql)."""

import re
import secrets
from collections.abc import Iterator, Mapping
from typing import Final

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import Client, PostgreSQLSession, SignIn
from workspace_manager.systems.sql_server.members.postgresql import VARIABLES
from workspace_manager.systems.sql_server.messages import message

OLDEST: Final = 15
"""The first version in whose databases others cannot create anything by default."""


def server_findings(variables: Mapping[str, str], version: str) -> Iterator[Finding]:
    number = re.match(r"\d{1,4}", version)
    if number and int(number[0]) >= OLDEST:
        yield SAY.ok(message("check_version"), message("version_is", version=version))
    else:
        yield SAY.failing(
            message("check_version"),
            message("version_open_to_all", version=version),
            message("use_newer_postgresql"),
        )
    yield from VARIABLES.findings(variables, SAY)
    encoding, language = variables.get("server_encoding", ""), variables.get("lc_messages", "")
    if encoding == "UTF8":
        yield SAY.ok(message("check_encoding"), message("names_in_utf8"))
    else:
        yield SAY.warning(
            message("check_encoding"),
            message("kept_in_encoding", encoding=encoding),
            message("only_plain_names"),
        )
    if language in {"C", "POSIX", ""} or language.startswith("en"):
        yield SAY.ok(message("check_language"), message("refusals_understood"))
    else:
        yield SAY.warning(
            message("check_language"),
            message("refusals_in_language", language=language),
            message("set_lc_messages"),
        )


UNENCRYPTED: Final = (
    message("traffic_unencrypted"),
    message("give_certificate_postgresql"),
)


def account_findings(session: PostgreSQLSession) -> Iterator[Finding]:
    """Yield findings that need our rights."""
    wide = session.grants_too_wide()
    if wide:
        yield SAY.warning(
            message("check_grants"),
            message("databases_open_to_more", names=", ".join(wide[:10])),
            message("manager_sets_right"),
        )
    else:
        yield SAY.ok(message("check_grants"), message("open_to_members_alone"))


def password_findings(client: Client) -> Iterator[Finding]:
    """Check that a wrong password is refused: a server that trusts everybody from our address
    accepts any. Raises the five errors.
    """
    wrong = Secret(secrets.token_urlsafe(16), name="a wrong password")
    answer = client.sign_in(client.settings.admin_username, wrong, doing=message("checking"))
    if answer is SignIn.ACCEPTED:
        yield SAY.failing(
            message("check_passwords"),
            message("anybody_is_let_in"),
            message("replace_trust"),
        )
    else:
        yield SAY.ok(message("check_passwords"), message("wrong_password_refused"))
