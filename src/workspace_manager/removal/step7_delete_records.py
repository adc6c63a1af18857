"""Step 7: delete snapshots, components, stacks, projects and service keys, each with what it owns
downstream.

Needs steps 5 and 6: credentials end before the things they open. Things of other people in the
person's projects are detached, never deleted (docs/explanation/projects.md#members). The person
also leaves the ontology projects of others (docs/explanation/projects.md#the-ontology-project).
"""

from typing import Final

from django.db import models

from workspace_manager.contract.connector import Change
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.records.models import Component, Project, ServiceKey, Snapshot, Stack
from workspace_manager.removal.capture import CapturedPerson
from workspace_manager.removal.messages import message
from workspace_manager.snapshots import creation
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.work import component_end, projects
from workspace_manager.work.sharing import EDITOR_USER, MEMBERSHIP

NAME: Final = declare_step("delete_records", message)


def step(captured: CapturedPerson) -> PlannedStep:
    changes: list[PlannedChange] = []
    changes += [plan_change(change, name=name) for change, name in _memberships(captured)]
    for snapshot in captured.snapshots:
        # The content goes first and its end is checked: a row without content is harmless, but
        # content without a row would not be found.
        content = [creation.content_change(snapshot, kept=False)] if snapshot.place else []
        _owned(changes, captured, content, "records.snapshot", snapshot)
    components = Component.objects.filter(owner=captured.person).order_by("created_at")
    # Stacks go before the databases and repositories that they use.
    for component in sorted(components, key=lambda one: one.kind != Component.Kind.KNOWLEDGE_STACK):
        _owned(
            changes, captured, component_end.downstream(component), "records.component", component
        )
    _rows(changes, captured, "records.stack", Stack.objects.filter(owner=captured.person))
    for project in Project.objects.filter(owner=captured.person).order_by("created_at"):
        _owned(changes, captured, projects.downstream(project), "records.project", project)
    _rows(
        changes, captured, "records.service_key", ServiceKey.objects.filter(owner=captured.person)
    )
    return PlannedStep(n=7, name=NAME, system="records", needs=(5, 6), changes=tuple(changes))


def _owned(
    changes: list[PlannedChange],
    captured: CapturedPerson,
    owned: list[Change],
    kind: str,
    row: Component | Project | Snapshot,
) -> None:
    """Add the downstream things, then the record, which waits for them."""
    needs = tuple(range(len(changes), len(changes) + len(owned)))
    named = row.label if isinstance(row, Snapshot) else ""
    changes += [plan_change(change, name=named) for change in owned]
    changes.append(_row(captured, kind, row, needs))


def _rows(
    changes: list[PlannedChange],
    captured: CapturedPerson,
    kind: str,
    rows: models.QuerySet[Stack] | models.QuerySet[ServiceKey],
) -> None:
    changes += [_row(captured, kind, row, ()) for row in rows.order_by("created_at")]


def _row(
    captured: CapturedPerson,
    kind: str,
    row: Snapshot | Stack | ServiceKey | Component | Project,
    needs: tuple[int, ...],
) -> PlannedChange:
    target = {"id": str(row.id), "label": row.label}
    return plan_change(
        Change(kind=kind, subject=captured.subject, target=target), *needs, name=row.label
    )


def _memberships(captured: CapturedPerson) -> list[tuple[Change, str]]:
    """Return memberships in the ontology projects of others; other shared access ended with the
    accounts.
    """
    account = next(iter(captured.recorded(EDITOR_USER)), "")
    shared = Project.objects.filter(members=captured.person).exclude(ontology_project_id="")
    return [
        (
            Change(
                kind=MEMBERSHIP,
                subject=captured.subject,
                target=ontology_names.membership(project.ontology_project_id, account),
            ),
            project.label,
        )
        for project in shared.order_by("created_at")
        if account
    ]
