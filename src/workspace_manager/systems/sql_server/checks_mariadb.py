"""What can be wrong with a MariaDB (facts 5.2 to 5.4)."""

import re
from collections.abc import Iterator
from typing import Final

from workspace_manager.contract.connector import Finding
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import MariaDBSession

OLDEST: Final = (10, 4)
"""The first that locks accounts and keeps them in mysql.global_priv."""


def of_the_server(version: str) -> Iterator[Finding]:
    numbers = re.search(r"(\d+)\.(\d+)(?:\.\d+)?-MariaDB", version)
    if numbers and (int(numbers[1]), int(numbers[2])) >= OLDEST:
        yield SAY.ok("version", f"version {version}")
        return
    yield SAY.failing(
        "version",
        f"version {version}: accounts cannot be locked and their sessions not ended in the way we do it",
        "Use MariaDB 10.4 or newer.",
    )


UNENCRYPTED: Final = (
    "new passwords of people travel unencrypted to the server",
    "Give the server a certificate (ssl_cert, ssl_key); the manager then uses it by itself.",
)


def of_accounts(session: MariaDBSession) -> Iterator[Finding]:
    """What needs our rights to be seen."""
    hosts = session.anonymous_hosts()
    names = ", ".join(f"''@'{host}'" for host in hosts)
    if hosts:
        yield SAY.failing(
            "anonymous accounts",
            f"anonymous accounts ({names}) let anybody in, and from their host they come before people's own accounts, whose passwords "
            "are then refused",
            f"Run: DROP USER {names};",
        )
    else:
        yield SAY.ok("anonymous accounts", "there is none")
    loose = session.too_wide()
    if loose:
        yield SAY.warning(
            "grants",
            f"in a grant _ stands for any character, so these open look-alike databases too: {', '.join(loose[:10])}",
            r"Write \_ instead: revoke them in this spelling and grant them in the other. The manager does so when it next sets up the "
            "database, if its account has these privileges on *.*.",
        )
    else:
        yield SAY.ok("grants", "every grant on databases of ours opens that database alone")
