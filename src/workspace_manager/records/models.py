"""Every table in one list, where Django looks for models."""

from workspace_manager.records.audit import AuditEntry, AuditSeal
from workspace_manager.records.configuration import StoredSetting, SystemStatus
from workspace_manager.records.drive import DriveConnection, DriveFlow
from workspace_manager.records.health import Health, HealthFinding, HealthSpan
from workspace_manager.records.hold import Hold, LastMinute
from workspace_manager.records.housekeeping import HousekeepingFailure
from workspace_manager.records.identity import ProviderState, SignIn
from workspace_manager.records.inbox import Snooze
from workspace_manager.records.invitations import Invitation
from workspace_manager.records.mail import FormerLetter, Mail
from workspace_manager.records.notices import (
    NoticeChoice,
    NoticeDigest,
    NoticeSent,
    WaitingTold,
    WebhookDelivery,
    WebhookEndpoint,
)
from workspace_manager.records.people import (
    Account,
    Announcement,
    Person,
    Registration,
    Tombstone,
    UnapprovedSignIn,
)
from workspace_manager.records.permissions import Permission
from workspace_manager.records.plans import (
    Lock,
    Plan,
    PlanChange,
    PlanNote,
    PlanStep,
    VaultEntry,
)
from workspace_manager.records.queue import DroppedTasks
from workspace_manager.records.rate_counter import RateCounter
from workspace_manager.records.reconcile import (
    ReconcileItem,
    ReconcilePart,
    ReconcileRun,
    ReconcileSeen,
)
from workspace_manager.records.sessions import Session
from workspace_manager.records.snapshots import Snapshot, SnapshotSchedule
from workspace_manager.records.suspensions import Suspension
from workspace_manager.records.take_over import TakeOver
from workspace_manager.records.tokens import ApiToken
from workspace_manager.records.work import (
    Component,
    Membership,
    MembershipRequest,
    Project,
    ServiceKey,
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
    "DroppedTasks",
    "FormerLetter",
    "Health",
    "HealthFinding",
    "HealthSpan",
    "Hold",
    "HousekeepingFailure",
    "Invitation",
    "LastMinute",
    "Lock",
    "Mail",
    "Membership",
    "MembershipRequest",
    "NoticeChoice",
    "NoticeDigest",
    "NoticeSent",
    "Permission",
    "Person",
    "Plan",
    "PlanChange",
    "PlanNote",
    "PlanStep",
    "Project",
    "ProviderState",
    "RateCounter",
    "ReconcileItem",
    "ReconcilePart",
    "ReconcileRun",
    "ReconcileSeen",
    "Registration",
    "ServiceKey",
    "Session",
    "SignIn",
    "Snapshot",
    "SnapshotSchedule",
    "Snooze",
    "Stack",
    "StackTemplate",
    "StoredSetting",
    "Suspension",
    "SystemStatus",
    "TakeOver",
    "Tile",
    "Tombstone",
    "UnapprovedSignIn",
    "VaultEntry",
    "WaitingTold",
    "WebhookDelivery",
    "WebhookEndpoint",
]
