"""Each variable of a server is decided about; shared by stand-in and real servers."""

from tests.systems.sql_server.database_server import DatabaseServer
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.sql_server.client import MariaDBSession
from workspace_manager.systems.sql_server.members import mariadb, postgresql


def test_each_variable_is_decided_about(server: DatabaseServer) -> None:
    with server.system().client.session(doing=quote_words("reading the variables")) as session:
        table = (mariadb if isinstance(session, MariaDBSession) else postgresql).VARIABLES
        shown = session.variables()
        assert len(shown) > 10
        assert table.undecided(shown) == ()
