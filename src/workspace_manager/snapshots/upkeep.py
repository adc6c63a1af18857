"""Upkeep of snapshots, without being asked for: each snapshot is read once in a while, and the rest
of a killed capture in a system is removed. The worker does it, slowly.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.db.models.functions import Coalesce

from workspace_manager.contract.snapshots import SweepingSource, SwitchingSource
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.housekeeping_failures import attempt
from workspace_manager.engine.pause import paused_systems
from workspace_manager.records.models import Component, Plan, Snapshot
from workspace_manager.snapshots import upload, verification
from workspace_manager.snapshots.content import SYSTEM
from workspace_manager.snapshots.creation import CREATION
from workspace_manager.snapshots.in_place_restoration import IN_PLACE_RESTORATION
from workspace_manager.snapshots.restoration import RESTORATION
from workspace_manager.snapshots.sources import find_source, keeps_content
from workspace_manager.work.content_address import address_of
from workspace_manager.work.reservation import SYSTEMS

SWEEP_EVERY: Final = timedelta(hours=1)
READ_AGAIN: Final = timedelta(days=1)
"""When a snapshot is tried again that could not be read to its end."""


def look(systems: ConnectedSystems) -> None:
    """Read the snapshot that was not read for longest, if it is due, and remove what killed
    processes left.
    """
    with attempt("read_snapshot"):
        read_next(database_now())
    with attempt("end_abandoned_uploads"):
        upload.end_abandoned(systems)
    if cache.add("snapshots.sweep", 1, SWEEP_EVERY.total_seconds()):
        for kind in Component.Kind.values:
            with attempt("sweep_snapshots", kind):
                sweep(kind, systems)


def read_next(now: datetime) -> Snapshot | None:
    """Read the snapshot that is due for longest; gives it. What is damaged is in the inbox of its
    owner, and a finding.
    """
    days = settings.SNAPSHOT_BOUNDS.read_days
    if not days or not settings.SNAPSHOTS.is_set or SYSTEM in paused_systems():
        return None
    rows = Snapshot.objects.filter(state=Snapshot.State.READY)
    due = rows.alias(last=Coalesce("read_at", "verified_at", "created_at"))
    for snapshot in due.filter(last__lt=now - timedelta(days=days)).order_by("last"):
        # Of several workers one reads it; one that breaks off is not tried all the time.
        if cache.add(f"snapshots.read.{snapshot.id}", 1, READ_AGAIN.total_seconds()):
            verification.verify(snapshot)
            return snapshot
    return None


def sweep(kind: str, systems: ConnectedSystems) -> int:
    """Remove what captures and restores of this kind of component left that nobody goes on with;
    gives how many things.
    """
    name = SYSTEMS[Component.Kind(kind)]
    if name not in systems.by_name or name in paused_systems() or not keeps_content(kind):
        return 0
    source = find_source(kind, systems)
    if not isinstance(source, SweepingSource):
        return 0

    def in_use() -> Collection[str]:
        found = set(_addresses_in_use(kind))
        if isinstance(source, SwitchingSource):
            found |= {source.address_beside(one) for one in found}
        return found

    return source.sweep(in_use)


def _addresses_in_use(kind: str) -> Collection[str]:
    """Those of the components that an open plan captures or loads, alone or with their stack."""
    plans = Plan.objects.filter(state__in=Plan.OPEN)
    of_snapshots = plans.filter(kind=CREATION.name).values_list("about", flat=True)
    # As a list: what a plan is about is text, and a database compares no text with an id.
    made_of = Snapshot.objects.filter(id__in=list(of_snapshots)).values_list("component", "stack")
    restores = (RESTORATION.name, IN_PLACE_RESTORATION.name)
    loaded = plans.filter(kind__in=restores).values_list("about", flat=True)
    things = {*loaded, *(one for row in made_of for one in row if one)}
    rows = Component.objects.filter(Q(id__in=things) | Q(stack__in=things), kind=kind)
    return {address for one in rows if (address := address_of(one))}
