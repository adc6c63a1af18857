"""Link existing projects to ontology projects, and renew their members' access.

Idempotent: members of a linked project get the access of their role again. The preview reads the
manager's records alone. Each project then gets the plan of a new project, so that a killed run
continues.

See docs/explanation/projects.md#linking-existing-projects.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.accounts.messages import message
from workspace_manager.accounts.row_locks import lock_project
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import Refused
from workspace_manager.core.states import state_of
from workspace_manager.engine import actions, pause
from workspace_manager.records.models import Person, Plan, PlanStep, Project
from workspace_manager.work import projects, sharing

EDITOR = "ontology_editor"


class Action(StrEnum):
    LINK = "link"
    """Make and link an ontology project."""
    GRANT = "grant"
    """Renew every member's access to a linked project."""
    RETRY = "retry"
    """Retry an open plan that links the project."""
    NOTHING = "nothing"
    """Do nothing: the project is linked without members, or its owner is leaving."""


@dataclass(frozen=True)
class Line:
    """The action for one project: a word, a sentence, and its plans."""

    project: Project
    action: Action
    text: Message
    plans: Sequence[Plan] = ()


def preview(chosen: Iterable[Project], systems: ConnectedSystems) -> list[Line]:
    """Return the actions. Raises Refused without an editor, and the editor's error if it does not
    answer: the command needs a live one.
    """
    _prove(systems)
    return [_line(project) for project in chosen]


def apply(chosen: Iterable[Project], *, actor: str, systems: ConnectedSystems) -> list[Line]:
    """Store the plans; the worker runs them. Raises as `preview` does, and Refused for a project
    that was just deleted.
    """
    _prove(systems)
    return [_do(project, actor=actor, systems=systems) for project in chosen]


def _prove(systems: ConnectedSystems) -> None:
    system = systems.by_name.get(EDITOR)
    if system is None:
        raise Refused(of_core("not_configured", system=label_of(EDITOR)))
    pause.refuse_paused(EDITOR)
    system.prove_rights()


def _line(project: Project) -> Line:
    named = {"label": project.label, "name": project.owner.username}
    if project.owner.state == Person.State.LEAVING:
        return Line(project, Action.NOTHING, message("link_ends", **named))
    if project.ontology_project_id:
        members = list(_members(project).values_list("username", flat=True))
        if not members:
            return Line(project, Action.NOTHING, message("linked_alone", **named))
        text = message("linked_again", names=", ".join(members), **named)
        return Line(project, Action.GRANT, text)
    running = _linking(project)
    if running:
        return Line(
            project,
            Action.RETRY,
            message("link_running", state=state_of(running.state), **named),
            (running,),
        )
    return Line(project, Action.LINK, message("link_made", **named))


def _do(project: Project, *, actor: str, systems: ConnectedSystems) -> Line:
    with transaction.atomic():
        # The owner is locked before the project, so that a removal or a second command comes before
        # or after.
        list(Person.objects.select_for_update().filter(id=project.owner_id).values_list("id"))
        project = lock_project(project.id)
        line = _line(project)
        if line.action is Action.LINK:
            plans: Sequence[Plan] = [projects.link(project, actor=actor, systems=systems)]
        elif line.action is Action.GRANT:
            plans = sharing.settle_all(
                _members(project),
                about=str(project.id),
                actor=actor,
                systems=systems,
                project=project,
            )
        else:
            plans = line.plans
            for plan in plans:
                _try_again(plan, actor)
        if line.action is not Action.NOTHING:
            note(f"backfill:{line.action}", project.owner.username, actor=actor, id=str(project.id))
    return Line(project, line.action, line.text, plans)


def _members(project: Project) -> QuerySet[Person]:
    return project.members.exclude(state=Person.State.LEAVING).order_by("username")


def _linking(project: Project) -> Plan | None:
    return Plan.objects.filter(
        kind=projects.LINKING.name, about=str(project.id), state__in=Plan.OPEN
    ).first()


def _try_again(plan: Plan, actor: str) -> None:
    for step in plan.steps.filter(state__in=[PlanStep.State.WAITING, PlanStep.State.STUCK]):
        actions.retry(plan, step.n, actor=actor)
