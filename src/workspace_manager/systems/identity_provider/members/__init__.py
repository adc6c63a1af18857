"""What each member of the documents that the check reads has to say: a table for each document."""

from typing import Final

from workspace_manager.contract.members import MemberTable
from workspace_manager.systems.identity_provider.members.clients import CLIENT_TABLES
from workspace_manager.systems.identity_provider.members.mappers import MAPPERS
from workspace_manager.systems.identity_provider.members.scopes import SCOPES

TABLES: Final[tuple[MemberTable, ...]] = (*CLIENT_TABLES, SCOPES, MAPPERS)
