"""Members of the documents that the drive's check reads: the required value, or the reason why it
does not matter.
"""

from workspace_manager.contract.members import MemberTable
from workspace_manager.systems.drive.members.account import ACCOUNT
from workspace_manager.systems.drive.members.app import APP
from workspace_manager.systems.drive.members.capabilities import CAPABILITIES
from workspace_manager.systems.drive.members.file import FILE, OF_THE_APP
from workspace_manager.systems.drive.members.provider import PROVIDER
from workspace_manager.systems.drive.members.status import STATUS

TABLES: tuple[MemberTable, ...] = (
    STATUS,
    CAPABILITIES,
    ACCOUNT,
    APP,
    PROVIDER,
    FILE,
    OF_THE_APP,
)
