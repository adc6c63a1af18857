"""The inventory of a MariaDB's stand-in, and what a MariaDB alone can hold."""

import pytest

from tests.systems.sql_server.cases_inventory import *  # noqa: F403
from tests.systems.sql_server.database_server import USER, DatabaseServer
from tests.systems.whole_inventory import everything
from workspace_manager.contract.errors import Unavailable
from workspace_manager.systems.sql_server import SYSTEM


def test_a_name_is_one_account_on_whatever_hosts(server: DatabaseServer) -> None:
    server.run(
        "CREATE USER 'bob'@'localhost' IDENTIFIED BY 'x' ACCOUNT LOCK",
        "CREATE USER 'bob'@'10.0.0.%' IDENTIFIED BY 'x'",
        "CREATE USER ''@'localhost' IDENTIFIED BY 'x'",
    )
    found = everything(SYSTEM, server.system())
    assert (found[USER, "bob"].open, found[USER, "bob"].kept) == (True, None)
    assert all(name for _, name in found)


def test_a_server_that_is_gone_is_not_empty(server: DatabaseServer) -> None:
    read = SYSTEM.lister()
    assert read
    with pytest.raises(Unavailable):
        read(server.system(port=9), "")
