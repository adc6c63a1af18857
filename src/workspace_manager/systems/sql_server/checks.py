"""Find what is wrong with the SQL server or our account there (specification, sections 4.4, 5 and 7; facts 5.2 to 5.4, 5.6)."""

from collections.abc import Iterator

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.sql_server import checks_mariadb, checks_postgresql
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import (
    Client,
    MariaDBSession,
    PostgreSQLSession,
    Session,
)
from workspace_manager.systems.sql_server.settings import Settings


def check(settings: Settings, client: Client) -> list[Finding]:
    """Look at everything that can be seen from here. Raises nothing: what fails is a finding."""
    findings: list[Finding] = []
    try:
        with client.session(doing="checking") as session:
            findings.append(
                SAY.ok("reachable", f"{settings.host}:{settings.port} answers and lets us in")
            )
            findings.extend(_inside(settings, session))
        if isinstance(session, PostgreSQLSession):
            findings.extend(checks_postgresql.of_passwords(client))
    except ConnectorError as error:
        name = "answers" if findings else "reachable"
        findings.append(SAY.failing(name, error.detail, error.advice))
    if settings.admin_tool_url:
        findings.append(_admin_tool(client))
    return findings


def _inside(settings: Settings, session: Session) -> Iterator[Finding]:
    who = session.who()
    if isinstance(session, PostgreSQLSession):
        yield from checks_postgresql.of_the_server(session, who.version)
    else:
        yield from checks_mariadb.of_the_server(who.version)
    yield _encryption(settings, session)
    lacks = session.lacks()
    for lack in lacks:
        yield SAY.failing(
            "rights", f"our account {who.shown} cannot {lack.what}", f"Run: {lack.remedy}"
        )
    if lacks:
        # What follows needs these rights to be seen.
        return
    yield SAY.ok("rights", f"our account {who.shown} may do everything that is needed")
    match session:
        case PostgreSQLSession():
            yield from checks_postgresql.of_accounts(session)
        case MariaDBSession():
            yield from checks_mariadb.of_accounts(session)


def _encryption(settings: Settings, session: Session) -> Finding:
    host = settings.host
    if host == "localhost" or host.startswith("127.") or host == "::1":
        return SAY.ok("encryption", "the server is on this very host")
    if session.encrypted():
        return SAY.ok("encryption", "the connection is encrypted")
    ours = checks_postgresql if isinstance(session, PostgreSQLSession) else checks_mariadb
    return SAY.warning("encryption", *ours.UNENCRYPTED)


def _admin_tool(client: Client) -> Finding:
    url = client.settings.admin_tool_url
    try:
        status = client.admin_tool_status()
    except ConnectorError as error:
        return SAY.warning("SQL web tool", f"{url}: {error.detail}", error.advice)
    if status >= 500 or status == 404:
        return SAY.warning(
            "SQL web tool",
            f"{url} answers {status}",
            "Look whether the tool runs and the address is right.",
        )
    return SAY.ok("SQL web tool", f"{url} answers")
