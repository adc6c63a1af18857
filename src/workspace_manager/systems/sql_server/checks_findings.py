"""Findings about the SQL server."""

from typing import Final

from workspace_manager.contract.findings import Findings
from workspace_manager.systems.sql_server.client import SYSTEM

SAY: Final = Findings(SYSTEM)
