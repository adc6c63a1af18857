"""Act on a difference: remove what belongs to nobody, shut what is open, set a right, or put it
off.

Every change to a system is a plan that somebody saw and approved.
"""

import uuid
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.access.administrators import refuse_former
from workspace_manager.audit.note import note
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.timestamps import in_utc
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.engine.rows import Vault, begin, store
from workspace_manager.engine.supersede import outdate
from workspace_manager.reconcile import plan as plans
from workspace_manager.reconcile.account_owner import adopt, connect, disconnect
from workspace_manager.reconcile.difference_actions import (
    advice,
    offered_actions,
    open_item,
    refuse_unless,
)
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.recorded_things import DATABASE
from workspace_manager.reconcile.right_repair import settling
from workspace_manager.records.models import Person, Plan, ReconcileItem
from workspace_manager.removal.capture import capture
from workspace_manager.removal.other_systems import holder_of
from workspace_manager.systems import registry
from workspace_manager.systems.sql_server import names as sql_names

__all__ = [
    "adopt",
    "advice",
    "approve",
    "connect",
    "disconnect",
    "draft",
    "ignore",
    "offered_actions",
    "outdate_drafts",
    "planned_repair",
]

LONGEST_REASON: Final = 500
PLANNED: Final = ("remove", "shut", "take", "give_back")
"""Actions that are plans, shown before approval."""


def draft(n: int, what: str, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Draft the plan of an action; an earlier draft becomes stale. Raises Refused."""
    assert what in PLANNED
    with transaction.atomic():
        refuse_former(actor)
        item = open_item(n)
        refuse_unless(what, item)
        if item.plan:
            outdate(Plan.objects.filter(id=item.plan))
        plan = _drafted(item, what, actor, systems)
        item.plan = plan.id
        item.save(update_fields=["plan"])
        note("reconcile:drafted", _concerned(item), actor=actor, plan=str(plan.id), n=n)
    return plan


def approve(plan_id: uuid.UUID, *, digest: str, actor: str) -> Plan:
    """Start a repair as it was shown. A second call with the same digest does nothing while it
    runs. Raises Refused if the plan differs from what was shown, or the difference is over.
    """
    with transaction.atomic():
        refuse_former(actor)
        plan = Plan.objects.select_for_update().get(id=plan_id, kind__in=plans.REPAIRS)
        if plan.digest != digest:
            raise Refused(message("not_as_shown"))
        if plan.state in {*Plan.OPEN, Plan.State.DONE}:
            return plan
        item = ReconcileItem.objects.filter(plan=plan.id, ended_at=None).first()
        what = planned_repair(item) if item else None
        if plan.state != Plan.State.DRAFT or item is None or what is None:
            raise Refused(message("over"))
        begin(plan, actor=actor, now=database_now())
        _note_start(item, what, plan, actor)
    plan.refresh_from_db()
    return plan


def planned_repair(item: ReconcileItem) -> str | None:
    """Return the action of a plan; a difference has at most one."""
    return next((what for what in offered_actions(item) if what in PLANNED), None)


def _note_start(item: ReconcileItem, what: str, plan: Plan, actor: str) -> None:
    whose, by = _concerned(item), str(plan.id)
    match what:
        case "remove":
            note("reconcile:repair_approved", whose, actor=actor, plan=by)
        case "shut":
            note("reconcile:shut", whose, actor=actor, plan=by, n=item.n)
        case _:
            note("reconcile:settled", whose, actor=actor, plan=by, n=item.n, what=what)


def _concerned(item: ReconcileItem) -> str:
    return item.username or item.holder or item.name


def outdate_drafts(before: datetime) -> None:
    """Outdate drafts that were not approved in time."""
    with transaction.atomic():
        outdate(Plan.objects.filter(kind__in=plans.REPAIRS, created_at__lt=before))


def _drafted(item: ReconcileItem, what: str, actor: str, systems: ConnectedSystems) -> Plan:
    match what:
        case "remove":
            document = plans.document(item, plans.REMOVE, dict(item.target), after=None)
        case "shut":
            document = _shutting(item, systems)
        case _ if item.kind == DATABASE and not item.username:
            target = dict(sql_names.grant_target(item.name, item.holder))
            document = plans.document(item, plans.TAKE, target, after=None)
        case _:
            vault = Vault()
            return store(settling(item, vault, systems), actor=actor, vault=vault)
    return store(document, actor=actor)


def _shutting(item: ReconcileItem, systems: ConnectedSystems) -> PlanDocument:
    """Build the plan that shuts an account as a suspension does. Raises Refused if a suspension
    shuts nothing there.
    """
    person = Person.objects.get(username=item.username)
    spec, settings = registry().specs[item.system], systems.settings[item.system]
    kind = spec.kind(item.kind)
    holder = holder_of(capture(person, systems))
    wishes = [
        wish
        for wish in (spec.shut(settings, holder) if spec.shut else ())
        if kind and wish.kind == item.kind and kind.name_of(wish.target) == item.name
    ]
    if wishes:
        after = {name: value for one in wishes for name, value in (one.after or {}).items()}
        target = dict(wishes[0].target)
        return plans.document(item, plans.SHUT, target, after=after or None, subject=str(person.id))
    raise Refused(message("cannot_shut", name=item.name))


# --- putting off ----------------------------------------------------------------------------------


def ignore(n: int, *, reason: str, until: datetime, actor: str) -> ReconcileItem:
    """Put a difference off until a day, with a reason. Raises BadInput, and Refused."""
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise BadInput({"reason": message("reason_length", count=LONGEST_REASON)})
    if until <= timezone.now():
        raise BadInput({"until": message("until_later")})
    with transaction.atomic():
        refuse_former(actor)
        item = open_item(n)
        item.ignored_until, item.ignored_why, item.ignored_by = until, reason, actor
        item.save(update_fields=["ignored_until", "ignored_why", "ignored_by"])
        note(
            "reconcile:ignored",
            item.name,
            actor=actor,
            n=n,
            kind=item.kind,
            reason=reason,
            until=in_utc(until),
        )
    return item
