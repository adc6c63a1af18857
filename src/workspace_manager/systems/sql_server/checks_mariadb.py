"""What can be wrong with a MariaDB.

See docs/systems/sql-server.md#mariadb-names and what follows there.
"""

import re
from collections.abc import Iterator
from typing import Final

from workspace_manager.contract.connector import Finding
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import MariaDBSession
from workspace_manager.systems.sql_server.messages import message

OLDEST: Final = (10, 4)
"""The first that locks accounts and keeps them in mysql.global_priv."""


def of_the_server(version: str) -> Iterator[Finding]:
    numbers = re.search(r"(\d{1,4})\.(\d{1,4})(?:\.\d+)?-MariaDB", version)
    if numbers and (int(numbers[1]), int(numbers[2])) >= OLDEST:
        yield SAY.ok(message("check_version"), message("version_is", version=version))
        return
    yield SAY.failing(
        message("check_version"),
        message("version_cannot_lock", version=version),
        message("use_newer_mariadb"),
    )


UNENCRYPTED: Final = (
    message("passwords_unencrypted"),
    message("give_certificate_mariadb"),
)


def of_accounts(session: MariaDBSession) -> Iterator[Finding]:
    """What needs our rights to be seen."""
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
    loose = session.too_wide()
    if loose:
        yield SAY.warning(
            message("check_grants"),
            message("underscore_stands_for_any", names=", ".join(loose[:10])),
            message("write_backslash"),
        )
    else:
        yield SAY.ok(message("check_grants"), message("each_opens_one"))
