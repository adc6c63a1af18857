"""Look for the things of differences by themselves: what a listing lacks is not called missing, and
what was known of a thing is not called over, before the thing itself was looked for.

A listing is read page by page, and what is deleted while it is read moves the rest up: something
that is there may be on no page. One run looks at some; the others last, and are looked at first by
the next one.
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
"""So many are looked at by one run in one system."""
ADDRESSED: Final = {
    sql_names.DATABASE_KIND: sql_names.database_target,
    "triplestore.repository": triplestore_names.repository,
    "triplestore.public": triplestore_names.repository,
    "ontology_editor.project": ontology_names.existing_project,
}


class Look(Enum):
    """What a look showed."""

    THERE = "there"
    GONE = "gone"
    FAILED = "failed"
    """It cannot be addressed, or the system says of it what nobody understands."""


@dataclass
class Looks:
    """The looks of one part of a run. Ask systems: no transaction may be open."""

    spec: SystemSpec[Any]
    systems: ConnectedSystems
    part: ReconcilePart
    now: Callable[[], datetime]
    looked: int = 0
    not_looked_at: int = 0
    """What a list lacks and is called neither missing nor there."""

    def at_new(self, found: Iterable[FoundDifference]) -> list[FoundDifference]:
        """What a list lacks, without what is there after all. What lasts from earlier runs is
        looked at later, in its order; where pages may leave something out, nothing is missing that
        was not looked for.
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
        """How many looks are left for what lasts from earlier runs."""
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
        """Look at what lasts and was not looked for by this run, the oldest look first; write down
        each look by itself.
        """
        left = max(MOST - self.looked, 0)
        for item in list(items.to_look_at(self.part)[:left]):
            absent = item.difference in items.ABSENT
            target = item.target or None
            if absent:
                target = self._target(item.kind, item.name, item.username, item.sub)
            look, evidence = self._look(item.kind, target)
            if look is Look.FAILED and absent and item.kind not in self.part.unsure:
                look = Look.GONE  # The list is the look.
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
        """Raises Unavailable and Denied: all others would be told the same."""
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
        """How it is addressed; None where only its maker knows, or no connector drives it."""
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
