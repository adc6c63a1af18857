"""Draft a removal: a plan to look at. Nothing happens to anybody before it is approved."""

from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.contract.message import Person as Named
from workspace_manager.core import audit
from workspace_manager.core.administrators import lock_administrators, refuse_self_and_last
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.rows import store
from workspace_manager.engine.supersede import outdate
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal.build import KIND, build
from workspace_manager.removal.messages import message


@retry_after_deadlock
def draft_removal(
    username: str,
    *,
    actor: str,
    systems: ConnectedSystems,
    remove_adopted: bool = False,
    never_came: bool = False,
) -> Plan:
    """Make a removal to look at; an earlier draft becomes stale. Raises Refused, and
    Person.DoesNotExist.

    `remove_adopted`: accounts that existed before the manager are deleted too, not only shut.
    `never_came`: an approval is withdrawn that nobody came with.
    """
    with transaction.atomic():
        lock_administrators()
        person = Person.objects.select_for_update().get(username=username)
        refuse_running(person)
        refuse_self_and_last(person, actor)
        outdate(of(person))
        document = build(person, systems, remove_adopted=remove_adopted, never_came=never_came)
        plan = store(document, actor=actor)
        more = {"remove_adopted": True} if remove_adopted else {}
        audit.note("removal:drafted", username, actor=actor, plan=str(plan.id), **more)
    return plan


def of(person: Person) -> QuerySet[Plan]:
    return Plan.objects.filter(kind=KIND, subject=str(person.id))


def refuse_running(person: Person) -> None:
    running = of(person).filter(state__in=Plan.OPEN).first()
    if running:
        name = Named(person=person.username)
        raise Refused(message("being_removed", person=name), plan=str(running.id))
