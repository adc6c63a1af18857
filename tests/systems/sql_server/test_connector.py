"""The connectors on the stand-in: every case, run here; faults are in test_faults.py."""

import pytest

from tests.systems.sql_server.cases_accounts import *  # noqa: F403
from tests.systems.sql_server.cases_databases import *  # noqa: F403
from tests.systems.sql_server.cases_grants import *  # noqa: F403
from tests.systems.sql_server.cases_mariadb import *  # noqa: F403
from tests.systems.sql_server.cases_passwords import *  # noqa: F403
from tests.systems.sql_server.cases_passwords import POLICY, find_finding
from tests.systems.sql_server.cases_rights import *  # noqa: F403
from tests.systems.sql_server.cases_variables import *  # noqa: F403
from tests.systems.sql_server.database_server import DatabaseServer
from workspace_manager.contract.connector import Severity
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.members import postgresql
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn


def test_a_policy_that_takes_none_of_our_passwords_is_found(
    server: DatabaseServer, stand_in: SqlServerStandIn
) -> None:
    stand_in.state["password_policy"] = {"simple_password_check_digits": 40}
    system = server.system()
    assert find_finding(system.check(), POLICY).severity == Severity.FAILING
    [tried] = system.trial()
    assert "1819" in tried.text
    stand_in.state["password_policy"] = {"simple_password_check_digits": 1}
    assert find_finding(system.check(), POLICY).severity == Severity.OK


@pytest.mark.parametrize(
    ("variables", "name", "code", "severity"),
    [
        ({"read_only": "ON"}, "writing", "server_reads_only", Severity.FAILING),
        ({"innodb_read_only": "ON"}, "storage", "server_reads_only", Severity.FAILING),
        ({"innodb_force_recovery": "4"}, "recovery", "server_recovers", Severity.WARNING),
        ({"skip_grant_tables": "ON"}, "passwords", "anybody_is_let_in", Severity.FAILING),
        (
            {"default_password_lifetime": "90"},
            "age of passwords",
            "passwords_expire",
            Severity.WARNING,
        ),
        ({"old_passwords": "ON"}, "password format", "passwords_in_old_form", Severity.FAILING),
        ({"general_log": "ON"}, "logs", "passwords_are_logged", Severity.FAILING),
        (
            {"slow_query_log": "ON", "long_query_time": "0.000000"},
            "logs",
            "passwords_are_logged",
            Severity.FAILING,
        ),
        ({"log_bin": "ON"}, "binary log", "passwords_are_logged", Severity.WARNING),
        ({"max_user_connections": "-1"}, "concurrent sessions", "few_sessions", Severity.WARNING),
    ],
)
def test_a_variable_that_shuts_people_out_or_tells_of_them_is_found(
    server: DatabaseServer,
    stand_in: SqlServerStandIn,
    variables: dict[str, str],
    name: str,
    code: str,
    severity: Severity,
) -> None:
    assert name not in {one.name for one in server.system().check()}
    stand_in.state["variables"] = variables
    found = find_finding(server.system().check(), name)
    assert found.severity is severity
    assert found.message
    assert found.message.code == f"sql_server.{code}"
    assert found.remedy


@pytest.mark.parametrize(
    "variables",
    [
        {"general_log": "ON", "log_output": "NONE"},
        {"slow_query_log": "ON"},
        {"log_bin": "ON", "encrypt_binlog": "ON"},
        {"max_user_connections": "50"},
    ],
)
def test_a_variable_that_harms_nobody_is_not_mentioned(
    server: DatabaseServer, stand_in: SqlServerStandIn, variables: dict[str, str]
) -> None:
    before = [one.name for one in server.system().check()]
    stand_in.state["variables"] = variables
    assert [one.name for one in server.system().check()] == before


@pytest.mark.parametrize(
    ("variable", "code"),
    [
        ("in_hot_standby", "server_is_standby"),
        ("default_transaction_read_only", "server_reads_only"),
        ("db_user_namespace", "names_have_databases"),
    ],
)
def test_a_postgresql_that_takes_no_changes_is_found(variable: str, code: str) -> None:
    """Nor does one that takes names with their database alone."""
    assert not list(postgresql.VARIABLES.findings({variable: "off"}, SAY))
    [found] = postgresql.VARIABLES.findings({variable: "on"}, SAY)
    assert found.severity is Severity.FAILING
    assert found.message
    assert found.message.code == f"sql_server.{code}"
