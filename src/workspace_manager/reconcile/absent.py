"""Look at what a listing did not show by itself, before it is called missing.

A listing is read page by page, and what is deleted while it is read moves the rest up: something
that is there may be on no page.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from workspace_manager.contract.connector import Change, Target
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import Holder, SystemSpec
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.reconcile.found import Found
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.systems.triplestore import names as triplestore_names

MOST: Final = 200
"""So many are looked at in one system: a listing that lacks more lacks them for another reason."""
ADDRESSED: Final = {
    sql_names.DATABASE_KIND: sql_names.database_target,
    "triplestore.repository": triplestore_names.repository,
    "triplestore.public": triplestore_names.repository,
    "ontology_editor.project": ontology_names.existing_project,
}


@dataclass
class Absences:
    """The looks of one walk."""

    spec: SystemSpec[Any]
    systems: ConnectedSystems
    looked: int = 0

    def shown(self, found: Found) -> Found | None:
        """The difference with what a look showed; None where it is there after all. Raises the five
        errors.
        """
        connector = self.systems.connector(found.one.kind)
        target = self._target(found)
        if connector is None or target is None:
            return found
        one = replace(found.one, target=target)
        if self.looked >= MOST:
            return replace(found, one=one)
        self.looked += 1
        evidence = connector.verify(Change(kind=one.kind, subject="", target=dict(target)))
        if evidence is None:
            return None
        return replace(found, one=replace(one, seen=evidence.message or one.seen))

    def _target(self, found: Found) -> Target | None:
        """How it is addressed; None where only its maker knows."""
        kind, name = found.one.kind, found.one.name
        try:
            if kind in ADDRESSED:
                return ADDRESSED[kind](name)
            settings: SystemSettings = self.systems.settings[self.spec.name]
            holder = Holder(found.username, sub=found.one.sub, recorded={kind: (name,)})
            wishes = self.spec.accounts(settings, holder)
        except (NameImpossible, Invalid):
            return None
        known = self.spec.kind(kind)
        for wish in wishes:
            if known and wish.kind == kind and known.name_of(wish.target) == name:
                return wish.target
        return None
