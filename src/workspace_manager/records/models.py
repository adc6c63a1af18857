"""Every table in one list, where Django looks for them."""

from workspace_manager.records.audit import AuditEntry, AuditSeal
from workspace_manager.records.configuration import StoredSetting, SystemStatus
from workspace_manager.records.drive import DriveConnection, DriveFlow
from workspace_manager.records.health import Health, HealthFinding, HealthSpan
from workspace_manager.records.identity import SignIn, Standing
from workspace_manager.records.invitations import Invitation
from workspace_manager.records.mail import Mail
from workspace_manager.records.people import (
    Account,
    Announcement,
    Person,
    Registration,
    Stranger,
    Tombstone,
)
from workspace_manager.records.permissions import Permission
from workspace_manager.records.plans import Lock, Plan, PlanChange, PlanStep, VaultEntry
from workspace_manager.records.sessions import Session
from workspace_manager.records.suspensions import Suspension
from workspace_manager.records.tokens import ApiToken
from workspace_manager.records.tries import Tries
from workspace_manager.records.work import (
    Component,
    Membership,
    MembershipRequest,
    Project,
    ServiceKey,
    Snapshot,
    Stack,
    StackTemplate,
    Tile,
)

__all__ = [
    "Account",
    "Announcement",
    "ApiToken",
    "AuditEntry",
    "AuditSeal",
    "Component",
    "DriveConnection",
    "DriveFlow",
    "Health",
    "HealthFinding",
    "HealthSpan",
    "Invitation",
    "Lock",
    "Mail",
    "Membership",
    "MembershipRequest",
    "Permission",
    "Person",
    "Plan",
    "PlanChange",
    "PlanStep",
    "Project",
    "Registration",
    "ServiceKey",
    "Session",
    "SignIn",
    "Snapshot",
    "Stack",
    "StackTemplate",
    "Standing",
    "StoredSetting",
    "Stranger",
    "Suspension",
    "SystemStatus",
    "Tile",
    "Tombstone",
    "Tries",
    "VaultEntry",
]
