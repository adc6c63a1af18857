"""A stand-in of the SQL server, and the system connected to it."""

from collections.abc import Iterator

import pytest

from tests.systems.sql_server.database_server import DatabaseServer
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.settings import Settings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn

ADMIN_PASSWORD = "canary-of-the-administrator"


@pytest.fixture
def stand_in() -> Iterator[SqlServerStandIn]:
    made = SqlServerStandIn(admin_password=ADMIN_PASSWORD)
    with running(made):
        yield made


@pytest.fixture
def server(stand_in: SqlServerStandIn) -> DatabaseServer:
    return reach_server(stand_in)


def reach_server(stand_in: SqlServerStandIn) -> DatabaseServer:
    return DatabaseServer(
        Settings(
            host=stand_in.host,
            port=stand_in.sql_port,
            admin_username=stand_in.admin_username,
            admin_password=Secret(stand_in.admin_password),
        )
    )
