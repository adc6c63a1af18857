"""Step 7: delete snapshots, components, stacks, projects and service keys, each with what it owns downstream.

Needs steps 5 and 6: credentials go before the things they open. What other people own in the person's projects is detached, never
deleted (specification, section 1, rule 6).
"""

from django.db import models

from workspace_manager.contract.connector import Change
from workspace_manager.lifecycle.deprovision.captured import Captured
from workspace_manager.lifecycle.planning.journal import planned
from workspace_manager.lifecycle.planning.plan import PlannedChange, PlannedStep
from workspace_manager.lifecycle.resources import components
from workspace_manager.records.models import Component, Project, ServiceKey, Snapshot, Stack
from workspace_manager.systems.ontology_editor import names as ontology_names


def step(captured: Captured) -> PlannedStep:
    """The step in the plan."""
    changes: list[PlannedChange] = []
    _rows(changes, captured, "records.snapshot", Snapshot.objects.filter(owner=captured.person))
    for component in Component.objects.filter(owner=captured.person).order_by("created_at"):
        _owned(changes, captured, components.downstream(component), "records.component", component)
    _rows(changes, captured, "records.stack", Stack.objects.filter(owner=captured.person))
    for project in Project.objects.filter(owner=captured.person).order_by("created_at"):
        _owned(changes, captured, _ontology(captured, project), "records.project", project)
    _rows(
        changes, captured, "records.service_key", ServiceKey.objects.filter(owner=captured.person)
    )
    return PlannedStep(
        n=7, name="delete_records", system="records", needs=(5, 6), changes=tuple(changes)
    )


def _owned(
    changes: list[PlannedChange],
    captured: Captured,
    owned: list[Change],
    kind: str,
    row: Component | Project,
) -> None:
    """The downstream things first; the record waits for them."""
    needs = tuple(range(len(changes), len(changes) + len(owned)))
    changes += [planned(change) for change in owned]
    changes.append(_row(captured, kind, row, needs))


def _rows(
    changes: list[PlannedChange],
    captured: Captured,
    kind: str,
    rows: models.QuerySet[Snapshot] | models.QuerySet[Stack] | models.QuerySet[ServiceKey],
) -> None:
    changes += [_row(captured, kind, row, ()) for row in rows.order_by("created_at")]


def _row(
    captured: Captured,
    kind: str,
    row: Snapshot | Stack | ServiceKey | Component | Project,
    needs: tuple[int, ...],
) -> PlannedChange:
    target = {"id": str(row.id), "label": row.label}
    return planned(
        Change(kind=kind, subject=captured.subject, target=target), *needs, name=row.label
    )


def _ontology(captured: Captured, project: Project) -> list[Change]:
    """The ontology project: by its id, or by our mark when a creation that is under way or was cut off may leave one."""
    owner = next(iter(captured.recorded("ontology_editor.user")), "")
    if project.ontology_project_id:
        target = ontology_names.existing_project(
            project.ontology_project_id, mark=project.ontology_mark, owner=owner
        )
    elif owner and project.ontology_mark:
        target = ontology_names.project(project.ontology_mark, owner)
    else:
        return []
    return [Change(kind="ontology_editor.project", subject=captured.subject, target=target)]
