"""The tables of the check's documents, for each flavour."""

from typing import Final

from workspace_manager.systems.sql_server.members import mariadb, postgresql

TABLES: Final = (mariadb.VARIABLES, postgresql.VARIABLES)
