"""Cases of a server that asks much of passwords: the check, and what a trial leaves."""

from collections.abc import Sequence

from tests.systems.sql_server.database_server import DatabaseServer
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.systems.sql_server.names import TRIAL

POLICY, TRIED = "password policy", "password policy, tested"


def find_finding(found: Sequence[Finding], name: str) -> Finding:
    [one] = [one for one in found if one.name == name]
    return one


def test_a_server_without_a_policy_takes_every_password(server: DatabaseServer) -> None:
    system = server.system()
    found = system.check()
    assert find_finding(found, POLICY).severity == Severity.OK
    assert find_finding(found, TRIED).hides == ("sql_server.check_password_trial",)
    [tried] = system.trial()
    assert (tried.name, tried.severity) == (TRIED, Severity.OK), tried
    assert not any(name.startswith(TRIAL) for name in server.accounts())
