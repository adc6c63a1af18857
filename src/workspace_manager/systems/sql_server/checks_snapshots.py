"""Checks of what snapshots of databases need (docs/systems/sql-server.md#snapshots)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from workspace_manager.contract.connector import Finding
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import MariaDBSession
from workspace_manager.systems.sql_server.client.mariadb.privileges import is_given
from workspace_manager.systems.sql_server.client.tools import MARIADB as MARIADB_CLIENT
from workspace_manager.systems.sql_server.client.tools import (
    MARIADB_DUMP,
    PG_DUMP,
    PG_RESTORE,
    PSQL,
    Tool,
)
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL


@dataclass(frozen=True)
class Safety:
    """An option that a client must have, so that it ignores commands in a dump."""

    tool: Tool
    asking: tuple[str, ...]
    option: str
    versions: str


TOOLS: Final[Mapping[str, tuple[Tool, ...]]] = {
    MARIADB: (MARIADB_DUMP, MARIADB_CLIENT),
    POSTGRESQL: (PG_DUMP, PG_RESTORE, PSQL),
}
SAFETY: Final[Mapping[str, Safety]] = {
    MARIADB: Safety(
        MARIADB_CLIENT,
        ("--no-defaults", "--help"),
        "--sandbox",
        "10.5.25, 10.6.18, 10.11.8, 11.4.2",
    ),
    POSTGRESQL: Safety(PSQL, ("--help=commands",), r"\restrict", "15.14, 16.10, 17.6, 18"),
}
COUNTED: Final[Mapping[str, int]] = {MARIADB: 2, POSTGRESQL: 1}
"""How many numbers of a version decide what a tool can read and write."""


def tool_findings(flavour: str, version: str) -> Iterator[Finding]:
    """Check the tools beside this process. `version`: the server's."""
    found = list(_faults(flavour, version))
    yield from found
    if not found:
        tools = ", ".join(tool.names[0] for tool in TOOLS[flavour])
        yield SAY.ok(message("check_snapshots"), message("snapshots_ready", tools=tools))


def _faults(flavour: str, version: str) -> Iterator[Finding]:
    what = message("check_snapshots")
    missing = [tool for tool in TOOLS[flavour] if not tool.path()]
    for tool in missing:
        yield SAY.warning(
            what,
            message("tool_not_there", tool=tool.names[0]),
            message("install_tool", package=tool.package),
        )
    server = _version_numbers(flavour, re.findall(r"\d+", version))
    for tool in TOOLS[flavour]:
        own = _version_numbers(flavour, tool.version()) if tool not in missing else server
        if own < server:
            numbers = {"version": _version_text(own), "server": _version_text(server)}
            yield SAY.warning(
                what,
                message("tool_too_old", tool=tool.names[0], **numbers),
                message("use_newer_tool", tool=tool.names[0], server=_version_text(server)),
            )
    safety = SAFETY[flavour]
    if safety.tool in missing or safety.tool.knows(*safety.asking, option=safety.option):
        return
    yield SAY.failing(
        what,
        message("client_unsafe", tool=safety.tool.names[0], option=safety.option),
        message("use_safe_client", package=safety.tool.package, versions=safety.versions),
    )


def definer_findings(session: MariaDBSession) -> Iterator[Finding]:
    """Check whether objects with an owner's rights can be restored as the owner's."""
    if is_given(session.own_privileges(), ("SET USER", "SUPER")):
        return
    account = session.own_account().shown
    user, _, host = account.rpartition("@")
    statement = f"GRANT SET USER ON *.* TO '{user}'@'{host}';"
    yield SAY.warning(
        message("check_snapshots"),
        message("definers_need_right", account=account),
        message("run_statement", statement=statement),
    )


def _version_numbers(flavour: str, numbers: Sequence[str | int]) -> tuple[int, ...]:
    return tuple(int(one) for one in numbers[: COUNTED[flavour]])


def _version_text(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))
