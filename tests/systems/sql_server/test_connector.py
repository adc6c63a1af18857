"""The connectors on the stand-in: every case, run here; faults are in test_faults.py."""

from tests.systems.sql_server.cases_accounts import *  # noqa: F403
from tests.systems.sql_server.cases_databases import *  # noqa: F403
from tests.systems.sql_server.cases_grants import *  # noqa: F403
from tests.systems.sql_server.cases_mariadb import *  # noqa: F403
from tests.systems.sql_server.cases_passwords import *  # noqa: F403
from tests.systems.sql_server.cases_passwords import POLICY, of
from tests.systems.sql_server.cases_rights import *  # noqa: F403
from tests.systems.sql_server.place import Place
from workspace_manager.contract.connector import Severity
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn


def test_a_policy_that_takes_none_of_our_passwords_is_found(
    place: Place, stand_in: SqlServerStandIn
) -> None:
    stand_in.state["password_policy"] = {"simple_password_check_digits": 40}
    system = place.system()
    assert of(system.check(), POLICY).severity == Severity.FAILING
    [tried] = system.trial()
    assert "1819" in tried.text
    stand_in.state["password_policy"] = {"simple_password_check_digits": 1}
    assert of(system.check(), POLICY).severity == Severity.OK
