"""Read what each system holds, page by page, and save the differences from the records.

A page is read with no transaction open, compared with one set of queries, and saved together with
the cursor of the next one, so that a killed run continues there. A system that cannot be read
waits, while the others finish.

See docs/explanation/reconcile.md.
"""

import logging
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import DataError, transaction
from django.db.models import F

from workspace_manager.audit.note import note
from workspace_manager.contract.error_boundary import Defect
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.inventory import Inventory, InventoryEntry, Page
from workspace_manager.contract.message import Message
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.locks import lock
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.wake import wake_reconcile
from workspace_manager.engine.pause import refuse_paused
from workspace_manager.reconcile import items
from workspace_manager.reconcile.compare import compare
from workspace_manager.reconcile.confirm_missing import Looks
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.missing_things import find_missing
from workspace_manager.reconcile.prefetch import PagePrefetch
from workspace_manager.reconcile.store_comparison import SYSTEM, read_store
from workspace_manager.records.models import (
    Account,
    ReconcilePart,
    ReconcileRun,
    ReconcileSeen,
)
from workspace_manager.systems import registry

AT_ONCE: Final = 500
"""The most entries compared at once, whatever the system's page size."""
log = logging.getLogger(__name__)
State = ReconcilePart.State


def begin(by: str) -> ReconcileRun:
    """Begin a run, or return the running one. A run that only waits for systems ends with this.
    `by`: the requester.
    """
    with transaction.atomic():
        running = ReconcileRun.objects.select_for_update().filter(state=ReconcileRun.State.RUNNING)
        for run in running:
            if run.parts.filter(state=State.PENDING).exists():
                return run
            give_up(run)
        run = ReconcileRun.objects.create(started_by=by, started_at=database_now())
        names = [*registry().specs, *([SYSTEM] if settings.SNAPSHOTS.is_set else [])]
        ReconcilePart.objects.bulk_create(ReconcilePart(run=run, system=name) for name in names)
        items.end_uninstalled(names, run.started_at)
        note("reconcile:begun", str(run.id), actor=by)
        wake_reconcile()
    return run


def give_up(run: ReconcileRun) -> None:
    """End a run whose systems could not be read, in the caller's transaction."""
    now = database_now()
    for part in run.parts.exclude(state__in=ReconcilePart.ENDED):
        part.state, part.finished_at = State.UNREAD, now
        part.reason = message("not_ended", why=part.reason) if part.reason else None
        part.save(update_fields=["state", "finished_at", "reason"])
    ReconcileRun.objects.filter(id=run.id).update(state=ReconcileRun.State.DONE, finished_at=now)


def go_on(
    run: ReconcileRun,
    systems: ConnectedSystems,
    *,
    now: Callable[[], datetime] = database_now,
) -> bool:
    """Read the rest of a run; return whether all of it ended. Asks systems: no transaction may be
    open.
    """
    for part in run.parts.exclude(state__in=ReconcilePart.ENDED):
        if part.system == SYSTEM:
            read_store(part, now)
        else:
            _Walk(part, systems, now).through()
    open_ = ReconcilePart.objects.filter(run=run).exclude(state__in=ReconcilePart.ENDED)
    if open_.exists():
        return False
    ReconcileRun.objects.filter(id=run.id, state=ReconcileRun.State.RUNNING).update(
        state=ReconcileRun.State.DONE, finished_at=now()
    )
    run.refresh_from_db()
    return True


class _Walk:
    """One part of a run."""

    def __init__(
        self, part: ReconcilePart, systems: ConnectedSystems, now: Callable[[], datetime]
    ) -> None:
        self.part, self.systems, self.now = part, systems, now
        self.settings = systems.settings.get(part.system)

    def through(self) -> None:
        name = self.part.system
        spec, system = registry().specs.get(name), self.systems.by_name.get(name)
        if spec is None or system is None:
            why = self.systems.unconnected.get(name)
            self._end(State.UNREAD, why or of_core("not_configured", system=label_of(name)))
            return
        lister = self._lister(spec)
        if lister is None:
            return
        try:
            with PagePrefetch(lister, system) as ahead:
                while not self.part.listed:
                    refuse_paused(self.part.system)
                    if not self._page(spec, ahead):
                        return
            refuse_paused(self.part.system)
            # Only an account that may see everything proves that a thing is gone.
            system.prove_rights()
            self._miss(spec)
        except Defect as fault:
            # A retry would fail alike, and the systems after it should not wait.
            log.error("%s could not be compared", name)
            self._end(State.UNREAD, message("not_comparable", why=fault.message))
        except ConnectorError as error:
            self._wait(error.message)
        except (ValueError, DataError) as odd:
            log.exception("%s could not be compared", name)
            self._end(State.UNREAD, message("not_comparable", why=type(odd).__name__))

    def _lister(self, spec: Any) -> Inventory | None:
        try:
            lister: Inventory | None = spec.lister()
        except ConnectorError as error:
            self._end(State.UNREAD, message("not_loaded", why=error.message))
            return None
        if lister is None:
            self._end(State.UNREAD, message("cannot_say"))
        return lister

    def _page(self, spec: Any, ahead: PagePrefetch) -> bool:
        """Read one page and save its differences; False if another process did."""
        with lock(f"reconcile:{self.part.system}", token=uuid.uuid4().hex) as held:
            if held is None:
                return False
            self.part.refresh_from_db()
            if self.part.state in ReconcilePart.ENDED or self.part.listed:
                return self.part.state not in ReconcilePart.ENDED
            if self.part.started_at is None:
                self.part.started_at = self.now()
                self.part.save(update_fields=["started_at"])
            page = ahead.page(self.part.cursor)
            if page.next and page.next == self.part.cursor:
                self._end(State.UNREAD, message("same_cursor"))
                return False
            return self._written(spec, page)

    def _written(self, spec: Any, page: Page) -> bool:
        compared = [compare(spec, self.settings, some) for some in _some(page.listed)]
        unread = {one.kind for one in page.listed if one.unread}
        at = self.now()
        with transaction.atomic():
            # A process that lost the lock finds the cursor moved, and writes nothing.
            moved = ReconcilePart.objects.filter(
                id=self.part.id, cursor=self.part.cursor, pages=self.part.pages, listed=False
            ).update(
                cursor=page.next,
                pages=F("pages") + 1,
                seen=F("seen") + len(page.listed),
                listed=not page.next,
                unsure=sorted({*self.part.unsure, *page.unsure, *unread}),
                state=State.PENDING,
                reason=None,
            )
            if not moved:
                return False
            for one in compared:
                Account.objects.filter(id__in=one.accounts).update(seen_at=at)
                Account.objects.bulk_create(
                    (
                        Account(
                            system=self.part.system,
                            kind=account.kind,
                            name=account.name,
                            username=theirs.username,
                            person_id=theirs.id,
                            seen_at=at,
                        )
                        for account, theirs in one.own
                    ),
                    ignore_conflicts=True,
                )
                ReconcileSeen.objects.bulk_create(
                    [ReconcileSeen(part=self.part, kind=k, name=n) for k, n in one.things],
                    ignore_conflicts=True,
                )
                items.record_page(self.part, one.found, at, one.page)
        self.part.refresh_from_db()
        return True

    def _miss(self, spec: Any) -> None:
        """Save what was not shown, and end what is over."""
        looks = Looks(spec, self.systems, self.part, self.now)
        for some in find_missing(spec, self.part):
            found = looks.at_new(some)
            with transaction.atomic():
                items.record_page(self.part, found, self.now())
        looks.at_items()
        with transaction.atomic():
            items.end_seen(self.part, self.now())
            count = looks.not_looked_at + items.count_not_looked_at(self.part)
            ReconcilePart.objects.filter(id=self.part.id).update(
                not_looked_at=F("not_looked_at") + count
            )
            self.part.shown.all().delete()
            self._end(State.DONE, None)

    def _wait(self, why: Message) -> None:
        self.part.state, self.part.reason = State.WAITING, why
        self.part.save(update_fields=["state", "reason"])

    def _end(self, state: str, why: Message | None) -> None:
        self.part.state, self.part.reason, self.part.finished_at = state, why, self.now()
        self.part.save(update_fields=["state", "reason", "finished_at"])


def _some(listed: Sequence[InventoryEntry]) -> Iterator[Sequence[InventoryEntry]]:
    for start in range(0, len(listed), AT_ONCE):
        yield listed[start : start + AT_ONCE]
