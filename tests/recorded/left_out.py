"""What is not fed or not replayed, and why: by route and status, never by the name of a file.

Few, and real: whatever the project's client may get is fed, whatever its stand-in imitates is replayed.
"""

from typing import Literal, NamedTuple

from tests.recorded.meaning import Table, fits, rows
from tests.recorded.reading import Exchange, Run

Part = Literal["feed", "replay"]


class LeftOut(NamedTuple):
    """One reason. `part` `*`: neither fed nor replayed."""

    system: str
    part: str
    method: str
    route: str
    status: int | str
    reason: str


LEFT_OUT: tuple[LeftOut, ...] = (
    LeftOut(
        *("container-manager", "replay", "*", "/api/status", 400),
        "plain HTTP sent to Portainer's HTTPS port: Go's TLS listener answers, and the stand-in has no such port",
    ),
)

COMMANDS: tuple[tuple[str, str, str], ...] = (
    (
        "ontology-editor",
        "java -jar /webprotege-cli.jar",
        "an administrator types this once, in a terminal; the manager never runs it, and there is nothing to imitate",
    ),
)
"""(system, how a command line begins, reason): runs of commands that are neither fed nor replayed."""


def why_not(exchange: Exchange, part: Part, table: Table) -> str:
    """Why an exchange is left out of a part; nothing when it is not."""
    for row in LEFT_OUT:
        if row.system != exchange.system or row.part not in {"*", part}:
            continue
        (only,) = rows([(row.method, row.route, row.status, "*", "done")])
        if fits(only, exchange, table.route(exchange.path), table.code(exchange)):
            return row.reason
    return ""


def why_no_run(run: Run) -> str:
    for system, command, reason in COMMANDS:
        if run.system == system and run.command.startswith(command):
            return reason
    return ""
