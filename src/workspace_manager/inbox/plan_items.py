"""Items for administrators about plans: stuck plans, plans that wait for a system, findings of
follow-up checks, and work to do by hand.

See docs/explanation/inbox.md#what-waits.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.messages import join_messages
from workspace_manager.core.connected_systems import label_of
from workspace_manager.core.plan_names import label_of_plan
from workspace_manager.inbox.item import Action
from workspace_manager.inbox.messages import message
from workspace_manager.inbox.source import ItemText, Source, of_administrators
from workspace_manager.people.suspend import RESUMPTION, SUSPENSION
from workspace_manager.records.models import Person, Plan, PlanChange, PlanStep, Tombstone
from workspace_manager.removal import door_states, headline, left_account
from workspace_manager.removal.kind import REMOVAL

PATIENCE: Final = timedelta(minutes=10)
"""How long a plan waits for a system before an item appears; most waits are shorter."""
TOLD_FOR: Final = timedelta(days=90)
"""How long an item stays that the manager cannot see the end of, such as work done by hand. Items
can be put off for as long.
"""
NOBODY_IS_NEEDED: Final = ("", "suspended", "under_way")
"""Causes of waiting that end by themselves, or by a decision that somebody already made."""
State = PlanStep.State


@of_administrators
def _stuck(_person: Person, _now: datetime) -> QuerySet[Plan]:
    return Plan.objects.filter(state=Plan.State.STUCK, belongs_to=None)


@of_administrators
def _waiting(_person: Person, now: datetime) -> QuerySet[Plan]:
    """Return plans that have waited for longer than `PATIENCE`. Stuck plans have an item of their
    own.
    """
    waits = _WAITS.filter(plan=OuterRef("pk"), since__lte=now - PATIENCE)
    open_ = Plan.objects.filter(state__in=(Plan.State.WAITING, Plan.State.RUNNING), belongs_to=None)
    return open_.filter(Exists(waits))


_STUCK: Final = PlanStep.objects.filter(state=State.STUCK)
_WAITS: Final = PlanStep.objects.filter(state=State.WAITING).exclude(cause__in=NOBODY_IS_NEEDED)


def _not_past(*, recheck: bool) -> Callable[[Person, datetime], QuerySet[Plan] | None]:
    """Return plans that are still at the step that held them up. A step that is being tried again
    counts: its end is not known yet.
    """

    @of_administrators
    def rows(_person: Person, _now: datetime) -> QuerySet[Plan]:
        tried = _NOT_DONE.filter(plan=OuterRef("pk"))
        open_ = Plan.objects.filter(state__in=Plan.OPEN, belongs_to__isnull=not recheck)
        return open_.filter(Q(state=Plan.State.STUCK) | Exists(tried))

    return rows


_NOT_DONE: Final = (
    PlanStep.objects.filter(Q(attempts__gt=0) | Q(state=State.WAITING))
    .exclude(state__in=PlanStep.ENDED)
    .exclude(state=State.WAITING, cause__in=NOBODY_IS_NEEDED)
)


def _first(steps: QuerySet[PlanStep]) -> Coalesce:
    """Return since when the first of these steps has been in its state."""
    since = steps.filter(plan=OuterRef("pk")).order_by("since").values("since")[:1]
    return Coalesce(Subquery(since), "created_at")


def _with(steps: QuerySet[PlanStep]) -> Any:
    held = Prefetch("steps", steps.order_by("n"), to_attr="held")

    def read(rows: QuerySet[Plan]) -> QuerySet[Plan]:
        return rows.select_related("belongs_to").prefetch_related(held)

    return read


def _reason(plan: Any) -> Message | None:
    return next((step.reason for step in plan.held if step.reason), None)


def _told_stuck(plan: Any) -> ItemText:
    return ItemText(_named(plan, "removal_needs_you", "plan_needs_you"), _look(plan), _why(plan))


def _why(plan: Any) -> Message | None:
    """Return the reason, with the systems where the person can still work: readers of the letter
    need them.
    """
    why, systems = _reason(plan), _open_at(plan)
    if why is None or not systems:
        return why
    named = join_messages([label_of(one) for one in systems], by=", ")
    return message("open_and_why", systems=named, why=why)


def _open_at(plan: Any) -> list[str]:
    """Return the systems that refused to shut the person out."""
    if plan.kind == SUSPENSION.name:
        return list(dict.fromkeys(one.system for one in plan.held if one.state == State.STUCK))
    if plan.kind != REMOVAL.name:
        return []
    refused = [one for one in door_states.of_removal(plan) if one.state == door_states.OPEN]
    return list(dict.fromkeys(one.kind.partition(".")[0] for one in refused))


def _told_waiting(plan: Plan) -> ItemText:
    return ItemText(_named(plan, "removal_waits", "plan_waits"), _look(plan), _why(plan))


def _named(plan: Plan, of_removal: str, of_another: str) -> Message:
    name = Named(person=plan.person)
    if plan.kind == REMOVAL.name:
        return message(of_removal, name=name)
    return message(of_another, plan=label_of_plan(plan.kind), name=name)


def _look(plan: Plan) -> Action:
    return Action(message("look_at_plan"), f"/manage/plans/{plan.belongs_to_id or plan.id}")


@of_administrators
def _rechecks_stuck(_person: Person, _now: datetime) -> QuerySet[Plan]:
    return Plan.objects.filter(state=Plan.State.STUCK).exclude(belongs_to=None)


def _told_recheck_stuck(plan: Plan) -> ItemText:
    what = message("recheck_needs_you", name=Named(person=plan.person or _whose(plan)))
    return ItemText(what, _look(plan), _reason(plan))


def _whose(plan: Plan) -> str:
    return plan.belongs_to.person if plan.belongs_to else ""


@of_administrators
def _rechecks_found(_person: Person, now: datetime) -> QuerySet[Plan]:
    removed = PlanChange.objects.filter(step__plan=OuterRef("pk"), state=PlanChange.State.DONE)
    ended = Plan.objects.filter(state=Plan.State.DONE, finished_at__gt=now - TOLD_FOR)
    return ended.exclude(belongs_to=None).filter(Exists(removed))


def _told_found(plan: Plan) -> ItemText:
    findings = plan.belongs_to.findings if plan.belongs_to else []
    what = message("came_back", name=Named(person=plan.person or _whose(plan)))
    return ItemText(what, _look(plan), findings[-1] if findings else None)


@of_administrators
def _by_hand(_person: Person, now: datetime) -> QuerySet[Plan]:
    """Return ended plans that left manual work: named when the plan was made, by a system, or by a
    skipped step. An item ends when the removed person's name is released, or the suspended person
    is let in.
    """
    ended = Plan.objects.filter(state=Plan.State.DONE, finished_at__gt=now - TOLD_FOR)
    changes = PlanChange.objects.filter(step__plan=OuterRef("pk"))
    skipped = changes.filter(step__state=State.SKIPPED).exclude(state__in=PlanChange.ENDED)
    said = Exists(changes.filter(state=PlanChange.State.BY_HAND))
    released = Tombstone.objects.filter(plan=OuterRef("pk")).exclude(released_at=None)
    let_in = Plan.objects.filter(
        kind=RESUMPTION.name, subject=OuterRef("subject"), created_at__gt=OuterRef("created_at")
    )
    left = ended.filter(~Q(by_hand=[]) | said | Exists(skipped))
    return left.exclude(Exists(released)).exclude(Exists(let_in))


def _told_by_hand(plan: Any) -> ItemText:
    said: list[Message] = []
    for step in plan.held:
        for row in step.changes.all():
            said += map(Message.model_validate, (row.outcome or {}).get("by_hand", []))
    # Findings of a system concern this account; remarks that were known before are the same in
    # every plan.
    said += plan.by_hand
    why = said[0] if said else message("left_by_skip")
    what = message("left_by_hand", plan=label_of_plan(plan.kind), name=Named(person=plan.person))
    if plan.kind == REMOVAL.name and left_account.CAPTURED in plan.document.get("captured", {}):
        # Somebody may still be able to sign in, so the plan's headline comes first.
        what = _first_of(plan) or what
    return ItemText(what, _look(plan), why)


def _first_of(plan: Plan) -> Message | None:
    """Return the headline of the plan's page and letter."""
    steps = list(PlanStep.objects.filter(plan=plan).order_by("n").prefetch_related("changes"))
    plan.subject_is_here = False
    first = headline.extras(plan, steps).headline
    return first.text_message if first and first.state != headline.DONE else None


SOURCES: Final = (
    Source(
        "plan_stuck",
        _stuck,
        _told_stuck,
        _first(_STUCK),
        ("person",),
        read=_with(_STUCK),
        serious=True,
        lasts=_not_past(recheck=False),
    ),
    Source(
        "recheck_stuck",
        _rechecks_stuck,
        _told_recheck_stuck,
        _first(_STUCK),
        ("belongs_to__person",),
        read=_with(_STUCK),
        serious=True,
        lasts=_not_past(recheck=True),
    ),
    Source(
        "plan_waiting",
        _waiting,
        _told_waiting,
        _first(_WAITS),
        ("person",),
        read=_with(_WAITS),
        lasts=_not_past(recheck=False),
    ),
    Source(
        "recheck_found",
        _rechecks_found,
        _told_found,
        "finished_at",
        ("belongs_to__person",),
        read=lambda rows: rows.select_related("belongs_to"),
    ),
    Source(
        "left_by_hand",
        _by_hand,
        _told_by_hand,
        "finished_at",
        ("person",),
        read=_with(PlanStep.objects.filter(state=State.BY_HAND).prefetch_related("changes")),
    ),
)
