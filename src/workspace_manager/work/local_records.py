"""Connectors of local things: removing a row is a change like any other, looked at, made and
verified.
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
"""What a look says that finds no row of a kind."""


class Rows:
    """Remove one row of one table. Nothing is made here: rows are made where the thing is asked
    for.
    """

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
        """Raises Invalid: rows are not made by plans."""
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
    """A component that was shared: those it was shared with may not need their account any more."""

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
    """A key: the account of a machine key went before it."""

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
    """A project: what others own in it leaves it, and what it gave to whom is settled by plans of
    their own.
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
    """What a look into our own tables showed."""
    return Evidence.now("records", message("looked_up_by_id"), found)


class RecordsSystem:
    """Our own tables, as the eighth system of a plan."""

    name = "records"

    def __init__(self, systems: ConnectedSystems | None = None) -> None:
        """`systems`: which systems are configured, for the plans that settle what others used."""
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
        """None is needed."""

    def prove_rights(self) -> Evidence:
        return evidence(message("own_tables"))


def connect(systems: ConnectedSystems) -> RecordsSystem:
    """As the other systems are connected; it is lent what is connected besides."""
    return RecordsSystem(systems)
