"""Connectors of the manager's own tables: deleting a row is a change with a check, a call and a
verification.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.db import models, transaction

from workspace_manager.access import policy
from workspace_manager.accounts import machine_accounts
from workspace_manager.accounts.messages import message
from workspace_manager.audit.note import MANAGER
from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Connector,
    Evidence,
    Facts,
    Finding,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import Component, Project, ServiceKey, Snapshot, Stack
from workspace_manager.work import project_end, sharing

GONE = {
    "records.snapshot": "no_snapshot",
    "records.component": "no_component",
    "records.stack": "no_stack",
    "records.project": "no_project",
    "records.service_key": "no_service_key",
}
"""Messages for a missing row, by kind."""


class Rows:
    """Deletes rows of one table. Rows are made where the thing is requested, never here."""

    calls: ClassVar[CallPolicy] = CallPolicy(local=True)

    def __init__(self, kind: str, model: type[models.Model]) -> None:
        self.kind = kind
        self.model = model

    def plan(self, target: Target, want: Facts | None) -> Change:
        found = self.model._default_manager.filter(pk=target["id"]).exists()
        return Change(
            kind=self.kind,
            subject="",
            target=dict(target),
            before={"exists": True} if found else None,
            after=want,
        )

    def apply(self, change: Change) -> Outcome:
        """Raises Invalid: plans make no rows."""
        raise Invalid(message("records_not_made"), kind=change.kind, doing=message("making_record"))

    def remove(self, change: Change) -> Outcome:
        deleted, _ = self.model._default_manager.filter(pk=change.target["id"]).delete()
        return CHANGED if deleted else ALREADY

    def verify(self, change: Change) -> Evidence | None:
        if self.model._default_manager.filter(pk=change.target["id"]).exists():
            return None
        label = change.target.get("label", change.target["id"])
        return evidence(message(GONE[self.kind], label=label))


class ComponentRows(Rows):
    """Deletes a component; people it was shared with may lose an account that they no longer
    need.
    """

    def __init__(self, systems: ConnectedSystems) -> None:
        super().__init__("records.component", Component)
        self._systems = systems

    def remove(self, change: Change) -> Outcome:
        with transaction.atomic():
            component = Component.objects.filter(pk=change.target["id"]).first()
            if component is None:
                return ALREADY
            project, kind = component.project, component.kind
            machine_accounts.forget_all_of(component)
            component.delete()
            if project and kind == Component.Kind.TRIPLESTORE_REPOSITORY:
                sharing.settle_all(
                    policy.sharers(project),
                    about=change.target["id"],
                    actor=MANAGER,
                    systems=self._systems,
                    repositories_too=True,
                )
        return CHANGED


class KeyRows(Rows):
    """Deletes a key, after the account of a machine key."""

    def __init__(self) -> None:
        super().__init__("records.service_key", ServiceKey)

    def remove(self, change: Change) -> Outcome:
        with transaction.atomic():
            key = ServiceKey.objects.filter(pk=change.target["id"]).first()
            if key is None:
                return ALREADY
            machine_accounts.forget(key)
            key.delete()
        return CHANGED


class ProjectRows(Rows):
    """Deletes a project; things of others leave it, and plans of their own end the access it
    gave.
    """

    def __init__(self, systems: ConnectedSystems) -> None:
        super().__init__("records.project", Project)
        self._systems = systems

    def remove(self, change: Change) -> Outcome:
        with transaction.atomic():
            project = (
                Project.objects.select_for_update(of=("self",))
                .select_related("owner")
                .filter(pk=change.target["id"])
                .first()
            )
            if project is None:
                return ALREADY
            project_end.end_project(project, actor=MANAGER, systems=self._systems)
            project.delete()
        return CHANGED


def evidence(found: Message) -> Evidence:
    """Return the evidence of a check in our tables."""
    return Evidence.now("records", message("looked_up_by_id"), found)


class RecordsSystem:
    """The manager's own tables, as a system of plans."""

    name = "records"

    def __init__(self, systems: ConnectedSystems | None = None) -> None:
        """`systems`: the configured systems, for plans that update other people's access."""
        systems = systems or ConnectedSystems(by_name={}, settings={})
        rows: list[Rows] = [
            Rows("records.snapshot", Snapshot),
            ComponentRows(systems),
            Rows("records.stack", Stack),
            ProjectRows(systems),
            KeyRows(),
        ]
        self.connectors: Mapping[str, Connector] = {one.kind: one for one in rows}

    def try_again(self) -> None:
        return None

    def check(self) -> Sequence[Finding]:
        return []

    def prove_credential(self) -> None:
        """No credential is needed."""

    def prove_rights(self) -> Evidence:
        return evidence(message("own_tables"))


def connect(systems: ConnectedSystems) -> RecordsSystem:
    return RecordsSystem(systems)
