"""Checks of the SQL server and of our account there.

See docs/explanation/when-something-is-wrong.md#misconfigurations and docs/systems/sql-server.md.
"""

from collections.abc import Iterator, Mapping

from workspace_manager.contract.connector import ALL, Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.loopback import is_loopback
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import (
    checks_mariadb,
    checks_password_policy,
    checks_postgresql,
    checks_snapshots,
)
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import (
    Client,
    MariaDBSession,
    PostgreSQLSession,
    Session,
)
from workspace_manager.systems.sql_server.client.encryption import EncryptionMode, encryption_mode
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import Settings


def check(settings: Settings, client: Client, password: Secret) -> list[Finding]:
    """Return findings of everything that can be checked from here. Raises nothing: a failure is a
    finding.

    `password`: one as the manager makes them.
    """
    findings: list[Finding] = []
    try:
        with client.session(doing=message("checking")) as session:
            findings.append(
                SAY.ok(
                    message("check_reachable"),
                    message("lets_us_in", host=settings.host, port=settings.port),
                )
            )
            variables = session.variables()
            findings.extend(_session_findings(settings, session, variables))
            findings.extend(checks_password_policy.variable_findings(variables, password))
        if isinstance(session, PostgreSQLSession):
            findings.extend(checks_postgresql.password_findings(client))
    except ConnectorError as error:
        name = message("check_answers" if findings else "check_reachable")
        findings.append(SAY.failing(name, error.message, error.advice_message, hides=ALL))
    if settings.admin_tool_url:
        findings.append(_admin_tool(client))
    return findings


def _session_findings(
    settings: Settings, session: Session, variables: Mapping[str, str]
) -> Iterator[Finding]:
    who = session.own_account()
    if isinstance(session, PostgreSQLSession):
        yield from checks_postgresql.server_findings(variables, who.version)
    else:
        yield from checks_mariadb.server_findings(variables, who.version)
    yield _encryption(settings, session)
    yield from checks_snapshots.tool_findings(settings.flavour, who.version)
    lacks = session.missing_rights()
    for lack in lacks:
        yield SAY.failing(
            message("check_rights"),
            message("account_lacks", account=who.shown, what=lack.what),
            message("run_statement", statement=lack.remedy),
            hides=ALL,
        )
    if lacks:
        # The following checks need these rights.
        return
    yield SAY.ok(message("check_rights"), message("may_do_everything", account=who.shown))
    match session:
        case PostgreSQLSession():
            yield from checks_postgresql.account_findings(session)
        case MariaDBSession():
            yield from checks_mariadb.account_findings(session)
            yield from checks_snapshots.definer_findings(session)


def _encryption(settings: Settings, session: Session) -> Finding:
    if is_loopback(settings.host):
        return SAY.ok(message("check_encryption"), message("on_this_host"))
    if session.is_encrypted() and encryption_mode(settings) is EncryptionMode.VERIFIED:
        return SAY.ok(message("check_encryption"), message("connection_verified"))
    if session.is_encrypted():
        return SAY.warning(
            message("check_encryption"),
            message("connection_unverified"),
            message("verify_certificate"),
        )
    ours = checks_postgresql if isinstance(session, PostgreSQLSession) else checks_mariadb
    return SAY.warning(message("check_encryption"), *ours.UNENCRYPTED)


def _admin_tool(client: Client) -> Finding:
    url = client.settings.admin_tool_url
    try:
        status = client.admin_tool_status()
    except ConnectorError as error:
        return SAY.warning(
            message("check_web_tool"),
            message("tool_failed", url=url, why=error.message),
            error.advice_message,
        )
    if status >= 500 or status == 404:
        return SAY.warning(
            message("check_web_tool"),
            message("tool_answers_status", url=url, status=status),
            message("look_whether_tool_runs"),
        )
    return SAY.ok(message("check_web_tool"), message("tool_answers", url=url))
