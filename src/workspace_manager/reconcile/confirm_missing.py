"""Look for the things of differences one by one. Nothing is reported missing because a listing
lacks it, and no difference ends, before a check of the thing itself.

A listing is read page by page. A deletion meanwhile moves later entries up, so an existing thing
may be on no page. Each run checks some things; the next run begins with the rest.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from functools import cached_property
from typing import Any, Final

from django.db.models import F

from workspace_manager.contract.connector import Change, Evidence, Target
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import Holder, SystemSpec
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.reconcile import items
from workspace_manager.reconcile.found_difference import FoundDifference
from workspace_manager.records.models import ReconcileItem, ReconcilePart
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.systems.triplestore import names as triplestore_names

MOST: Final = 200
"""The most things that one run checks in a system."""
ADDRESSED: Final = {
    sql_names.DATABASE_KIND: sql_names.database_target,
    "triplestore.repository": triplestore_names.repository,
    "triplestore.public": triplestore_names.repository,
    "ontology_editor.project": ontology_names.existing_project,
}


class Look(Enum):
    """The result of a check."""

    THERE = "there"
    GONE = "gone"
    FAILED = "failed"
    """The thing cannot be addressed, or the answer is not understood."""


@dataclass
class Looks:
    """The checks of one part of a run. They ask systems: no transaction may be open."""

    spec: SystemSpec[Any]
    systems: ConnectedSystems
    part: ReconcilePart
    now: Callable[[], datetime]
    looked: int = 0
    not_looked_at: int = 0
    """Things that a listing lacks and that are neither confirmed missing nor found."""

    def at_new(self, found: Iterable[FoundDifference]) -> list[FoundDifference]:
        """Return what is confirmed missing of what a listing lacks. Differences of earlier runs are
        checked later, in their order; where pages may skip entries, nothing unchecked is missing.
        """
        each = list(found)
        before = items.open_keys(self.part, each)
        kept: list[FoundDifference] = []
        for one in each:
            if one.key in before:
                kept.append(replace(one, looked=False))
            elif self.looked < MOST - self.reserved:
                kept += self._at(one)
            elif self._is_listed_surely(one):
                kept.append(replace(one, looked=False))
            else:
                self.not_looked_at += 1
        return kept

    @cached_property
    def reserved(self) -> int:
        """The number of checks kept for differences of earlier runs."""
        return min(MOST // 2, items.count_not_looked_at(self.part))

    def _is_listed_surely(self, found: FoundDifference) -> bool:
        return found.one.kind not in self.part.unsure

    def _at(self, found: FoundDifference) -> list[FoundDifference]:
        one = found.one
        target = self._target(one.kind, one.name, found.username, one.sub)
        if target is None and self._is_listed_surely(found):
            return [found]
        look, evidence = self._look(one.kind, target)
        if look is Look.FAILED:
            self.not_looked_at += 1
        if look is not Look.GONE:
            return []
        seen = evidence.message if evidence and evidence.message else one.seen
        return [replace(found, one=replace(one, target=dict(target or {}), seen=seen))]

    def at_items(self) -> None:
        """Check lasting differences that this run has not checked, the oldest check first; each
        result is saved on its own.
        """
        left = max(MOST - self.looked, 0)
        for item in list(items.to_look_at(self.part)[:left]):
            absent = item.difference in items.ABSENT
            target = item.target or None
            if absent:
                target = self._target(item.kind, item.name, item.username, item.sub)
            look, evidence = self._look(item.kind, target)
            if look is Look.FAILED and absent and item.kind not in self.part.unsure:
                look = Look.GONE  # The listing is the check.
            self._write(item, look, over=Look.THERE if absent else Look.GONE, evidence=evidence)

    def _write(
        self, item: ReconcileItem, look: Look, *, over: Look, evidence: Evidence | None
    ) -> None:
        now = self.now()
        rows = ReconcileItem.objects.filter(n=item.n, ended_at=None)
        if look is over:
            rows.update(looked_at=now, ended_at=now)
            return
        rows.update(looked_at=now, last_run=self.part.run_id)
        if look is Look.FAILED:
            part = ReconcilePart.objects.filter(id=self.part.id)
            part.update(not_looked_at=F("not_looked_at") + 1)
        elif item.difference in items.ABSENT and evidence and evidence.message:
            rows.update(evidence=evidence.message, last_seen=now)

    def _look(self, kind: str, target: Target | None) -> tuple[Look, Evidence | None]:
        """Check one thing. Raises Unavailable and Denied, which would apply to all others."""
        connector = self.systems.connector(kind)
        if connector is None or target is None:
            return Look.FAILED, None
        self.looked += 1
        try:
            evidence = connector.verify(Change(kind=kind, subject="", target=dict(target)))
        except (Invalid, Conflict, NotFound):
            return Look.FAILED, None
        return (Look.GONE if evidence else Look.THERE), evidence

    def _target(self, kind: str, name: str, username: str, sub: str) -> Target | None:
        """Return the address of a thing; None where only its maker knows it, or no connector
        exists.
        """
        if self.systems.connector(kind) is None:
            return None
        try:
            if kind in ADDRESSED:
                return ADDRESSED[kind](name)
            settings: SystemSettings = self.systems.settings[self.spec.name]
            holder = Holder(username, sub=sub, recorded={kind: (name,)})
            wishes = self.spec.accounts(settings, holder)
        except (NameImpossible, Invalid):
            return None
        known = self.spec.kind(kind)
        for wish in wishes:
            if known and wish.kind == kind and known.name_of(wish.target) == name:
                return wish.target
        return None
