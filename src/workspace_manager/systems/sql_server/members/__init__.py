"""The tables of what the check of a SQL server reads, of each flavour."""

from typing import Final

from workspace_manager.systems.sql_server.members import mariadb, postgresql

TABLES: Final = (mariadb.VARIABLES, postgresql.VARIABLES)
