"""The losses of other people by a removal: members of projects and shared things, users of stacks,
owners of components in the person's projects.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Final, TypeAlias

from django.db.models import QuerySet

from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.messages import join_messages
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.records.models import Component, Membership, Person, Project
from workspace_manager.removal.messages import message
from workspace_manager.work.used_by_others import used_by_others

Losses: TypeAlias = frozenset[tuple[str, str, str]]
"""The kind of thing, the thing, and the person who loses it."""
MEMBER, PLACED = "member", "placed"
COUNTED: Final = (
    "sql_database",
    "triplestore_repository",
    "knowledge_stack",
    "stack",
    "project",
    "snapshot",
    PLACED,
    MEMBER,
)
"""Kinds that are counted, in the order of the sentence."""
OTHERS_LOSE: Final = frozenset(
    f"removal.remark.{what}"
    for what in (
        "project_ends", "leaves_project", "stack_ends", "stack_ends_alone", "shared_component",
    )
)  # fmt: skip
"""Remarks of the preview that concern other people."""
LOSSES: Final = "losses"
"""The document's key for the losses that were shown."""


def find_losses(person: Person) -> Losses:
    """Return everything that other people lose if this person leaves now."""
    mine = Project.objects.filter(owner=person)
    members = Membership.objects.filter(project__in=mine).exclude(person=person)
    found = {
        (MEMBER, str(project), name)
        for project, name in members.values_list("project_id", "person__username")
    }
    found |= {
        (str(component.kind), str(component.id), name)
        for component in _shared(person)
        if component.project
        for name in _members(component.project, person)
    }
    found |= {("stack", used.id, name) for used in used_by_others(person) for name in used.users}
    theirs = Component.objects.filter(project__in=mine).exclude(owner=person)
    found |= {
        (PLACED, str(component), name)
        for component, name in theirs.values_list("id", "owner__username")
    }
    return frozenset(found)


def dump_losses(found: Losses) -> str:
    return json.dumps(sorted(found))


def lost_since(shown: PlanDocument, now: Losses) -> Losses:
    """Return losses that the preview did not show. Documents of an earlier version hold none, so
    everything counts as new.
    """
    before = {tuple(one) for one in json.loads(shown.captured.get(LOSSES, "[]"))}
    return frozenset(now - before)


def to_be_seen(shown: PlanDocument, lost: Losses) -> Losses:
    """Return the losses about things that the preview showed. New things had no other users then
    and cannot hold up a removal; otherwise a person could prevent it by making more.
    """
    known = {
        planned.change.target.get("id", "") for step in shown.steps for planned in step.changes
    }
    return frozenset(one for one in lost if one[0] != PLACED and one[1] in known)


def mark(lost: Losses) -> str:
    """Return the mark that a confirmation echoes; "" if there is nothing to confirm."""
    return sha256(dump_losses(lost).encode()).hexdigest() if lost else ""


def count_losses(lost: Losses, made: Mapping[str, int] = MappingProxyType({})) -> Message | None:
    """Count the losses, each thing and each person once; None if there are none. `made` counts what
    the person made.
    """
    things = Counter(what for what, _ in {one[:2] for one in lost if one[0] != MEMBER})
    members = {who for what, _, who in lost if what != PLACED}
    counts = {**things, MEMBER: len(members)}
    for what, n in made.items():
        counts[what] = max(n, counts.get(what, 0))
    found = [message(f"since.{what}", n=counts[what]) for what in COUNTED if counts.get(what)]
    return message("since", things=join_messages(found, by=", ")) if found else None


def remarks(person: Person) -> tuple[Message, ...]:
    """Return remarks on these losses, and on what the person leaves, for the preview."""
    texts = [*_projects_end(person), *_stacks_end(person)]
    texts += [
        message(
            "remark.shared_component", component=component.label, project=component.project.label
        )
        for component in _shared(person)
        if component.project and _members(component.project, person)
    ]
    shared = Project.objects.filter(members=person).order_by("created_at")
    texts += [
        message(
            "remark.member_leaves",
            person=Named(person=person.username),
            project=project.label,
            owner=Named(person=project.owner.username),
        )
        for project in shared.select_related("owner")
    ]
    return tuple(texts)


def _shared(person: Person) -> QuerySet[Component]:
    mine = Component.objects.filter(owner=person, stack=None).exclude(project=None)
    mine = mine.exclude(kind=Component.Kind.KNOWLEDGE_STACK)
    read = mine.select_related("project__owner").prefetch_related("project__members")
    return read.order_by("created_at")


def _members(project: Project, person: Person) -> list[str]:
    """Return the other people who use what is shared in the project."""
    sharing = {project.owner.username, *(one.username for one in project.members.all())}
    return sorted(sharing - {person.username})


def _projects_end(person: Person) -> Iterator[Message]:
    for project in Project.objects.filter(owner=person).order_by("created_at"):
        members = list(project.members.order_by("username").values_list("username", flat=True))
        if members:
            names = ", ".join(members)
            yield message("remark.project_ends", project=project.label, members=names)
        for component in Component.objects.filter(project=project).exclude(owner=person):
            yield message(
                "remark.leaves_project",
                component=component.label,
                owner=Named(person=component.owner.username),
                project=project.label,
            )


def _stacks_end(person: Person) -> Iterator[Message]:
    for used in used_by_others(person):
        users = ", ".join(used.users)
        if not used.successor:
            yield message(
                "remark.stack_ends_alone", stack=used.label, project=used.project, users=users
            )
            continue
        yield message(
            "remark.stack_ends",
            stack=used.label,
            project=used.project,
            users=users,
            successor=Named(person=used.successor),
        )
