"""Draft a removal: a plan to look at, without effect before its approval."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.access.administrators import lock_administrators, refuse_self_and_last
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.rows import store
from workspace_manager.engine.supersede import outdate
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal import left_account
from workspace_manager.removal.build import KIND, build
from workspace_manager.removal.messages import message

DRAFTED: Final = (KIND, left_account.KIND)
"""Kinds of plans that wait for approval and expire without it."""


@retry_after_deadlock
def draft_removal(
    username: str,
    *,
    actor: str,
    systems: ConnectedSystems,
    remove_adopted: bool = False,
    never_came: bool = False,
) -> Plan:
    """Draft a removal; an earlier draft becomes stale. Raises Refused, and Person.DoesNotExist.

    `remove_adopted` deletes accounts that existed before the manager, which otherwise are only
    shut. `never_came` withdraws an approval that was never used.
    """
    with transaction.atomic():
        lock_administrators()
        person = Person.objects.select_for_update().get(username=username)
        refuse_running(person)
        refuse_self_and_last(person, actor)
        outdate(find_drafts(person))
        document = build(person, systems, remove_adopted=remove_adopted, never_came=never_came)
        plan = store(document, actor=actor)
        more = {"remove_adopted": True} if remove_adopted else {}
        note("removal:drafted", username, actor=actor, plan=str(plan.id), **more)
    return plan


def ends_at(plan: Plan) -> datetime:
    """Return until when a draft can be approved; its content ages."""
    return plan.created_at + timedelta(hours=settings.DRAFT_HOURS)


def is_over(plan: Plan) -> bool:
    return plan.state == Plan.State.DRAFT and ends_at(plan) <= database_now()


def end_old(now: datetime) -> None:
    """Outdate drafts that were not approved in time."""
    old = Plan.objects.filter(
        kind__in=DRAFTED,
        state=Plan.State.DRAFT,
        created_at__lte=now - timedelta(hours=settings.DRAFT_HOURS),
    )
    with transaction.atomic():
        outdate(old)


def find_drafts(person: Person) -> QuerySet[Plan]:
    return Plan.objects.filter(kind=KIND, subject=str(person.id))


def find_newer(plan: Plan) -> Plan | None:
    """Return what took the place of a preview that is out of date: the person's removal that was
    confirmed, or a newer preview.
    """
    if not plan.subject:
        return None
    others = Plan.objects.filter(kind=KIND, subject=plan.subject).exclude(id=plan.id)
    confirmed = others.filter(state__in=[*Plan.OPEN, Plan.State.DONE])
    return confirmed.first() or others.filter(state=Plan.State.DRAFT).first()


def refuse_running(person: Person) -> None:
    running = find_drafts(person).filter(state__in=Plan.OPEN).first()
    if running:
        name = Named(person=person.username)
        raise Refused(message("being_removed", person=name), plan=str(running.id))
