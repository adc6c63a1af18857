"""The order in which a transaction locks rows of several tables.

Two transactions that take the same rows in different orders deadlock, and PostgreSQL aborts one of
them. A function that needs a row of an earlier table after one of a later table locks the earlier
one first. Rows of one table are locked in the order of their ids.

Plans are not listed: changes to a plan hold its person's row (`engine/lease.py`), so that two
functions on one person never meet there.
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
