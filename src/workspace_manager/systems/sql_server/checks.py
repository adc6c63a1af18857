"""Find what is wrong with the SQL server or our account there (specification, sections 4.4, 5 and 7; facts 5.2 to 5.4)."""

import re
from collections.abc import Iterator
from typing import Final

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.sql_server.client import SYSTEM, Client, Session, lacking
from workspace_manager.systems.sql_server.names import PREFIX
from workspace_manager.systems.sql_server.settings import Settings

OLDEST: Final = (10, 4)
"""The first MariaDB that locks accounts and keeps them in mysql.global_priv."""


def check(settings: Settings, client: Client) -> list[Finding]:
    """Look at everything that can be seen from here. Raises nothing: what fails is a finding."""
    findings: list[Finding] = []
    try:
        with client.session(doing="checking") as session:
            findings.append(
                _ok("reachable", f"{settings.host}:{settings.port} answers and lets us in")
            )
            findings.extend(_inside(settings, session))
    except ConnectorError as error:
        name = "answers" if findings else "reachable"
        findings.append(_failing(name, error.detail, error.advice))
    if settings.admin_tool_url:
        findings.append(_admin_tool(client))
    return findings


def _inside(settings: Settings, session: Session) -> Iterator[Finding]:
    account, version = session.who()
    yield _version(version)
    yield _encryption(settings, session)
    lacks = list(lacking(session.own_privileges(), account))
    for lack in lacks:
        yield _failing("rights", f"our account {account} cannot {lack.what}", f"Run: {lack.remedy}")
    if lacks:
        # What follows needs these rights to be seen.
        return
    yield _ok("rights", f"our account {account} may do everything that is needed")
    yield _anonymous(session)
    yield _loose_grants(session)


def _version(version: str) -> Finding:
    numbers = re.search(r"(\d+)\.(\d+)(?:\.\d+)?-MariaDB", version)
    if numbers and (int(numbers[1]), int(numbers[2])) >= OLDEST:
        return _ok("version", f"version {version}")
    return _failing(
        "version",
        f"version {version}: accounts cannot be locked and their sessions not ended in the way we do it",
        "Use MariaDB 10.4 or newer.",
    )


def _encryption(settings: Settings, session: Session) -> Finding:
    host = settings.host
    if host == "localhost" or host.startswith("127.") or host == "::1":
        return _ok("encryption", "the server is on this very host")
    if session.encrypted():
        return _ok("encryption", "the connection is encrypted")
    return _warning(
        "encryption",
        "new passwords of people travel unencrypted to the server",
        "Give the server a certificate (ssl_cert, ssl_key); the manager then uses it by itself.",
    )


def _anonymous(session: Session) -> Finding:
    hosts = session.anonymous_hosts()
    if not hosts:
        return _ok("anonymous accounts", "there is none")
    names = ", ".join(f"''@'{host}'" for host in hosts)
    return _failing(
        "anonymous accounts",
        f"anonymous accounts ({names}) let anybody in, and from their host they come before people's own accounts, whose passwords are "
        "then refused",
        f"Run: DROP USER {names};",
    )


def _loose_grants(session: Session) -> Finding:
    ours = PREFIX.rstrip("_")
    loose = sorted(
        {
            pattern
            for pattern in session.grant_patterns()
            if re.match(rf"{ours}\\?_", pattern) and re.search(r"(?<!\\)_", pattern)
        }
    )
    if not loose:
        return _ok("grants", "every grant on databases of ours opens that database alone")
    return _warning(
        "grants",
        f"in a grant _ stands for any character, so these open look-alike databases too: {', '.join(loose[:10])}",
        r"Write \_ instead: revoke them in this spelling and grant them in the other. The manager does so when it next sets up the "
        "database, if its account has these privileges on *.*.",
    )


def _admin_tool(client: Client) -> Finding:
    url = client.settings.admin_tool_url
    try:
        status = client.admin_tool_status()
    except ConnectorError as error:
        return _warning("SQL web tool", f"{url}: {error.detail}", error.advice)
    if status >= 500 or status == 404:
        return _warning(
            "SQL web tool",
            f"{url} answers {status}",
            "Look whether the tool runs and the address is right.",
        )
    return _ok("SQL web tool", f"{url} answers")


def _ok(name: str, text: str) -> Finding:
    return Finding(system=SYSTEM, name=name, severity=Severity.OK, text=text)


def _warning(name: str, text: str, remedy: str) -> Finding:
    return Finding(system=SYSTEM, name=name, severity=Severity.WARNING, text=text, remedy=remedy)


def _failing(name: str, text: str, remedy: str) -> Finding:
    return Finding(system=SYSTEM, name=name, severity=Severity.FAILING, text=text, remedy=remedy)
