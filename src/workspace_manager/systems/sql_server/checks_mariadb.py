"""Checks of a MariaDB.

See docs/systems/sql-server.md#mariadb-names and the sections after it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from workspace_manager.contract.connector import Finding
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import MariaDBSession
from workspace_manager.systems.sql_server.members.mariadb import VARIABLES
from workspace_manager.systems.sql_server.messages import message

OLDEST: Final = (10, 4)
"""The first version that locks accounts and stores locks in mysql.global_priv."""


FASTEST_S: Final = 1.0
"""Seconds; a longer answer means that the server waits."""


def server_findings(variables: Mapping[str, str], version: str) -> Iterator[Finding]:
    yield from VARIABLES.findings(variables, SAY)
    yield from _logs(variables)
    yield from _sessions(variables)
    numbers = re.search(r"(\d{1,4})\.(\d{1,4})(?:\.\d+)?-MariaDB", version)
    if numbers and (int(numbers[1]), int(numbers[2])) >= OLDEST:
        yield SAY.ok(message("check_version"), message("version_is", version=version))
        return
    yield SAY.failing(
        message("check_version"),
        message("version_cannot_lock", version=version),
        message("use_newer_mariadb"),
    )


def _logs(variables: Mapping[str, str]) -> Iterator[Finding]:
    """Report logs of statements with new passwords. They contain the password itself, because a
    hash would bypass every policy.
    """
    if variables.get("log_bin") == "ON" and variables.get("encrypt_binlog") != "ON":
        yield SAY.warning(
            message("check_binary_log"),
            message("passwords_are_logged", log="log_bin"),
            message("encrypt_binary_log"),
        )
    if variables.get("log_output") == "NONE":
        return
    if variables.get("general_log") == "ON":
        yield SAY.failing(
            message("check_logs"),
            message("passwords_are_logged", log="general_log"),
            message("run_statement", statement="SET GLOBAL general_log = OFF;"),
        )
    elif variables.get("slow_query_log") == "ON" and _seconds(variables) < FASTEST_S:
        yield SAY.failing(
            message("check_logs"),
            message("passwords_are_logged", log="slow_query_log"),
            message("run_statement", statement="SET GLOBAL long_query_time = 10;"),
        )


def _seconds(variables: Mapping[str, str]) -> float:
    try:
        return float(variables.get("long_query_time", ""))
    except ValueError:
        return FASTEST_S


def _sessions(variables: Mapping[str, str]) -> Iterator[Finding]:
    most = variables.get("max_user_connections", "")
    if re.fullmatch(r"-1|[1-4]", most):
        text = message("few_sessions", most=int(most))
        remedy = message("run_statement", statement="SET GLOBAL max_user_connections = 0;")
        yield SAY.warning(message("check_sessions"), text, remedy)


UNENCRYPTED: Final = (
    message("passwords_unencrypted"),
    message("give_certificate_mariadb"),
)


def account_findings(session: MariaDBSession) -> Iterator[Finding]:
    """Yield findings that need our rights."""
    hosts = session.anonymous_hosts()
    names = ", ".join(f"''@'{host}'" for host in hosts)
    if hosts:
        yield SAY.failing(
            message("check_anonymous_accounts"),
            message("anonymous_let_in", names=names),
            message("run_statement", statement=f"DROP USER {names};"),
        )
    else:
        yield SAY.ok(message("check_anonymous_accounts"), message("there_is_none"))
    loose = session.grants_too_wide()
    if loose:
        yield SAY.warning(
            message("check_grants"),
            message("underscore_stands_for_any", names=", ".join(loose[:10])),
            message("write_backslash"),
        )
    else:
        yield SAY.ok(message("check_grants"), message("each_opens_one"))
