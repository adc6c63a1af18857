"""Exchanges that are not fed or not replayed, and why: by route and status, never by the name of a
file.

Few, and real: whatever the project's client may get is fed, whatever its stand-in imitates is
replayed.
"""

import re
from typing import Literal, NamedTuple

from tests.recorded.expected_meaning import Table, fits, rows
from tests.recorded.reading import Exchange, Run

Part = Literal["feed", "replay"]


class LeftOut(NamedTuple):
    """One reason. `part` `*`: neither fed nor replayed."""

    system: str
    part: str
    method: str
    route: str
    status: int | str
    code: str
    reason: str


LEFT_OUT: tuple[LeftOut, ...] = (
    LeftOut(
        *("container-manager", "replay", "*", "/api/status", 400, "*"),
        (
            "plain HTTP sent to Portainer's HTTPS port: Go's TLS listener answers, and the "
            "stand-in has no such port"
        ),
    ),
    LeftOut(
        *("nextcloud", "*", "*", "/realms/{realm}/{part...}", "*", "*"),
        "a step that a throw-away identity provider of the recordings answered, not the drive",
    ),
    LeftOut(
        *("nextcloud", "feed", "POST", "/index.php/login/v2", 200, "json, cut"),
        "the recording ends inside the token that the client has to read",
    ),
)

COMMANDS: tuple[tuple[str, str, str, str], ...] = (
    (
        *("ontology-editor", "*", r"java -jar /webprotege-cli\.jar "),
        (
            "an administrator types this once, in a terminal; the manager never runs it, and "
            "there is nothing to imitate"
        ),
    ),
    (
        *("nextcloud", "feed", r"\S*occ (?!user:add-app-password)"),
        (
            "of the command-line tool the manager reads what user:add-app-password prints, so that "
            "no client reads this output"
        ),
    ),
)
"""(system, part, beginning of the command line, reason): runs of commands that are left out of a
part.
"""


def why_not(exchange: Exchange, part: Part, table: Table) -> str:
    """Why an exchange is left out of a part; nothing when it is not."""
    for row in LEFT_OUT:
        if row.system != exchange.system or row.part not in {"*", part}:
            continue
        (only,) = rows([(row.method, row.route, row.status, row.code, "done")])
        if fits(only, exchange, table.route(exchange.path), table.code(exchange)):
            return row.reason
    return ""


def why_no_run(run: Run, part: Part) -> str:
    for system, left_out, command, reason in COMMANDS:
        if run.system == system and left_out in {"*", part} and re.match(command, run.command):
            return reason
    return ""
