"""Do something about a difference: remove what is nobody's, shut what is open, settle a right, or
put it off.

Nothing is deleted without a plan that somebody was shown and said yes to.
"""

import uuid
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from workspace_manager.contract.message import Person as Named
from workspace_manager.core import audit
from workspace_manager.core.administrators import refuse_former
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.wake import wake_plan
from workspace_manager.engine.rows import store
from workspace_manager.reconcile import plan as plans
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.offered import advice, offered, open_item, refuse_unless
from workspace_manager.reconcile.things import DATABASE, GROUP, component_of
from workspace_manager.reconcile.whose import adopt, connect, disconnect
from workspace_manager.records.models import Person, Plan, ReconcileItem
from workspace_manager.removal.capture import capture
from workspace_manager.removal.other_systems import holder_of
from workspace_manager.systems import registry
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.work import sharing

__all__ = [
    "adopt",
    "advice",
    "approve",
    "connect",
    "disconnect",
    "draft_removal",
    "ignore",
    "offered",
    "settle",
    "shut",
]

LONGEST_REASON: Final = 500
SETTLED: Final = ("take", "give_back")


def draft_removal(n: int, *, actor: str) -> Plan:
    """Make the plan that removes it, to look at; an earlier draft becomes stale. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
        item = open_item(n)
        refuse_unless("remove", item)
        drafts = Plan.objects.filter(about=f"{plans.ABOUT}{n}", state=Plan.State.DRAFT)
        drafts.update(state=Plan.State.STALE, due_at=None)
        document = plans.document(item, plans.REMOVE, dict(item.target), after=None)
        plan = _stored(item, store(document, actor=actor))
        audit.note("reconcile:drafted", item.name, actor=actor, plan=str(plan.id), n=n)
    return plan


def approve(plan_id: uuid.UUID, *, digest: str, actor: str) -> Plan:
    """Start a repair as it was shown. Again with the same digest while it runs: nothing happens.
    Raises Refused when it is another than was shown, or what it is about is over.
    """
    with transaction.atomic():
        refuse_former(actor)
        plan = Plan.objects.select_for_update().get(id=plan_id, kind=plans.REPAIR.name)
        if plan.digest != digest:
            raise Refused(message("not_as_shown"))
        if plan.state in {*Plan.OPEN, Plan.State.DONE}:
            return plan
        item = ReconcileItem.objects.filter(plan=plan.id, ended_at=None).first()
        if plan.state != Plan.State.DRAFT or item is None:
            raise Refused(message("over"))
        now = database_now()
        Plan.objects.filter(id=plan.id).update(
            state=Plan.State.RUNNING,
            approved_at=now,
            approved_by=actor,
            due_at=now,
            # Whoever looks for the preview finds the lease gone.
            lease_number=F("lease_number") + 1,
            lease_owner="",
            lease_until=None,
        )
        audit.note("reconcile:repair_approved", plan.person, actor=actor, plan=str(plan.id))
        wake_plan(plan.id)
    plan.refresh_from_db()
    return plan


def shut(n: int, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Shut an account that is open although its person is suspended. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
        item = open_item(n)
        refuse_unless("shut", item)
        person = Person.objects.get(username=item.username)
        spec, settings = registry().specs[item.system], systems.settings[item.system]
        kind = spec.kind(item.kind)
        wishes = spec.shut(settings, holder_of(capture(person, systems))) if spec.shut else ()
        for wish in wishes:
            if kind and wish.kind == item.kind and kind.name_of(wish.target) == item.name:
                document = plans.document(
                    item, plans.SHUT, dict(wish.target), after=wish.after, subject=str(person.id)
                )
                plan = _stored(item, store(document, actor=actor, state=Plan.State.RUNNING))
                audit.note("reconcile:shut", item.username, actor=actor, plan=str(plan.id), n=n)
                return plan
        raise Refused(message("cannot_shut", name=item.name))


def settle(n: int, what: str, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Bring somebody's right to what the memberships say: take it (`take`) or give it
    (`give_back`). Raises Refused.
    """
    assert what in SETTLED
    with transaction.atomic():
        refuse_former(actor)
        item = open_item(n)
        refuse_unless(what, item)
        plan = _stored(item, _settling(item, actor, systems))
        audit.note(
            "reconcile:settled",
            item.username or item.holder,
            actor=actor,
            plan=str(plan.id),
            n=n,
            what=what,
        )
    return plan


def _settling(item: ReconcileItem, actor: str, systems: ConnectedSystems) -> Plan:
    if item.kind == DATABASE and not item.username:
        target = dict(sql_names.grant_target(item.name, item.holder))
        document = plans.document(item, plans.TAKE, target, after=None)
        return store(document, actor=actor, state=Plan.State.RUNNING)
    component = component_of(item.kind, item.name)
    if component is None:
        raise Refused(message("over"))
    whose = item.username or component.owner.username
    person = Person.objects.select_for_update().get(username=whose)
    about = str(component.pk)
    if item.kind == GROUP:
        plan = sharing.settle_groups(person, [component], about=about, actor=actor, systems=systems)
    else:
        plan = sharing.settle(
            person, about=about, actor=actor, systems=systems, components=[component]
        )
    if plan is None:
        raise Refused(message("nothing_to_settle", person=Named(person=person.username)))
    return plan


def _stored(item: ReconcileItem, plan: Plan) -> Plan:
    item.plan = plan.id
    item.save(update_fields=["plan"])
    return plan


# --- putting off ----------------------------------------------------------------------------------


def ignore(n: int, *, reason: str, until: datetime, actor: str) -> ReconcileItem:
    """Put a difference off until a day, and say why. Raises BadInput, and Refused."""
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
        audit.note(
            "reconcile:ignored",
            item.name,
            actor=actor,
            n=n,
            kind=item.kind,
            reason=reason,
            until=in_utc(until),
        )
    return item
