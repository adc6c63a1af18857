"""Items for everybody about their own things: membership requests and invitations, components that
could not be made or deleted, and tokens that expire soon.

See docs/explanation/inbox.md#what-waits.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import (
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce, Greatest

from workspace_manager.access import tokens
from workspace_manager.inbox.item import Action
from workspace_manager.inbox.messages import message
from workspace_manager.inbox.source import ItemText, Source, bare_id, day_before
from workspace_manager.people import end_dates
from workspace_manager.records.models import (
    ApiToken,
    Component,
    Invitation,
    Membership,
    MembershipRequest,
    Person,
    Plan,
    PlanStep,
    Project,
    Snapshot,
    SnapshotSchedule,
    Stack,
)
from workspace_manager.snapshots.bounds import find_bound
from workspace_manager.snapshots.schedule import LATE, explain_lateness
from workspace_manager.work import invitations, memberships
from workspace_manager.work.component_end import RESTORING_IN_PLACE
from workspace_manager.work.wait_reasons import explain_waits

SOON: Final = timedelta(days=14)


def _requests(person: Person, _now: datetime) -> QuerySet[MembershipRequest]:
    """Return requests to the person's projects, and to projects where the person decides on
    members.
    """
    theirs = Project.objects.filter(owner=person).values("pk")
    managed = Membership.objects.filter(person=person, role=Membership.Role.MANAGE)
    return MembershipRequest.objects.filter(
        Q(project__in=theirs) | Q(project__in=managed.values("project")),
        state=memberships.PENDING,
    )


def _told_request(row: MembershipRequest) -> ItemText:
    what = message("request", name=row.person.full_name, label=row.project.label)
    return ItemText(what, Action(message("decide"), f"/projects/{row.project_id}#people-here"))


def _invitations(person: Person, _now: datetime) -> QuerySet[Invitation]:
    return invitations.of_person(person)


def _told_invitation(row: Invitation) -> ItemText:
    what = message("invitation", name=row.project.owner.full_name, label=row.project.label)
    stands = message("invitation.why", at=row.expires_at)
    return ItemText(what, Action(message("answer"), "/projects#invitations"), stands)


def _components(person: Person, _now: datetime) -> QuerySet[Component]:
    """Return components outside stacks; an item about a stack covers its components."""
    return Component.objects.filter(_fails(person), owner=person, stack=None)


def _stacks(person: Person, _now: datetime) -> QuerySet[Stack]:
    return Stack.objects.filter(_fails(person), owner=person)


def _fails(person: Person) -> Q:
    """Match components that could not be made, or whose deletion is stuck."""
    stuck = Plan.objects.filter(state=Plan.State.STUCK, subject=str(person.id))
    about = stuck.annotate(whose=bare_id("about")).filter(whose=bare_id(OuterRef("pk")))
    return Q(state=Component.State.FAILED) | Q(Exists(about), state=Component.State.DELETING)


def _failed_since() -> Coalesce:
    """Return since when the stuck step has been stuck."""
    steps = PlanStep.objects.filter(state=PlanStep.State.STUCK).alias(whose=bare_id("plan__about"))
    since = steps.filter(whose=bare_id(OuterRef("pk"))).order_by("since").values("since")[:1]
    return Coalesce(Subquery(since), "created_at")


def _told_made(place: str) -> Callable[[Any], ItemText]:
    def told(row: Any) -> ItemText:
        going = row.state == Component.State.DELETING
        what = message("not_deleted" if going else "not_made", label=row.label)
        to = Action(message("look_at_it"), f"/{place}/{row.pk}")
        return ItemText(what, to, row.why)

    return told


READ: Final[Mapping[type[Model], tuple[str, ...]]] = {
    Component: ("label", "state", "stack_id"),
    Stack: ("label", "state"),
}
"""The columns that an item shows, and those that say why it is stuck."""


def _snapshots(person: Person, _now: datetime) -> QuerySet[Snapshot]:
    return Snapshot.objects.filter(owner=person, state=Snapshot.State.FAILED)


def _told_snapshot(row: Snapshot) -> ItemText:
    what = message("snapshot_failed", label=row.label, source=row.source_label)
    return ItemText(what, Action(message("look_at_it"), f"/snapshots/{row.pk}"))


def _damaged(person: Person, _now: datetime) -> QuerySet[Snapshot]:
    return Snapshot.objects.filter(owner=person, damage__isnull=False)


def _told_damaged(row: Snapshot) -> ItemText:
    what = message("snapshot_damaged", label=row.label, source=row.source_label)
    return ItemText(what, Action(message("look_at_it"), f"/snapshots/{row.pk}"), row.damage)


def _schedules(person: Person, now: datetime) -> QuerySet[SnapshotSchedule]:
    theirs = Q(component__owner=person) | Q(stack__owner=person)
    deleting = Q(component__state=Component.State.DELETING) | Q(stack__state=Stack.State.DELETING)
    return SnapshotSchedule.objects.filter(theirs, next_at__lte=now - LATE).exclude(deleting)


def _told_schedule(row: Any) -> ItemText:
    what = message("snapshot_late", label=row.source.label)
    folder = "components" if row.component_id else "stacks"
    to = Action(message("look_at_it"), f"/{folder}/{row.source.pk}#snapshots")
    return ItemText(what, to, row.why)


def _with_lateness(rows: QuerySet[Any]) -> list[Any]:
    """All are of one person, whose bounds are asked once."""
    found = list(rows.select_related("component__owner", "stack__owner"))
    full = find_bound(found[0].source.owner) if found else None
    for row in found:
        row.why = explain_lateness(row, full)
    return found


def _restores(person: Person, _now: datetime) -> QuerySet[Plan]:
    return Plan.objects.filter(
        kind=RESTORING_IN_PLACE, subject=str(person.id), state=Plan.State.STUCK
    )


def _told_restore(row: Plan) -> ItemText:
    steps = sorted(row.steps.all(), key=lambda one: one.n)
    # The last step is named by the component.
    label = next((change.name for step in steps[-1:] for change in step.changes.all()), "")
    stuck = next((step for step in steps if step.state == PlanStep.State.STUCK), None)
    to = Action(message("look_at_it"), f"/components/{row.about}#snapshots")
    return ItemText(message("restore_stuck", label=label), to, stuck.reason if stuck else None)


def _with_why(rows: QuerySet[Any]) -> list[Any]:
    """Attach the reason of the stuck step to each row, in one query for all of them."""
    found = list(rows.only(*READ[rows.model]))
    reasons = explain_waits(found)
    for row in found:
        row.why = reasons.get(row.pk)
    return found


def _tokens(person: Person, now: datetime) -> QuerySet[ApiToken]:
    """Return tokens that expire within two weeks; a shorter token from half its lifetime on."""
    left = ExpressionWrapper(F("expires_at") - Value(now), DurationField())
    lived = ExpressionWrapper(Value(now) - F("created_at"), DurationField())
    rows = tokens.valid_tokens(person).filter(expires_at__gt=now, expires_at__lte=now + SOON)
    return rows.alias(left=left, lived=lived).filter(left__lte=F("lived"))


def _told_token(row: ApiToken) -> ItemText:
    what = message("token", label=row.name, at=row.expires_at)
    return ItemText(what, Action(message("new_token"), "/tokens"), message("token.why"))


def _account(person: Person, _now: datetime) -> QuerySet[Person]:
    return end_dates.people_ending(end_dates.SHOWN).filter(pk=person.pk)


def _told_account(row: Person) -> ItemText:
    what = message("own_account", day=str(row.ends_at))
    return ItemText(what, Action(message("see_account"), "/settings"), message("own_account.why"))


SOURCES: Final = (
    Source(
        "component_failed",
        _components,
        _told_made("components"),
        _failed_since(),
        ("label",),
        read=_with_why,
        serious=True,
    ),
    Source(
        "stack_failed",
        _stacks,
        _told_made("stacks"),
        _failed_since(),
        ("label",),
        read=_with_why,
        serious=True,
    ),
    Source(
        "snapshot_failed",
        _snapshots,
        _told_snapshot,
        _failed_since(),
        ("label", "source_label"),
        serious=True,
    ),
    Source(
        "snapshot_damaged",
        _damaged,
        _told_damaged,
        Coalesce("read_at", "created_at"),
        ("label", "source_label"),
        serious=True,
    ),
    Source(
        "snapshot_late",
        _schedules,
        _told_schedule,
        "next_at",
        ("component__label", "stack__label"),
        read=_with_lateness,
        serious=True,
    ),
    Source(
        "restore_stuck",
        _restores,
        _told_restore,
        "created_at",
        ("person",),
        read=lambda rows: rows.prefetch_related("steps__changes"),
        serious=True,
    ),
    Source(
        "request",
        _requests,
        _told_request,
        "created_at",
        ("person__username", "project__label"),
        read=lambda rows: rows.select_related("person", "project"),
    ),
    Source(
        "invitation",
        _invitations,
        _told_invitation,
        "created_at",
        ("project__label", "project__owner__username"),
        read=lambda rows: rows.select_related("project__owner"),
    ),
    Source(
        "own_account",
        _account,
        _told_account,
        day_before("ends_at", end_dates.SHOWN),
        ("username",),
    ),
    Source(
        "token", _tokens, _told_token, Greatest(F("expires_at") - SOON, F("created_at")), ("name",)
    ),
)
