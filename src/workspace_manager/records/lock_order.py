"""The order in which a transaction locks rows of several tables.

Two transactions that take the same rows in different orders wait for each other: PostgreSQL ends
one of them. A story that needs a row of an earlier table later than one of a later table locks the
earlier one first. Rows of one table are locked in the order of their ids.

Plans are not in the list: whoever changes a plan holds its person's row (`engine/lease.py`), so
that no two stories of one person meet there.
"""

from typing import Final

from django.db import models

from workspace_manager.records.models import (
    Announcement,
    Component,
    LastMinute,
    MembershipRequest,
    Permission,
    Person,
    Project,
    ReconcileItem,
    Registration,
    ServiceKey,
    Snapshot,
    Stack,
    StoredSetting,
    Suspension,
    SystemStatus,
    TakeOver,
    UnapprovedSignIn,
)

LOCK_ORDER: Final[tuple[type[models.Model], ...]] = (
    StoredSetting,
    SystemStatus,
    TakeOver,
    ReconcileItem,
    Person,
    Announcement,
    Permission,
    Suspension,
    Registration,
    UnapprovedSignIn,
    Project,
    Stack,
    Component,
    Snapshot,
    MembershipRequest,
    ServiceKey,
    LastMinute,
)
