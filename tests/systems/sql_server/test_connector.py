"""The connectors on the stand-in: every case, run here; faults are in test_faults.py."""

from tests.systems.sql_server.cases_accounts import *  # noqa: F403
from tests.systems.sql_server.cases_databases import *  # noqa: F403
from tests.systems.sql_server.cases_grants import *  # noqa: F403
from tests.systems.sql_server.cases_mariadb import *  # noqa: F403
from tests.systems.sql_server.cases_rights import *  # noqa: F403
