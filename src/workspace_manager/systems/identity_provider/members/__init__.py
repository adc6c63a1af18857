"""Members of the documents that the check reads: a table for each document."""

from typing import Final

from workspace_manager.contract.members import MemberTable
from workspace_manager.systems.identity_provider.members.brokers import BROKER_TABLE
from workspace_manager.systems.identity_provider.members.clients import CLIENT_TABLES
from workspace_manager.systems.identity_provider.members.mappers import MAPPERS
from workspace_manager.systems.identity_provider.members.profile import PROFILE_TABLE
from workspace_manager.systems.identity_provider.members.realm import REALM_TABLE
from workspace_manager.systems.identity_provider.members.required_actions import (
    REQUIRED_ACTION_TABLE,
)
from workspace_manager.systems.identity_provider.members.scopes import SCOPES

TABLES: Final[tuple[MemberTable, ...]] = (
    REALM_TABLE,
    PROFILE_TABLE,
    REQUIRED_ACTION_TABLE,
    BROKER_TABLE,
    *CLIENT_TABLES,
    SCOPES,
    MAPPERS,
)
