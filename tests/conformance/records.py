"""Cases of our own tables: rows are removed by changes like everything else."""

import contextlib
import uuid
from collections.abc import Collection
from typing import Any, ClassVar

from django.db import models

from workspace_manager.contract.connector import CallPolicy, Facts, System, Target
from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Project,
    ServiceKey,
    Snapshot,
    Stack,
)
from workspace_manager.work.local_records import RecordsSystem
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing


class RecordsPlace(Place):
    """The database of the tests; no wire leads there."""

    system = "records"
    part = "database"
    breakable = False
    has_password = False
    needs_database = True

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "RecordsPlace":
        return cls()

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> System:
        return RecordsSystem()

    def moved(self) -> System:
        raise NotImplementedError


class Row(Case):
    """A row of one table. `more`: what it needs besides owner and label."""

    wishes = ("gone",)
    taking = ("gone",)
    model: ClassVar[type[models.Model]]

    def target(self, it: Thing, wish: str) -> Target:
        number = it.ids.get("id") or str(uuid.uuid5(uuid.NAMESPACE_OID, it.token))
        return {"id": number, "label": it.token}

    def want(self, it: Thing, wish: str) -> Facts | None:
        return None

    def more(self, it: Thing, name: str) -> dict[str, Any]:
        return {}

    def make(self, it: Thing, name: str) -> str:
        owner, _ = Person.objects.get_or_create(username=f"{name}-{it.token}")
        label = f"Pottery {it.token}"
        made = self.model._default_manager.create(owner=owner, label=label, **self.more(it, name))
        return str(made.pk)

    def prepare(self, it: Thing, wish: str) -> None:
        it.ids["id"] = self.make(it, "ada")

    def seen(self, it: Thing) -> Seen:
        rows = self.model._default_manager.filter(label__contains=it.token)
        return {str(row.pk): str(row) for row in rows}

    def done(self, it: Thing, wish: str) -> bool:
        return it.ids.get("id") not in self.seen(it)

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        return [self.make(it, "adam"), self.make(it, "bob")]

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return []


class ProjectRow(Row):
    """`records.project`, with a member."""

    kind = "records.project"
    model = Project

    def make(self, it: Thing, name: str) -> str:
        number = super().make(it, name)
        member, _ = Person.objects.get_or_create(username=f"member-{it.token}")
        Membership.objects.create(project_id=number, person=member)
        return number


class ComponentRow(Row):
    """`records.component`, with a snapshot."""

    kind = "records.component"
    model = Component

    def more(self, it: Thing, name: str) -> dict[str, Any]:
        return {"name": f"ws_{name}_{it.token}", "kind": Component.Kind.SQL_DATABASE}

    def make(self, it: Thing, name: str) -> str:
        number = super().make(it, name)
        owner = Person.objects.get(username=f"{name}-{it.token}")
        Snapshot.objects.create(owner=owner, label=it.token, component_id=number)
        return number


class StackRow(Row):
    """`records.stack`."""

    kind = "records.stack"
    model = Stack

    def more(self, it: Thing, name: str) -> dict[str, Any]:
        return {"name": f"ws-{name}-{it.token}"}


class SnapshotRow(Row):
    """`records.snapshot`."""

    kind = "records.snapshot"
    model = Snapshot


class ServiceKeyRow(Row):
    """`records.service_key`."""

    kind = "records.service_key"
    model = ServiceKey

    def more(self, it: Thing, name: str) -> dict[str, Any]:
        return {"system": "sql_server", "account": f"{name}-{it.token}"}


CASES = (ProjectRow, ComponentRow, StackRow, SnapshotRow, ServiceKeyRow)
